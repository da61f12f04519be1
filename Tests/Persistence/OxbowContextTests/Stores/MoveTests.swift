import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Stores that move to another file while their coordinator stays.
@Suite struct MoveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func coordinator(
    _ location: StoreLocation, _ options: SQLiteStoreOptions = SQLiteStoreOptions()
  ) throws -> PersistentStoreCoordinator {
    let types: [any ModelObject.Type] = [Author.self, Book.self, Novel.self, Tag.self]
    return try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: location,
      options: options)
  }

  private var locations: [StoreLocation] {
    [.file(folder.file("a.sqlite")), .temporary, .inMemory]
  }

  private func titles(_ path: String) throws -> [String] {
    let coordinator = try Self.coordinator(.file(path), SQLiteStoreOptions(createsStore: false))
    defer { coordinator.close() }
    return try ManagedObjectContext(coordinator: coordinator)
      .fetch(Book.self, sortedBy: [SortKey("title")]).map(\.title)
  }

  @Test(arguments: [0, 1, 2], [true, false])
  func `contexts, objects, unsaved changes and IDs stay`(_ location: Int, hasLog: Bool) throws {
    let coordinator = try Self.coordinator(
      locations[location], SQLiteStoreOptions(usesWriteAheadLog: hasLog))
    let context = ManagedObjectContext(coordinator: coordinator)
    let reader = ManagedObjectContext(coordinator: coordinator)
    let author = try context.insert(Author.self) { $0.name = "Lem" }
    let book = try context.insert(Book.self) { $0.title = "Eden" }
    book.author = author
    try context.save()
    let fault = try #require(try reader.object(with: book.objectID) as? Book)
    let identifier = coordinator.storeIdentifier
    book.title = "Fiasco"
    let new = try context.insert(Novel.self) { $0.title = "Solaris" }
    let b = folder.file("b.sqlite")
    try coordinator.moveStore(to: b)
    #expect(coordinator.storeIdentifier == identifier)
    #expect(context.hasChanges && book.author == author)
    #expect(fault.title == "Eden" && fault.author?.name == "Lem")
    try context.save()
    #expect(try reader.count(FetchRequest<Book>()) == 2)
    #expect(try reader.existingObject(with: new.objectID, as: Novel.self).title == "Solaris")
    let error = #expect(throws: PersistenceError.self) {
      fault.pages = 3
      try reader.save()
    }
    #expect(error?.code == .conflict)
    try reader.rollback()
    // What was saved since is at the new place alone, and a second way leads on from there.
    if location == 0 { #expect(try titles(folder.file("a.sqlite")) == ["Eden"]) }
    #expect(try titles(b) == ["Fiasco", "Solaris"])
    try coordinator.moveStore(to: folder.file("c.sqlite"))
    try context.delete(new)
    try context.save()
    coordinator.close()
    #expect(try titles(b) == ["Fiasco", "Solaris"])
    #expect(try titles(folder.file("c.sqlite")) == ["Fiasco"])
    #expect(try SQLiteStoreFile(folder.file("c.sqlite")).check().isEmpty)
    let closed = #expect(throws: PersistenceError.self) {
      try coordinator.moveStore(to: folder.file("d.sqlite"))
    }
    #expect(closed?.code == .storeClosed)
    #expect(!FileManager.default.fileExists(atPath: folder.file("d.sqlite")))
  }

  @Test func `large values in files move with the store`() throws {
    let store = try PictureStore()
    let context = store.context()
    for (title, number) in [("a", 1), ("b", 2)] as [(String, UInt8)] {
      try context.insert(Picture.self) { ($0.title, $0.image) = (title, picture(number)) }
    }
    try context.save()
    let moved = store.folder.file("moved.sqlite")
    try store.coordinator.moveStore(to: moved)
    // Nothing is read from the former place any more.
    try FileManager.default.removeItem(atPath: store.path + "-files")
    #expect(try store.images() == ["a": picture(1), "b": picture(2)])
    let a = try #require(try context.fetch(Picture.self, where: .equal("title", "a")).first)
    a.image = picture(9)
    try context.save()
    #expect(try store.images()["a"] == picture(9))
    let names = try FileManager.default.contentsOfDirectory(atPath: moved + "-files")
    #expect(names.filter { $0 != "incoming" }.count >= 2)
    #expect(try SQLiteStoreFile(moved).check().isEmpty)
  }

  @Test func `large values of a store in memory are in files at the new place`() throws {
    let types: [any ModelObject.Type] = [Gallery.self, Picture.self]
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(ManagedObjectModel(types: types), classes: types), at: .inMemory,
      options: SQLiteStoreOptions(externalStorageThreshold: 1000))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert(Picture.self) { ($0.title, $0.image) = ("row", picture(1)) }
    try context.save()
    let path = folder.file("moved.sqlite")
    try coordinator.moveStore(to: path)
    try context.insert(Picture.self) { ($0.title, $0.image) = ("file", picture(2)) }
    try context.save()
    let images = try ManagedObjectContext(coordinator: coordinator).fetch(
      Picture.self, sortedBy: [SortKey("title")]
    ).map(\.image)
    #expect(images == [picture(2), picture(1)])
    let names = try FileManager.default.contentsOfDirectory(atPath: path + "-files")
    #expect(names.filter { $0 != "incoming" }.count == 1)
  }

  @Test func `what saves while the store moves is at the new place, and nothing is lost`() throws {
    let a = folder.file("a.sqlite")
    let coordinator = try Self.coordinator(.file(a))
    // Another coordinator keeps the former file open, so that its writer could go on there.
    let other = try Self.coordinator(.file(a))
    let failures = ErrorLog()
    let writers = (0..<4).map { thread in
      ThreadRunner {
        let context = ManagedObjectContext(coordinator: coordinator)
        for number in 0..<30 {
          do {
            try context.insert(Book.self) { $0.title = "\(thread)-\(number)" }
            try context.save()
            guard try context.count(FetchRequest<Book>()) > number else {
              throw PersistenceError(.conflict, "an own save was not seen")
            }
          } catch { failures.add(error) }
        }
      }
    }
    var places: [String] = []
    for number in 1...5 {
      places.append(folder.file("place\(number).sqlite"))
      try coordinator.moveStore(to: places[number - 1])
    }
    for writer in writers { writer.join() }
    #expect(failures.texts.isEmpty)
    let context = ManagedObjectContext(coordinator: coordinator)
    #expect(try context.count(FetchRequest<Book>()) == 120)
    coordinator.close()
    other.close()
    let counts = try ([a] + places).map { try titles($0).count }
    #expect(counts == counts.sorted() && counts.last == 120)
  }

  @Test func `contexts hear of saves behind a move, and a store moves back to its former file`()
    throws
  {
    let (a, b) = (folder.file("a.sqlite"), folder.file("b.sqlite"))
    let coordinator = try Self.coordinator(.file(a))
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    let other = ManagedObjectContext(coordinator: coordinator)
    other.automaticallyMergesChangesFromParent = true
    let book = try context.insert(Book.self) { $0.title = "Eden" }
    try context.save()
    let seen = try other.existingObject(with: book.objectID, as: Book.self)
    #expect(seen.title == "Eden")
    for (path, title) in [(b, "Fiasco"), (a, "Solaris")] {
      try coordinator.moveStore(to: path, overwriting: path == a)
      book.title = title
      try context.save()
      #expect(try other.fetch(Book.self) == [seen])
      #expect(seen.title == title)
    }
    #expect(try titles(b) == ["Fiasco"])
    #expect(try titles(a) == ["Solaris"])
    #expect(try SQLiteStoreFile(a).check().isEmpty)
  }

  @Test func `a store stays where it is when it cannot move`() throws {
    let a = folder.file("a.sqlite")
    let coordinator = try Self.coordinator(.file(a))
    let context = ManagedObjectContext(coordinator: coordinator)
    let book = try context.insert(Book.self) { $0.title = "Eden" }
    try context.save()
    try folder.write("", to: "taken.sqlite")
    func code(_ path: String, _ coordinator: PersistentStoreCoordinator) -> PersistenceError.Code? {
      do { try coordinator.moveStore(to: path) } catch { return error.code }
      return nil
    }
    #expect(code(folder.file("taken.sqlite"), coordinator) == .storeUnreachable)
    #expect(code(a, coordinator) == .storeUnreachable)
    #expect(code(folder.file("none/b.sqlite"), coordinator) != nil)
    book.title = "Fiasco"
    try context.save()
    #expect(try titles(a) == ["Fiasco"])
    try coordinator.moveStore(to: folder.file("taken.sqlite"), overwriting: true)
    #expect(try titles(folder.file("taken.sqlite")) == ["Fiasco"])
    let reader = try Self.coordinator(.file(a), SQLiteStoreOptions(isReadOnly: true))
    #expect(code(folder.file("c.sqlite"), reader) == .storeReadOnly)
  }

  @Test func `a pinned view ends with the place that it reads`() throws {
    let coordinator = try Self.coordinator(.file(folder.file("a.sqlite")))
    let context = ManagedObjectContext(coordinator: coordinator)
    try context.insert(Book.self) { $0.title = "Eden" }
    try context.save()
    let view = try ManagedObjectContext(pinning: coordinator)
    #expect(try view.count(FetchRequest<Book>()) == 1)
    try coordinator.moveStore(to: folder.file("b.sqlite"))
    let error = #expect(throws: PersistenceError.self) { try view.count(FetchRequest<Book>()) }
    #expect(error?.code == .viewEnded)
    let later = try ManagedObjectContext(pinning: coordinator)
    #expect(try later.count(FetchRequest<Book>()) == 1)
  }
}

/// What threads threw.
private final class ErrorLog: Sendable {
  private let errors = Lock<[String]>([])
  var texts: [String] { errors.withLock(\.self) }
  func add(_ error: any Error) { errors.withLock { $0.append("\(error)") } }
}
