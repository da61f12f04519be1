import OxbowContext
import OxbowModel
import OxbowStore
import Synchronization
import Testing

/// Contexts whose parent is a context (PG-10).
@Suite struct ChildContextTests {
  let library: Library
  let parent: ManagedObjectContext
  let child: ManagedObjectContext

  init() throws {
    library = try Library()
    parent = library.context("parent")
    child = ManagedObjectContext(parent: parent)
  }

  private func titles(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")])).map(\.title)
  }

  @Test func `a child finds what its parent has not saved`() throws {
    let author = try parent.insert(Author.self) { $0.name = "Octavia" }
    let book = try library.book("Kindred", pages: 264, in: parent)
    book.author = author
    _ = try library.book("Dawn", pages: 248, in: parent)
    #expect(try titles(child) == ["Dawn", "Kindred"])
    let found = try child.fetch(Book.self, where: .equal("author.name", "Octavia"))
    #expect(found.map(\.objectID) == [book.objectID])
    #expect(found[0] !== book)
    #expect(found[0].author?.books == Set(found))
    #expect(try child.count(FetchRequest<Book>()) == 2)
    #expect(
      try child.fetch(Book.self, sortedBy: [SortKey("pages")], limit: 1, offset: 1).map(\.title)
        == ["Kindred"])
    let pages = try child.aggregate(Book.self) { $0.sum(\.pages) }
    #expect(pages == [512])
    #expect(try child.fetchIDs(FetchRequest<Book>()).count == 2)
  }

  @Test func `a save that a hook of the parent fails leaves the parent as it was`() throws {
    let garden = try Garden()
    let setup = garden.context("setup")
    let fern = try setup.insert(Plant.self) { $0.name = "fern" }
    let moss = try setup.insert(Plant.self) { $0.name = "moss" }
    try setup.save()
    let parent = garden.context("parent")
    let gone = try parent.object(with: moss.objectID)
    try setup.delete(moss)
    try setup.save()
    let child = ManagedObjectContext(parent: parent)
    let script = Script()
    script.actions["prepareForDeletion"] = { _ in _ = (gone as? Plant)?.name }
    let doomed = try child.existingObject(with: fern.objectID, as: Plant.self)
    let added = try child.insert(Plant.self) { $0.name = "added" }
    try child.delete(doomed)
    let error = Script.$bound.withValue(script) { () -> PersistenceError? in
      do throws(PersistenceError) {
        try child.save()
        return nil
      } catch { return error }
    }
    #expect(error != nil)
    #expect(parent.registeredObject(for: added.objectID) == nil)
    #expect(!parent.hasChanges && child.hasChanges)
    script.actions = [:]
    try Script.$bound.withValue(script) { try child.save() }
    #expect(parent.registeredObject(for: added.objectID)?.isInserted == true)
  }

  @Test func `a save goes to the parent, and the parent's to the store`() throws {
    let book = try library.book("Kindred", in: parent)
    try parent.save()
    let draft = try child.existingObject(with: book.objectID, as: Book.self)
    draft.title = "Dawn"
    let added = try library.book("Added", in: child)
    added.author = try child.insert(Author.self) { $0.name = "Octavia" }
    #expect(book.title == "Kindred")
    try child.save()
    #expect(!child.hasChanges)
    #expect(book.title == "Dawn")
    #expect(try library.titlesOnDisk() == ["Kindred"])
    let same = try parent.existingObject(with: added.objectID, as: Book.self)
    #expect(same.isInserted)
    #expect(same.author?.name == "Octavia")
    try parent.save()
    #expect(try library.titlesOnDisk() == ["Added", "Dawn"])
    // The child goes on with what it has.
    added.title = "Again"
    draft.pages = 3
    try child.save()
    try parent.save()
    #expect(try library.titlesOnDisk() == ["Again", "Dawn"])
  }

  @Test func `a child that is rolled back or dropped has changed nothing`() throws {
    let book = try library.book("Kindred", in: parent)
    let draft = try child.existingObject(with: book.objectID, as: Book.self)
    draft.title = "x"
    try child.delete(draft)
    try child.rollback()
    #expect(draft.title == "Kindred")
    draft.title = "y"
    try child.refresh(draft)
    #expect(draft.title == "Kindred")
    #expect(book.title == "Kindred")
    #expect(!book.isDeleted)
  }

  @Test func `deletions reach the parent with their rules, and what the child could not know`()
    throws
  {
    let author = try parent.insert(Author.self) { $0.name = "Octavia" }
    let book = try library.book("Kindred", in: parent)
    book.author = author
    try parent.save()
    let draft = try child.existingObject(with: author.objectID, as: Author.self)
    #expect(draft.books.count == 1)
    // New in the parent since: the cascade takes it as well.
    let late = try library.book("Late", in: parent)
    late.author = author
    try child.delete(draft)
    try child.save()
    #expect(author.isDeleted)
    #expect(book.isDeleted)
    #expect(late.context == nil)
    try parent.save()
    #expect(try library.titlesOnDisk().isEmpty)
  }

  @Test func `what the parent changed since is a conflict, for the child's policy`() throws {
    let book = try library.book("Kindred", pages: 1, in: parent)
    try parent.save()
    let draft = try child.existingObject(with: book.objectID, as: Book.self)
    draft.title = "Mine"
    book.pages = 2
    let error = #expect(throws: PersistenceError.self) { try child.save() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("the context 'parent' has changed") == true)
    #expect(error?.conflicts.first?.theirs?["pages"] == .attribute(.integer(2)))
    #expect(book.title == "Kindred")
    child.mergePolicy = .mergeByProperty
    try child.save()
    #expect(book.title == "Mine")
    #expect(draft.pages == 2)
  }

  @Test func `siblings conflict, and a value that went there and back does not`() throws {
    let book = try library.book("Kindred", in: parent)
    let other = ManagedObjectContext(parent: parent, name: "sibling")
    let first = try child.existingObject(with: book.objectID, as: Book.self)
    let second = try other.existingObject(with: book.objectID, as: Book.self)
    second.title = "Theirs"
    try other.save()
    first.pages = 5
    let error = #expect(throws: PersistenceError.self) { try child.save() }
    #expect(error?.code == .conflict)
    try child.refresh(first)
    #expect(first.title == "Theirs")
    book.title = "x"
    book.title = "Theirs"
    first.pages = 5
    try child.save()
    #expect(book.pages == 5)
  }

  @Test func `an object that the parent has deleted or taken back conflicts`() throws {
    let book = try library.book("Kindred", in: parent)
    try parent.save()
    let new = try library.book("New", in: parent)
    let drafts = try child.fetch(Book.self, sortedBy: [SortKey("title")])
    #expect(drafts.count == 2)
    for draft in drafts { draft.pages = 9 }
    try parent.delete(book)
    try parent.delete(new)
    let error = #expect(throws: PersistenceError.self) { try child.save() }
    #expect(Set(error?.objectIDs ?? []) == [book.objectID, new.objectID])
    child.mergePolicy = .mergeByPropertyObjectTrump
    try child.save()
    #expect(!book.isDeleted)
    #expect(book.pages == 9)
    try parent.save()
    #expect(try library.titlesOnDisk() == ["Kindred", "New"])
  }

  @Test func `a link to what the parent deleted is refused`() throws {
    let author = try parent.insert(Author.self) { $0.name = "Octavia" }
    try parent.save()
    let draft = try child.existingObject(with: author.objectID, as: Author.self)
    let book = try library.book("Kindred", in: child)
    book.author = draft
    try parent.delete(author)
    let error = #expect(throws: PersistenceError.self) { try child.save() }
    #expect(error?.code == .conflict)
    #expect(error?.message.contains("has no ") == true)
    #expect(try parent.count(FetchRequest<Book>()) == 0)
  }

  @Test func `rules are checked by the child's save`() throws {
    _ = try child.insert(Book.self)
    let error = #expect(throws: PersistenceError.self) { try child.save() }
    #expect(error?.code == .validation)
    #expect(try parent.count(FetchRequest<Book>()) == 0)
  }

  @Test func `a child of a child saves step by step`() throws {
    let grandchild = ManagedObjectContext(parent: child, name: "grandchild")
    let book = try library.book("Kindred", in: grandchild)
    try grandchild.save()
    #expect(try titles(child) == ["Kindred"])
    #expect(try titles(parent) == [])
    try child.save()
    #expect(try titles(parent) == ["Kindred"])
    try parent.save()
    #expect(try library.titlesOnDisk() == ["Kindred"])
    book.title = "Dawn"
    try grandchild.save()
    try child.save()
    try parent.save()
    #expect(try library.titlesOnDisk() == ["Dawn"])
  }

  @Test func `the parent can undo what a child saved`() throws {
    parent.isUndoEnabled = true
    let book = try library.book("Kindred", in: parent)
    try parent.save()
    let draft = try child.existingObject(with: book.objectID, as: Book.self)
    draft.title = "Dawn"
    _ = try library.book("New", in: child)
    try child.save()
    try parent.undo()
    #expect(try titles(parent) == ["Kindred"])
    #expect(!parent.hasChanges)
  }

  @Test func `an event is the parent's save, not the child's`() throws {
    let names = Mutex<[String]>([])
    let subscription = library.coordinator.onDidSave { event in
      names.withLock { $0.append(event.author) }
    }
    _ = try library.book("Kindred", in: child)
    try child.save()
    #expect(names.withLock { $0 }.isEmpty)
    try parent.save()
    #expect(names.withLock { $0 } == ["parent"])
    subscription.cancel()
  }

  @Test func `batches and streams of a child read its parent`() async throws {
    for number in 0..<7 { _ = try library.book("\(number)", in: parent) }
    try parent.save()
    _ = try library.book("7", in: parent)
    let batches = try child.fetch(FetchRequest<Book>(sortedBy: [SortKey("title")]), batchSize: 3)
    #expect(batches.map(\.title) == (0..<8).map { "\($0)" })
    var titles: [String] = []
    for try await book in child.stream(FetchRequest<Book>(), pageSize: 3) {
      titles.append(book.title)
    }
    #expect(titles.sorted() == (0..<8).map { "\($0)" })
  }

  @Test(arguments: [false, true])
  func `a stream of a child has its parent read each row once (PF-12)`(_ isChanged: Bool)
    async throws
  {
    let setup = library.context("setup")
    for number in 0..<40 { _ = try library.book("\(number)", in: setup) }
    try setup.save()
    if isChanged { _ = try library.book("new", in: parent) }
    let grandchild = ManagedObjectContext(parent: child)
    var count = 0
    for try await _ in grandchild.stream(FetchRequest<Book>(), pageSize: 4) { count += 1 }
    #expect(count == (isChanged ? 41 : 40))
    #expect(parent.statistics.rowsRead == 40)
  }

  @Test func `a child belongs to its parent's owner`() throws {
    let bound = library.context("bound", owner: .thread(1))
    let child = ManagedObjectContext(parent: bound)
    let error = #expect(throws: PersistenceError.self) { try child.fetch(FetchRequest<Book>()) }
    #expect(error?.code == .wrongOwner)
  }
}
