import OxbowContext
import OxbowModel
import OxbowStore
import Testing

@Suite struct MergePolicyTests {
  let library: Library
  let mine: ManagedObjectContext
  let theirs: ManagedObjectContext
  let observer: ManagedObjectContext

  init() throws {
    library = try Library()
    mine = library.context("mine")
    theirs = library.context("theirs")
    observer = library.context("observer")
  }

  private func book() throws -> (mine: Book, theirs: Book) { try library.sharedBook(mine, theirs) }

  private func stored(_ book: Book) throws -> Book {
    try observer.reset()
    return try observer.existingObject(with: book.objectID, as: Book.self)
  }

  private func inserted(_ name: String, in context: ManagedObjectContext) throws -> Author {
    try context.insert(Author.self) { $0.name = name }
  }

  @Test func `without a policy, a conflict shows the values of both sides (PG-11)`() throws {
    let book = try book()
    book.theirs.title = "theirs"
    try theirs.save()
    book.mine.title = "mine"
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    let conflict = try #require(error?.conflicts.first)
    #expect(error?.code == .conflict && error?.conflicts.count == 1)
    #expect(conflict.objectID == book.mine.objectID && conflict.kind == .update)
    #expect(conflict.base?["title"] == .attribute(.string("title")))
    #expect(conflict.mine?["title"] == .attribute(.string("mine")))
    #expect(conflict.theirs?["title"] == .attribute(.string("theirs")))
    #expect(conflict.contestedProperties == ["title"])
    #expect(try stored(book.mine).title == "theirs")
    try mine.rollback()
    #expect(book.mine.title == "theirs")
  }

