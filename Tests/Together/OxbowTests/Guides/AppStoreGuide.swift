import Oxbow
import OxbowTestSupport
import Testing

// The code of docs/guide/opening-an-apps-store.md.

enum AppStoreGuide {
  static func find(_ path: String) throws -> [String] {
    func titles(at path: String) throws -> [String] {
      let options = SQLiteStoreOptions(isReadOnly: true)
      let store = try PersistentContainer(store: .file(path), options: options)
      return try store.perform { context in
        let isNew = try FetchPredicate(format: "pages > 1 AND author.name == 'a'")
        let books = try context.fetch(
          FetchRequest<ManagedObject>(entityNamed: "Book", where: isNew))
        return try books.map { try $0.value("title", as: String.self) ?? "" }
      }
    }
    return try titles(at: path)
  }

  static func change(_ path: String) throws {
    func rename(_ title: String, to name: String, at path: String) throws {
      let store = try PersistentContainer(store: .file(path))
      try store.perform { context in
        let isIt = try FetchPredicate(format: "title == %@", title)
        for book in try context.fetch(
          FetchRequest<ManagedObject>(entityNamed: "Book", where: isIt))
        {
          try book.setValue(name, for: "title")
        }
        try context.save()
      }
    }
    try rename("y", to: "Years", at: path)
  }
}

@Suite struct AppStoreGuideTests {
  @Test func `CD-31 the guide reads an app's store`() throws {
    let folder = try TemporaryFolder()
    try CoreDataInside.make(folder.file("App.sqlite"))
    #expect(try AppStoreGuide.find(folder.file("App.sqlite")) == ["y"])
    #expect(try folder.names() == ["App.sqlite"])
  }

  @Test func `CD-40 the guide writes to an app's store`() throws {
    let folder = try TemporaryFolder()
    try CoreDataInside.make(
      folder.file("App.sqlite"),
      // What Core Data makes to keep a count, as far as a changed title needs it.
      more: """
        CREATE TRIGGER Z_DA_ZWORK_Author_bookCount_X AFTER DELETE ON ZWORK BEGIN
        SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZAUTHOR', 1, 1, 'bookCount', 0); END;
        """)
    try AppStoreGuide.change(folder.file("App.sqlite"))
    #expect(try AppStoreGuide.find(folder.file("App.sqlite")) == ["Years"])
    #expect(try folder.names() == ["App.sqlite"])
    // Its classes are bound to the model that the store keeps, for writing too.
    let bound = try PersistentContainer(
      .file(folder.file("App.sqlite")), types: [InsideAuthor.self])
    try bound.perform { context in
      let author = try context.insert(InsideAuthor.self) { $0.name = "New" }
      try context.save()
      #expect(author.objectID.key == 3)
    }
  }
}
