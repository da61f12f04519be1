import Observation
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import Testing

@testable import OxbowContext

@Suite struct ObservationTests {
  let library: Library
  let context: ManagedObjectContext
  let other: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context("observed")
    context.isObservable = true
    other = library.context("other")
  }

  /// Counts what observers hear.
  private final class Bell: Sendable {
    private let rings = Lock(0)
    func ring() { rings.withLock { $0 += 1 } }
    /// How often it rang since the last time.
    func take() -> Int {
      rings.withLock { count in
        defer { count = 0 }
        return count
      }
    }
  }

  /// Reads something, and rings a bell when that changes.
  private func watch(_ read: () -> Void) -> Bell {
    let bell = Bell()
    withObservationTracking(read) { bell.ring() }
    return bell
  }

  private func book() throws -> (mine: Book, theirs: Book) {
    try library.sharedBook(context, other)
  }

  @Test func `PS-10 a property that was read rings once, another does not`() throws {
    let book = try book().mine
    let bell = watch { _ = book.title }
    book.pages = 7
    #expect(bell.take() == 0)
    book.title = "title"
    #expect(bell.take() == 0)
    book.title = "other"
    #expect(bell.take() == 1)
    book.title = "again"
    #expect(bell.take() == 0)
  }

  @Test func `PS-10 an object tells its own observers only`() throws {
    let first = try book().mine
    let second = try library.book("second", in: context)
    let bell = watch { _ = first.title }
    second.title = "changed"
    #expect(bell.take() == 0)
    first.title = "changed"
    #expect(bell.take() == 1)
  }

  @Test func `PS-10 a context that is not observable notifies no one, and keeps nothing`() throws {
    let book = try book().theirs
    let bell = watch { _ = book.title }
    book.title = "changed"
    #expect(bell.take() == 0 && other.audience.observers == nil)
    #expect(!book._state.contains(.observed))
  }

  @Test func `PS-10 switching it off rings, and takes the bit`() throws {
    let book = try book().mine
    let bell = watch { _ = book.title }
    context.isObservable = false
    #expect(bell.take() == 1 && !book._state.contains(.observed))
    context.isObservable = true
    #expect(book._state.contains(.observed))
  }

  @Test func `PS-10 reading by name and increments are noted`() throws {
    let bank = try Bank()
    let context = bank.context()
    context.isObservable = true
    let deposit = try context.existingObject(with: bank.account(), as: Deposit.self)
    let bell = watch { _ = try? deposit.value("balance", as: Int.self) }
    try context.increment(\Deposit.balance, of: deposit, by: 1)
    #expect(bell.take() == 1)
    let again = watch { _ = deposit.balance }
    try context.save()
    #expect(again.take() == 0)
    let observer = watch { _ = deposit.balance }
    let other = bank.context()
    let theirs = try other.existingObject(with: deposit.objectID, as: Deposit.self)
    try other.increment(\Deposit.balance, of: theirs, by: 10)
    try other.save()
    try context.increment(\Deposit.small, of: deposit, by: 1)
    #expect(observer.take() == 0)
    // What the save finds in the store.
    try context.save()
    #expect(observer.take() == 1 && deposit.balance == 11)
  }

  @Test func `PS-10 parts of a composite attribute are reported`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription(
            composite: "place", of: "Place",
            elements: [AttributeDescription("x", .double), AttributeDescription("y", .double)])
        ])
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    context.isObservable = true
    let object = try context.insert(entityNamed: "A")
    let bell = watch { _ = try? object.composite("place") }
    try object.setValue(1.5, for: "place.y")
    #expect(bell.take() == 1)
  }

  @Test func `PS-10 a batch tells of what it changes`() throws {
    let book = try book().mine
    let bells = (watch { _ = book.pages }, watch { _ = book.title })
    try context.batchUpdate(Book.self) { $0.set(\.pages, to: 77) }
    #expect(bells.0.take() == 1 && bells.1.take() == 0 && book.pages == 77)
  }

  @Test func `PS-10 a child's save tells the observers of its parent`() throws {
    let book = try book().mine
    let child = ManagedObjectContext(parent: context)
    let copy = try child.existingObject(with: book.objectID, as: Book.self)
    let bell = watch { _ = book.title }
    copy.title = "draft"
    #expect(bell.take() == 0)
    try child.save()
    #expect(bell.take() == 1)
  }

  @Test func `a child's save is whole, whatever others save while it is made (PG-10)`() throws {
    let book = try book().mine
    let second = try library.book("second", in: context)
    try context.save()
    context.automaticallyMergesChangesFromParent = true
    let child = ManagedObjectContext(parent: context)
    let copy = try child.existingObject(with: book.objectID, as: Book.self)
    copy.title = "changed"
    try child.delete(child.existingObject(with: second.objectID, as: Book.self))
    let (coordinator, id) = (library.coordinator, second.objectID)
    withObservationTracking {
      _ = book.title
    } onChange: {
      let other = ManagedObjectContext(coordinator: coordinator, name: "other")
      do {
        try other.delete(other.existingObject(with: id, as: Book.self))
        try other.save()
      } catch { Issue.record(error) }
    }
    try child.save()
    #expect(book.title == "changed" && second.isDeleted)
    #expect(try library.titlesOnDisk() == ["title"])
  }

  @Test func `PS-10 a relationship is reported at both ends`() throws {
    let book = try book().mine
    let author = try #require(book.author)
    let next = try context.insert(Author.self) { $0.name = "B" }
    let bells = (
      watch { _ = book.author }, watch { _ = author.books }, watch { _ = next.books },
      watch { _ = author.name }
    )
    book.author = next
    #expect(bells.0.take() == 1 && bells.1.take() == 1 && bells.2.take() == 1)
    #expect(bells.3.take() == 0)
    let back = watch { _ = book.author }
    author.books = [book]
    #expect(back.take() == 1)
  }

  @Test func `PS-10 a rollback tells of what was changed`() throws {
    let book = try book().mine
    let author = try #require(book.author)
    _ = author.books
    book.title = "changed"
    book.author = nil
    let bells = (watch { _ = book.title }, watch { _ = book.pages }, watch { _ = book.author })
    let members = watch { _ = author.books }
    try context.rollback()
    #expect(bells.0.take() == 1 && bells.1.take() == 0 && bells.2.take() == 1)
    #expect(members.take() == 1 && author.books == [book])
  }

  @Test func `PS-10 a refresh tells of everything, and reading again waits anew`() throws {
    let book = try book()
    let bell = watch { _ = book.mine.title }
    book.theirs.title = "theirs"
    try other.save()
    try context.refresh(book.mine)
    #expect(bell.take() == 1)
    let again = watch { #expect(book.mine.title == "theirs") }
    #expect(again.take() == 0)
    book.mine.title = "mine"
    #expect(again.take() == 1)
  }

  @Test func `PS-10 a refresh that merges tells of what the newer row brings`() throws {
    let book = try book()
    book.mine.pages = 7
    book.theirs.title = "theirs"
    book.theirs.pages = 9
    try other.save()
    let bells = (watch { _ = book.mine.title }, watch { _ = book.mine.pages })
    try context.refresh(book.mine, mergingChanges: true)
    #expect(bells.0.take() == 1 && bells.1.take() == 0)
    #expect(book.mine.title == "theirs" && book.mine.pages == 7)
  }

  @Test func `PS-10 a merge of another save tells of the values that are others`() throws {
    let book = try book()
    context.automaticallyMergesChangesFromParent = true
    let bells = (watch { _ = book.mine.title }, watch { _ = book.mine.pages })
    book.theirs.title = "theirs"
    try other.save()
    #expect(bells.0.take() == 0)
    _ = try context.count(FetchRequest<Tag>())
    #expect(bells.0.take() == 1 && bells.1.take() == 0)
  }

  @Test func `PS-10 a merge tells of members that came and went`() throws {
    let book = try book()
    let author = try #require(book.mine.author)
    context.automaticallyMergesChangesFromParent = true
    let came = watch { _ = author.books }
    let second = try library.book("second", in: other)
    second.author = book.theirs.author
    try other.save()
    _ = try context.count(FetchRequest<Tag>())
    #expect(came.take() == 1 && author.books.count == 2)
    let went = watch { _ = author.books }
    second.author = nil
    try other.save()
    _ = try context.count(FetchRequest<Tag>())
    #expect(went.take() == 1 && author.books == [book.mine])
    let deleted = watch { _ = author.books }
    try other.delete(book.theirs)
    try other.save()
    _ = try context.count(FetchRequest<Tag>())
    #expect(deleted.take() == 1 && author.books == [])
  }

  @Test func `PS-10 a save that merges a conflict tells of what it took`() throws {
    let book = try book()
    book.mine.pages = 7
    book.theirs.title = "theirs"
    try other.save()
    let bell = watch { _ = book.mine.title }
    let same = watch { _ = book.mine.pages }
    context.mergePolicy = .mergeByProperty
    try context.save()
    #expect(bell.take() == 1 && same.take() == 0)
  }

  @Test func `PS-10 undo and redo tell of what they change`() throws {
    let book = try book().mine
    context.isUndoEnabled = true
    book.title = "changed"
    let undone = watch { _ = book.title }
    try context.undo()
    #expect(undone.take() == 1)
    let redone = watch { _ = book.title }
    try context.redo()
    #expect(redone.take() == 1 && book.title == "changed")
  }

  @Test func `PS-10 an object that is to be deleted leaves collections, and comes back`() throws {
    let book = try book().mine
    let author = try #require(book.author)
    let gone = watch { _ = author.books }
    try context.delete(book)
    #expect(gone.take() == 1 && author.books == [])
    let back = watch { _ = author.books }
    try context.rollback()
    #expect(back.take() == 1 && author.books == [book])
  }

  @Test func `PS-10 a save alone changes nothing that is shown`() throws {
    let book = try book().mine
    book.title = "changed"
    book.author = try context.insert(Author.self) { $0.name = "B" }
    let bells = (watch { _ = book.title }, watch { _ = book.author })
    try context.save()
    #expect(bells.0.take() == 0 && bells.1.take() == 0)
  }

  @Test func `PS-10 a reset rings, and forgets`() throws {
    let book = try book().mine
    let bell = watch { _ = book.title }
    try context.reset()
    #expect(bell.take() == 1 && context.audience.observers?.count == 0)
  }

  @Test func `PS-10 a registrar goes with its object`() throws {
    try context.insert(Author.self) { $0.name = "A" }
    try context.save()
    let id = try #require(context.fetchIDs(FetchRequest<Author>()).first)
    func read() throws { _ = try context.existingObject(with: id, as: Author.self).name }
    try read()
    #expect(context.audience.observers?.count == 1)
    context.sweep()
    #expect(context.audience.observers?.count == 0)
    // The object that is made next finds none of the old.
    let author = try context.existingObject(with: id, as: Author.self)
    let bell = watch { _ = author.name }
    author.name = "B"
    #expect(bell.take() == 1)
    try context.delete(author)
    try context.save()
    #expect(context.audience.observers?.count == 0)
  }

  @Test func `PS-10 every kind of change keeps the bit`() throws {
    let book = try book()
    let states: [() throws -> Void] = [
      { book.mine.title = "x" }, { try context.save() }, { try context.refresh(book.mine) },
      { _ = book.mine.title }, { book.mine.pages = 3 }, { try context.rollback() },
      { try context.refresh(book.mine, mergingChanges: true) },
    ]
    for state in states {
      try state()
      #expect(book.mine._state.contains(.observed))
    }
  }
}
