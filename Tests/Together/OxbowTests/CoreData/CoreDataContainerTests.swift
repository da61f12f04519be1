import Oxbow
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Classes for some of the entities; what they do not declare is in the store all the same.

@Entity("Author") final class ShelfAuthor: ManagedObject {
  var born: Date?
  var name: String
  @Relationship(inverse: \.author) var books: [ShelfBook]
}

@Entity("Book") final class ShelfBook: ManagedObject {
  var pages: Int32?
  var price: Decimal?
  var title: String
  @Relationship(inverse: \.books) var author: ShelfAuthor?
}

@Entity("Author") final class MisfitAuthor: ManagedObject {
  var born: String?
  var nickname: String?
}

/// Stores of Core Data behind a container: objects, links, conditions, classes.
@Suite struct CoreDataContainerTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(CoreDataShelves.contents, to: "M.xcdatamodeld/M.xcdatamodel/contents")
    // Another version, whose hashes are others.
    let next = CoreDataShelves.contents.replacing(
      "name=\"minutes\" optional=\"YES\"", with: "name=\"minutes\"")
    try folder.write(next, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    try folder.write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>M 2.xcdatamodel</string></dict></plist>",
      to: "M.xcdatamodeld/.xccurrentversion")
    let document = try ModelDocument(Array(CoreDataShelves.contents.utf8), file: "m")
    try CoreDataShelves.make(path, CoreDataHashes(of: document).values)
  }

  private var path: String { folder.file("App.sqlite") }
  private var model: String { folder.file("M.xcdatamodeld") }

  private func open(
    _ types: [any ModelObject.Type] = []
  ) throws(PersistenceError) -> PersistentContainer {
    try PersistentContainer(
      model, store: .file(path), types: types, options: SQLiteStoreOptions(isReadOnly: true))
  }

  private func error<R>(_ body: () throws -> R) -> PersistenceError? {
    do { _ = try body() } catch { return error as? PersistenceError }
    return nil
  }

  private func fetch(
    _ context: ManagedObjectContext, _ entity: String, _ format: String = "TRUEPREDICATE"
  ) throws -> [ManagedObject] {
    var request = FetchRequest<ManagedObject>(
      entityNamed: entity, where: try FetchPredicate(format: format))
    request.limit = 100
    return try context.fetch(request)
  }

  private func names(_ objects: [ManagedObject], _ attribute: String = "name") throws -> [String] {
    try objects.map { try $0.value(attribute, as: String.self) ?? "none" }
  }

  // MARK: - Objects

  @Test func `CD-31 objects have the values of their own entity's columns`() throws {
    try open().perform { context in
      let authors = try fetch(context, "Author")
      #expect(try names(authors) == ["Ursula", "Iain"])
      let born = try authors.map { try $0.value("born", as: Date.self) }
      #expect(born.map { $0?.timeIntervalSinceReferenceDate } == [12, -0.5])
      let items = try fetch(context, "Item")
      #expect(items.map(\.entityName) == ["Book", "Book", "Film", "Book"])
      #expect(try names(fetch(context, "Film"), "title") == ["Lathe"])
      #expect(try items[0].value("cover", as: Data.self) == Data([0xc0, 0xff, 0xee]))
      #expect(try items[0].value("price", as: Decimal.self) == Decimal(string: "9.5"))
      #expect(try items[1].value("price", as: Decimal.self) == 12)
      // What its rows say of their entity does not count: the table has one.
      #expect(try names(fetch(context, "Tag")) == ["sf", "old", "new"])
    }
    #expect(try folder.names() == ["App.sqlite", "M.xcdatamodeld"])
  }

  @Test func `CD-31 relationships of every kind lead where the store says`() throws {
    try open().perform { context in
      let authors = try fetch(context, "Author")
      #expect(try names(authors[0].objects("books"), "title") == ["Planet", "Rocannon"])
      #expect(try authors[1].objects("books") == [])
      let shelves = try fetch(context, "Shelf")
      #expect(try authors[0].objects("shelf") == [shelves[0]])
      #expect(try shelves[0].objects("owner") == [authors[0]])
      #expect(try shelves[1].objects("owner") == [])
      #expect(
        try shelves.map { try $0.objects("favourite").map(\.entityName) } == [["Film"], ["Book"]])
      let contents = try shelves.map { try names($0.objects("contents"), "title").sorted() }
      #expect(contents == [["Planet", "Rocannon"], ["Lathe"]])
      let tags = try fetch(context, "Tag")
      #expect(try names(tags[0].objects("items"), "title") == ["Planet", "Rocannon"])
      #expect(try names(tags[0].objects("related")).sorted() == ["new", "old"])
      #expect(try names(tags[1].objects("relatedBy")) == ["sf"])
      let film = try fetch(context, "Film")[0]
      #expect(try names(film.objects("tags")) == ["old"])
    }
  }

  @Test func `CD-31 a key that leads nowhere is found when its object is read`() throws {
    let error = error {
      try open().perform { context in
        let book = try fetch(context, "Book", "title == 'Walking'")[0]
        let authors = try book.objects("author")
        #expect(authors.count == 1)
        try context.load(authors)
      }
    }
    #expect(error?.code == .rowGone)
  }

  @Test(
    arguments: [
      ("Book", "author.name == 'Ursula' AND pages > 113", [1]),
      ("Item", "ANY tags.name == 'sf'", [1, 2]), ("Item", "NONE tags.name == 'sf'", [3, 4]),
      ("Shelf", "ANY contents.code == 'a'", [1]), ("Shelf", "contents.@count == 2", [1]),
      ("Tag", "items.@count > 1", [1]), ("Tag", "ANY relatedBy.name == 'sf'", [2, 3]),
      ("Author", "shelf.favourite.code == nil AND shelf != nil", [1]),
      ("Shelf", "favourite.code == 'a'", [2]), ("Author", "books.@count == 0", [2]),
      ("Book", "author == nil", []), ("Tag", "name IN {'old', 'new'}", [2, 3]),
    ] as [(String, String, [Int64])])
  func `CD-31 conditions follow the links of the store`(
    entity: String, format: String, keys: [Int64]
  ) throws {
    try open().perform { context in
      let found = try fetch(context, entity, format)
      #expect(found.map(\.objectID.key) == keys)
    }
  }

  @Test func `CD-31 prefetching, orders, counts, groups and results work as in any store`() throws {
    let store = try open([ShelfAuthor.self, ShelfBook.self])
    try store.perform { context in
      let authors = try context.fetch(
        ShelfAuthor.self, sortedBy: [SortKey(\.name)], prefetching: [\.books])
      context.faultPolicy = .refuse
      #expect(authors.map(\.name) == ["Iain", "Ursula"])
      #expect(authors.map { $0.books.map(\.title) } == [[], ["Planet", "Rocannon"]])
      context.faultPolicy = .allow
      #expect(try context.count(ShelfBook.self) == 3)
      let groups = try context.aggregate(ShelfBook.self) {
        (author: $0.key(\.author?.name), pages: $0.sum(\.pages))
      }
      #expect(Set(groups.map { "\($0.author ?? "none") \($0.pages)" }) == ["Ursula 230", "none 0"])
      let results = try FetchedResults(
        FetchRequest<ShelfBook>(sortedBy: [SortKey(\.title)]), in: context)
      #expect(results.objects.map(\.title) == ["Planet", "Rocannon", "Walking"])
      // What no class declares is there by name.
      #expect(try authors[1].objects("shelf").map(\.entityName) == ["Shelf"])
    }
  }

  // MARK: - Models and classes

  @Test func `CD-31 classes that do not fit the store's model are refused with what differs`()
    throws
  {
    let error = error { try open([MisfitAuthor.self]) }
    #expect(error?.code == .classMismatch)
    #expect(
      error?.problems.map(\.message) == [
        "the entity 'Author' has no property 'nickname'; it has 'books', 'born', 'name', 'shelf'",
        "the class 'MisfitAuthor' and the entity 'Author' disagree: 'born' is String in the class and "
          + "Date in the model",
      ])
  }

  @Test
  func `CD-31 the version of a model is chosen by hashes, and a store without one asks for it`()
    throws
  {
    try open().perform { context in
      let minutes = context.coordinator.model.entity(named: "Film")?.property(named: "minutes")
      #expect(minutes?.mayBeEmpty == true)
    }
    let error = error {
      try PersistentContainer(
        folder.file("M.xcdatamodeld/M 2.xcdatamodel"), store: .file(path),
        options: SQLiteStoreOptions(isReadOnly: true))
    }
    #expect(error?.code == .modelMismatch)
    #expect(error?.details.map(\.text) == ["M 2", "differ: Film"])
    let without = self.error {
      try PersistentContainer(store: .file(path), options: SQLiteStoreOptions(isReadOnly: true))
    }
    #expect(without?.code == .unsupported)
    #expect(without?.message.hasPrefix("the store '\(path)' does not keep its model") == true)
    #expect(self.error { try PersistentContainer(store: .inMemory) }?.code == .unsupported)
  }

  @Test func `CD-31 a store with its model inside needs nothing else`() throws {
    try CoreDataInside.make(folder.file("B.sqlite"))
    let options = SQLiteStoreOptions(isReadOnly: true)
    let store = try PersistentContainer(store: .file(folder.file("B.sqlite")), options: options)
    try store.perform { context in
      let authors = try fetch(context, "Author", "bookCount >= 1")
      #expect(try names(authors) == ["a", "b"])
      #expect(try names(authors[0].objects("books"), "title") == ["x", "y"])
    }
    // A model that classes declare is that of the store.
    let bound = try PersistentContainer(
      .file(folder.file("B.sqlite")), types: [InsideAuthor.self], options: options)
    try bound.perform { context in
      let authors = try context.fetch(InsideAuthor.self, sortedBy: [SortKey(\.name)])
      #expect(authors.map(\.name) == ["a", "b"])
    }
    let factory = StoreCoordinatorFactory()
    (factory.storePath, factory.readOnly) = (folder.file("B.sqlite"), true)
    let coordinator = try factory.object()
    #expect(coordinator.model.entities.map(\.name) == ["Author", "Work", "Book"])
    coordinator.close()
  }

  @Test func `CD-43 classes make a store of Core Data, and open it again`() throws {
    var options = SQLiteStoreOptions()
    options.layout = .coreData
    for name in ["a", "b"] {
      let store = try PersistentContainer(
        .file(folder.file("Seed.sqlite")), types: [InsideAuthor.self], options: options)
      try store.perform { context in
        try context.insert(InsideAuthor.self) { $0.name = name }
        try context.save()
      }
      store.close()
    }
    let store = try PersistentContainer(
      .file(folder.file("Seed.sqlite")), types: [InsideAuthor.self])
    #expect(try store.perform { try $0.count(InsideAuthor.self) } == 2)
    store.close()
    let other = error {
      try PersistentContainer(.file(folder.file("Seed.sqlite")), types: [MisfitAuthor.self])
    }
    #expect(other?.code == .modelMismatch)
  }

  // MARK: - Identity

  @Test func `CD-31 objects are found by Core Data's URIs, and say their own`() throws {
    let uri = "x-coredata://\(CoreDataShelves.identifier)/Film/p3"
    let id = try #require(ManagedObjectID(uri))
    #expect("\(id)" == uri)
    #expect(try JSONDecoder().decode(ManagedObjectID.self, from: JSONEncoder().encode(id)) == id)
    #expect(ManagedObjectID("x-coredata://\(CoreDataShelves.identifier)/Item/Film/p3") == nil)
    try open().perform { context in
      let film = try context.existingObject(with: id)
      #expect(try names([film], "title") == ["Lathe"])
      #expect(film.objectID.coreDataURI == uri)
      #expect("\(film.objectID)" == "x-oxbow://\(CoreDataShelves.identifier)/Item/Film/p3")
    }
  }

  @Test func `CD-31 nothing in a store that is only read can be changed`() throws {
    let store = try open()
    let error = error {
      try store.perform { context in
        let tag = try fetch(context, "Tag")[0]
        try tag.setValue("other", for: "name")
        try context.save()
      }
    }
    #expect(error?.code == .storeReadOnly)
    let inserting = self.error {
      try store.perform { try $0.insert(entityNamed: "Tag").setValue("t", for: "name") }
    }
    #expect(inserting?.code == .storeReadOnly)
  }
}

/// A store that keeps its model.
enum CoreDataInside {
  static func make(_ path: String, more: String = "") throws {
    let document = try ModelDocument(CoreDataFixture.model(), file: "m")
    try CoreDataFixture.keeping(
      path, hashes: CoreDataHashes(of: document).values,
      more: """
        UPDATE ZAUTHOR SET ZBOOKCOUNT = 3 - Z_PK;
        UPDATE ZWORK SET ZID = randomblob(16), ZPAGES = Z_PK, ZAUTHOR = Z_PK / 2 + 1, Z_FOK_AUTHOR = 9;
        UPDATE ZWORK SET ZAUTHOR = 1 WHERE Z_PK = 2; \(more)
        """)
  }
}

@Entity("Author") final class InsideAuthor: ManagedObject {
  var name: String
}
