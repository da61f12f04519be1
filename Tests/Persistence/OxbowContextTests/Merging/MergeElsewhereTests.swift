import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct MergeElsewhereTests {
  private func existing(
    _ object: ManagedObject, in context: ManagedObjectContext
  ) throws -> ManagedObject {
    try context.existingObject(with: object.objectID, as: ManagedObject.self)
  }

  @Test func `a conflict in one of several stores is merged for all of them (PG-11)`() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Author",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("age", .integer64),
        ]),
      EntityDescription("Visit", attributes: [AttributeDescription("page", .string)]),
    ]).with(configurations: ["Library": ["Author"], "Log": ["Visit"]])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model),
      stores: (["Library", "Log"] as [String]).map {
        SQLiteStoreDescription(.file(folder.file("\($0).sqlite")), configuration: $0)
      })
    defer { coordinator.close() }
    let mine = ManagedObjectContext(coordinator: coordinator)
    let theirs = ManagedObjectContext(coordinator: coordinator)
    let author = try mine.insert(entityNamed: "Author")
    try author.setValue("Lem", for: "name")
    try author.setValue(50, for: "age")
    try mine.save()
    try existing(author, in: theirs).setValue(60, for: "age")
    try theirs.save()
    try author.setValue("Stanisław", for: "name")
    try mine.insert(entityNamed: "Visit").setValue("solaris", for: "page")
    let visits = FetchRequest<ManagedObject>(entityNamed: "Visit")
    #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(try theirs.count(visits) == 0)
    mine.mergePolicy = .mergeByProperty
    try mine.save()
    #expect(try theirs.count(visits) == 1)
    #expect(try author.value("age", as: Int.self) == 60)
    try theirs.refresh(existing(author, in: theirs))
    #expect(try existing(author, in: theirs).value("name", as: String.self) == "Stanisław")
  }

  @Test
  func `derived values follow a merge, here and in contexts that merge the save (PG-11, PG-15)`()
    throws
  {
    let shelf = try Shelf()
    let mine = shelf.context("mine")
    let theirs = shelf.context("theirs")
    theirs.automaticallyMergesChangesFromParent = true
    let author = try mine.insert(entityNamed: "Author")
    let books = try [10, 20].map { pages in
      let book = try mine.insert(entityNamed: "Book")
      try book.setValue(pages, for: "pages")
      try book.setObjects([author], for: "author")
      return book
    }
    try mine.save()
    let seen = try existing(author, in: theirs)
    let others = try books.map { try existing($0, in: theirs) }
    try others[0].setValue(11, for: "pages")
    try theirs.save()
    try books[0].setValue(Float(2), for: "weight")
    try books[1].setValue(21, for: "pages")
    mine.mergePolicy = .mergeByPropertyObjectTrump
    try mine.save()
    #expect(try author.value("pages", as: Int.self) == 32)
    #expect(try author.value("weight", as: Double.self) == 2)
    #expect(!mine.hasChanges)
    try theirs.load([])
    #expect(try seen.value("pages", as: Int.self) == 32)
    #expect(try seen.value("weight", as: Double.self) == 2)
  }

  @Test func `a rollback after a merge goes back to what was merged (PG-09, PG-11)`() throws {
    let library = try Library()
    let mine = library.context()
    let book = try library.book("a", pages: 1, in: mine)
    try mine.save()
    let theirs = library.context()
    try theirs.existingObject(with: book.objectID, as: Book.self).pages = 2
    try theirs.save()
    book.title = "mine"
    mine.mergePolicy = .mergeByProperty
    try mine.save()
    try mine.rollback()
    #expect(book.title == "mine" && book.pages == 2)
    book.title = "other"
    try mine.rollback()
    #expect(book.title == "mine" && book.pages == 2 && !mine.hasChanges)
    try mine.save()
    #expect(mine.mergedConflicts.count == 1 || mine.mergedConflicts.isEmpty)
  }

  @Test func `a merge reads for itself, whatever the fault policy is (PF-04, PG-11)`() throws {
    let library = try Library()
    let setup = library.context()
    let book = try library.book("a", in: setup)
    book.author = try setup.insert(Author.self) { $0.name = "A" }
    try setup.save()
    let mine = library.context()
    mine.faultPolicy = .refuse
    mine.mergePolicy = .mergeByPropertyStoreTrump
    let own = try #require(try mine.fetch(FetchRequest<Book>()).first)
    own.pages = 3
    book.author = try setup.insert(Author.self) { $0.name = "B" }
    try setup.save()
    try mine.save()
    #expect(own.pages == 3)
    #expect(own.author?.isFault == true)
    // A fault that is deleted unread checks no version; its row decides nothing.
    book.pages = 9
    #expect(throws: PersistenceError.self) { try setup.save() }
    try setup.rollback()
    book.pages = 9
    try setup.save()
    let third = library.context()
    let fault = try third.object(with: book.objectID)
    try setup.delete(book)
    try setup.save()
    third.mergePolicy = .overwrite
    #expect(throws: PersistenceError.self) { try third.delete(fault) }
  }

  @Test(arguments: [
    (MergePolicy.mergeByPropertyStoreTrump, 1), (.mergeByPropertyObjectTrump, 0), (.overwrite, 0),
    (.rollback, 1),
  ])
  func `both ends of a one-to-one agree after a merge (PG-01, PG-11)`(
    _ policy: MergePolicy, _ winner: Int
  ) throws {
    let graph = try Graph()
    let mine = ManagedObjectContext(coordinator: graph.coordinator)
    let theirs = ManagedObjectContext(coordinator: graph.coordinator)
    let person = try mine.insert(entityNamed: "Person")
    let passports = try (0..<2).map { _ in try mine.insert(entityNamed: "Passport") }
    try mine.save()
    try existing(person, in: theirs).setObjects(
      [existing(passports[1], in: theirs)], for: "passport")
    try theirs.save()
    try person.setObjects([passports[0]], for: "passport")
    mine.mergePolicy = policy
    try mine.save()
    let fresh = ManagedObjectContext(coordinator: graph.coordinator)
    for context in [mine, fresh] {
      let person = try existing(person, in: context)
      let both = try passports.map { try existing($0, in: context) }
      #expect(try person.objects("passport") == [both[winner]])
      #expect(try both[winner].objects("owner") == [person])
      #expect(try both[1 - winner].objects("owner") == [])
    }
  }
}