  @Test func `a rollback after a failed transaction reads what was in conflict before it`() throws {
    let book = try book()
    book.theirs.title = "theirs"
    try theirs.save()
    book.mine.title = "mine"
    #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(throws: CancellationError.self) {
      try mine.withTransaction(readOnly: false) { throw CancellationError() }
    }
    #expect(book.mine.title == "mine")
    try mine.rollback()
    #expect(book.mine.title == "theirs")
  }

  struct Expected: Sendable {
    let policy: MergePolicy
    let title: String
    let pages: Int32
    let author: String?
  }

  @Test(arguments: [
    Expected(policy: .mergeByPropertyStoreTrump, title: "theirs", pages: 7, author: "theirs"),
    Expected(policy: .mergeByPropertyObjectTrump, title: "mine", pages: 7, author: "theirs"),
    Expected(policy: .overwrite, title: "mine", pages: 7, author: "A"),
    Expected(policy: .rollback, title: "theirs", pages: 1, author: "theirs"),
  ])
  func `each policy takes its properties of two changes (PG-11)`(_ expected: Expected) throws {
    let book = try book()
    book.theirs.title = "theirs"
    book.theirs.author = try inserted("theirs", in: theirs)
    try theirs.save()
    book.mine.title = "mine"
    book.mine.pages = 7
    mine.mergePolicy = expected.policy
    try mine.save()
    for found in [book.mine, try stored(book.mine)] {
      #expect(found.title == expected.title)
      #expect(found.pages == expected.pages)
      #expect(found.author?.name == expected.author)
      #expect(found.author?.books == [found])
    }
    #expect(!mine.hasChanges)
    #expect(mine.mergedConflicts.map(\.contestedProperties) == [["title"]])
    // What was merged is no conflict again.
    book.mine.pages = 8
    try mine.save()
    #expect(mine.mergedConflicts.isEmpty)
    #expect(try stored(book.mine).pages == 8)
  }

  @Test func `a merge by property takes both sides, and throws where both changed one (PG-11)`()
    throws
  {
    let book = try book()
    book.theirs.title = "theirs"
    try theirs.save()
    mine.mergePolicy = .mergeByProperty
    book.mine.pages = 7
    try mine.save()
    #expect(try stored(book.mine).title == "theirs" && book.mine.title == "theirs")
    #expect(try stored(book.mine).pages == 7)
    try theirs.refresh(book.theirs)
    book.theirs.title = "again"
    book.theirs.pages = 9
    try theirs.save()
    book.mine.title = "again"
    book.mine.author = nil
    try mine.save()
    #expect(try stored(book.mine).author == nil)
    try theirs.refresh(book.theirs)
    book.theirs.pages = 10
    try theirs.save()
    book.mine.pages = 11
    let other = try inserted("new", in: mine)
    book.mine.author = other
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.conflicts.map(\.contestedProperties) == [["pages"]])
    // Nothing has changed.
    #expect(book.mine.pages == 11 && book.mine.author === other && other.isInserted)
    #expect(other.books == [book.mine])
    #expect(try book.mine.committedValue(of: \.pages) == 9)
    mine.mergePolicy = .mergeByPropertyObjectTrump
    try mine.save()
    #expect(try stored(book.mine).author?.name == "new")
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, "theirs" as String?), (.rollback, "theirs"),
    (.mergeByPropertyObjectTrump, "mine"), (.overwrite, "mine"), (.mergeByProperty, nil),
  ])
  func `a key that both changed leads both ends to one side (PG-01, PG-11)`(
    _ policy: MergePolicy, _ winner: String?
  ) throws {
    let book = try book()
    let first = try #require(book.mine.author)
    book.theirs.author = try inserted("theirs", in: theirs)
    try theirs.save()
    let own = try inserted("mine", in: mine)
    book.mine.author = own
    mine.mergePolicy = policy
    guard let winner else {
      #expect(throws: PersistenceError.self) { try mine.save() }
      #expect(book.mine.author === own && own.books == [book.mine])
      return
    }
    try mine.save()
    #expect(book.mine.author?.name == winner)
    #expect(book.mine.author?.books == [book.mine])
    #expect(own.books == (winner == "mine" ? [book.mine] : []))
    #expect(first.books == [])
    #expect(try stored(book.mine).author?.name == winner)
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, false as Bool?), (.rollback, false),
    (.mergeByPropertyObjectTrump, true), (.overwrite, true), (.mergeByProperty, nil),
    (.error, nil),
  ])
  func `a deletion of what others changed (PG-02, PG-11)`(
    _ policy: MergePolicy, _ isDeleted: Bool?
  ) throws {
    let book = try book()
    let author = try #require(book.mine.author)
    let second = try library.book("second", in: mine)
    second.author = author
    let tag = try mine.insert(Tag.self) { $0.name = "t" }
    tag.books = [second, book.mine]
    try mine.save()
    try theirs.refresh(book.theirs)
    book.theirs.title = "theirs"
    try theirs.save()
    mine.mergePolicy = policy
    try mine.delete(author)
    guard let isDeleted else {
      let error = #expect(throws: PersistenceError.self) { try mine.save() }
      #expect(error?.conflicts.map(\.kind) == [.deleteOfUpdated])
      #expect(author.isDeleted && book.mine.isDeleted && second.isDeleted)
      try mine.rollback()
      #expect(author.books == [book.mine, second])
      return
    }
    try mine.save()
    #expect(mine.mergedConflicts.map(\.kind) == [.deleteOfUpdated])
    #expect(!mine.hasChanges)
    let fresh = library.context()
    #expect(try fresh.count(FetchRequest<Author>()) == (isDeleted ? 0 : 1))
    #expect(try fresh.count(FetchRequest<Book>()) == (isDeleted ? 0 : 2))
    guard !isDeleted else { return #expect(tag.books == []) }
    // The whole deletion was taken back, the cascade and the links.
    #expect(author.books == [book.mine, second] && book.mine.title == "theirs")
    #expect(tag.books == [second, book.mine])
    let found = try #require(try fresh.fetch(FetchRequest<Tag>()).first)
    #expect(found.books.map(\.title) == ["second", "theirs"])
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, true as Bool?), (.rollback, true),
    (.mergeByPropertyObjectTrump, false), (.overwrite, false), (.mergeByProperty, nil),
    (.error, nil),
  ])
  func `a change of what others deleted (PG-11)`(_ policy: MergePolicy, _ isGone: Bool?) throws {
    let book = try book()
    let author = try #require(book.mine.author)
    _ = author.books
    let third = library.context("third")
    let stale = try third.existingObject(with: book.mine.objectID, as: Book.self)
    try theirs.delete(book.theirs)
    try theirs.save()
    book.mine.pages = 7
    mine.mergePolicy = policy
    guard let isGone else {
      let error = #expect(throws: PersistenceError.self) { try mine.save() }
      #expect(error?.conflicts.map(\.kind) == [.updateOfDeleted])
      #expect(error?.conflicts.first?.theirs == nil)
      #expect(book.mine.pages == 7 && book.mine.isUpdated && book.mine.author === author)
      return
    }
    try mine.save()
    #expect(mine.mergedConflicts.first?.mine?["pages"] == .attribute(.integer(7)))
    if isGone {
      #expect(book.mine.context == nil && author.books == [])
      #expect(try library.titlesOnDisk() == [])
    } else {
      #expect(try stored(book.mine).pages == 7)
      #expect(try stored(book.mine).author?.name == "A")
      book.mine.pages = 8
      try mine.save()
      // Who read the row before its deletion does not take the new one for it.
      stale.title = "stale"
      #expect(throws: PersistenceError.self) { try third.save() }
      #expect(try stored(book.mine).pages == 8)
    }
  }

  @Test(arguments: [
    MergePolicy.mergeByProperty, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump,
    .overwrite, .rollback,
  ])
  func `what both deleted is deleted (PG-11)`(_ policy: MergePolicy) throws {
    let book = try book()
    try theirs.delete(book.theirs)
    try theirs.save()
    try mine.delete(book.mine)
    _ = try library.book("other", in: mine)
    mine.mergePolicy = policy
    try mine.save()
    #expect(mine.mergedConflicts.map(\.kind) == [.delete])
    #expect(try library.titlesOnDisk() == ["other"])
    #expect(book.mine.context == nil && !mine.hasChanges)
  }

  @Test func `a link to an object that others deleted goes where the store wins (PG-04, PG-11)`()
    throws
  {
    let book = try book()
    let author = try inserted("gone", in: mine)
    let tag = try mine.insert(Tag.self) { $0.name = "t" }
    try mine.save()
    try theirs.delete(try theirs.existingObject(with: author.objectID, as: Author.self))
    try theirs.delete(try theirs.existingObject(with: tag.objectID, as: Tag.self))
    try theirs.save()
    book.mine.author = author
    book.mine.tags = [tag]
    book.mine.pages = 9
    mine.mergePolicy = .mergeByPropertyObjectTrump
    #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(book.mine.author === author && book.mine.tags == [tag])
    mine.mergePolicy = .mergeByPropertyStoreTrump
    try mine.save()
    #expect(Set(mine.mergedConflicts.map(\.objectID)) == [author.objectID, tag.objectID])
    #expect(book.mine.author == nil && book.mine.tags == [])
    #expect(try stored(book.mine).pages == 9 && stored(book.mine).author == nil)
  }

  @Test func `many-to-many links of both sides are kept, in the order of both (PG-03, PG-04)`()
    throws
  {
    let book = try book()
    let tags = try ["a", "b", "c"].map { name in try mine.insert(Tag.self) { $0.name = name } }
    tags[0].books = [book.mine]
    try mine.save()
    try theirs.refresh(book.theirs)
    let second = try theirs.existingObject(with: tags[1].objectID, as: Tag.self)
    book.theirs.tags.insert(second)
    book.theirs.title = "theirs"
    try theirs.save()
    book.mine.tags = [tags[2]]
    book.mine.title = "mine"
    mine.mergePolicy = .mergeByPropertyObjectTrump
    try mine.save()
    #expect(Set(try stored(book.mine).tags.map(\.name)) == ["b", "c"])
    #expect(try stored(book.mine).title == "mine")
  }

  @Test func `a third context that is staler still merges too (PG-11)`() throws {
    let book = try book()
    let third = library.context("third")
    let stale = try third.existingObject(with: book.mine.objectID, as: Book.self)
    for pages in 2...5 {
      book.theirs.pages = Int32(pages)
      try theirs.save()
    }
    mine.mergePolicy = .mergeByPropertyObjectTrump
    third.mergePolicy = .mergeByProperty
    book.mine.title = "mine"
    try mine.save()
    stale.author = nil
    try third.save()
    #expect(stale.title == "mine" && stale.pages == 5 && stale.author == nil)
    theirs.mergePolicy = .mergeByPropertyStoreTrump
    book.theirs.title = "theirs"
    book.theirs.pages = 6
    try theirs.save()
    #expect(try stored(book.mine).title == "mine")
    #expect(try stored(book.mine).pages == 6)
    #expect(try stored(book.mine).author == nil)
  }

  @Test func `a merge that breaks a rule changes nothing (PG-05, PG-08, PG-11)`() throws {
    let garden = try Garden()
    let mine = garden.context()
    let plant = try mine.insert(Plant.self) { $0.name = "fern" }
    let bed = try mine.insert(Bed.self)
    try mine.save()
    let theirs = garden.context()
    try theirs.existingObject(with: plant.objectID, as: Plant.self).height = 500
    try theirs.save()
    plant.bed = bed
    mine.mergePolicy = .mergeByProperty
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.validationFailures.map(\.rule) == ["fits"])
    #expect(plant.height == nil && plant.bed === bed && bed.plants == [plant])
    #expect(plant.isUpdated)
    try mine.refresh(plant)
    #expect(plant.height == 500 && plant.bed == nil)
  }

  @Test func `the rows of a refused merge are merged by the next save (PG-11)`() throws {
    let book = try book()
    book.theirs.title = "theirs"
    try theirs.save()
    book.mine.pages = -1
    let nameless = try mine.insert(entityNamed: "Tag")
    mine.mergePolicy = .mergeByProperty
    #expect(throws: PersistenceError.self) { try mine.save() }
    try nameless.setValue("t", for: "name")
    try mine.save()
    #expect(try stored(book.mine).title == "theirs")
    try mine.rollback()
    #expect(book.mine.title == "theirs" && book.mine.pages == -1)
  }
}
