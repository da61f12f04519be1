import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

/// Batches (PG-13): updates, deletions and inserts in the store.
@Suite struct BatchChangeTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
    for number in 0..<10 { _ = try library.book("\(number)", pages: Int32(number), in: context) }
    let novel = try context.insert(Novel.self)
    novel.title = "novel"
    novel.pages = 100
    try context.save()
  }

  private func pages() throws -> [Int32] {
    let reader = library.context("reader")
    return try reader.fetch(Book.self, sortedBy: [SortKey("title")]).map(\.pages)
  }

  // MARK: Updates

  @Test func `an update sets values and expressions, below the class as well`() throws {
    let result = try context.batchUpdate(Book.self, where: .greater("pages", 7)) {
      $0.set(\.pages, toFormat: "pages * 2 + 1")
      $0.set(\.title, to: "long")
    }
    #expect(result.count == 3)
    #expect(try pages() == [0, 1, 2, 3, 4, 5, 6, 7, 17, 19, 201])
    let novel = try #require(try library.context("other").fetch(Novel.self).first)
    #expect(result.objectIDs.contains(novel.objectID))
    #expect(try context.batchUpdate(Novel.self) { $0.set(\.genre, to: "sea") }.count == 1)
    #expect(try context.batchUpdate(Novel.self) { $0.set(\.genre, to: nil) }.count == 1)
  }

  @Test func `a condition may lead through relationships`() throws {
    let author = try context.insert(Author.self) { $0.name = "Octavia" }
    for book in try context.fetch(Book.self, where: .less("pages", 3)) { book.author = author }
    try context.save()
    let result = try context.batchUpdate(
      Book.self,
      where: try FetchPredicate(format: "author.name == %@ AND author.books.@count > 2", "Octavia")
    ) { $0.set(\.pages, to: 7) }
    #expect(result.count == 3)
  }

  @Test func `objects in memory have the new values, unless they were changed`() throws {
    let books = try context.fetch(Book.self, sortedBy: [SortKey("title")])
    books[1].title = "mine"
    try context.batchUpdate(Book.self) { $0.set(\.pages, to: 50) }
    #expect(books[0].pages == 50)
    #expect(books[1].pages == 1)
    #expect(!books[0].hasChanges)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .conflict)
    context.mergePolicy = .mergeByProperty
    try context.save()
    #expect(books[1].pages == 50)
    #expect(books[1].title == "mine")
  }

  @Test func `other contexts hear of it, and conflict`() throws {
    let other = library.context("other")
    other.automaticallyMergesChangesFromParent = true
    let stale = library.context("stale")
    let theirs = try #require(try other.fetch(Book.self, where: .equal("title", "3")).first)
    let old = try #require(try stale.fetch(Book.self, where: .equal("title", "3")).first)
    try context.batchUpdate(Book.self, where: .equal("title", "3")) { $0.set(\.pages, to: 99) }
    _ = try other.count(FetchRequest<Book>())
    #expect(theirs.pages == 99)
    old.pages = 1
    #expect(throws: PersistenceError.self) { try stale.save() }
  }

  @Test func `what breaks a rule changes nothing, and says which object`() throws {
    let error = #expect(throws: PersistenceError.self) {
      try context.batchUpdate(Book.self, where: .equal("title", "9")) {
        $0.set(\.pages, toFormat: "pages * 1000000000")
      }
    }
    #expect(error?.code == .validation)
    #expect(error?.message.contains("would be 9000000000") == true)
    #expect(error?.objectIDs.count == 1)
    #expect(try pages().last == 100)
  }

  @Test func `what a store cannot compute is refused with a reason`() throws {
    func text(
      _ assign: (inout BatchAssignments<Book>) -> Void
    ) -> String? {
      let error = #expect(throws: PersistenceError.self) {
        try context.batchUpdate(Book.self, assign)
      }
      return error?.message
    }
    #expect(text { $0.set("author", to: .value(.null)) }?.contains("is a relationship") == true)
    #expect(
      text { $0.set(\.pages, toFormat: "author.age") }?.contains("behind a relationship") == true)
    #expect(text { $0.set(\.pages, toFormat: "title") }?.contains("cannot be set to text") == true)
    #expect(text { $0.set(\.pages, toFormat: "pages * 1.5") }?.contains("a number") == true)
    #expect(text { $0.set(\.pages, toFormat: "pages *") } != nil)
    #expect(text { $0.set("pgaes", to: .value(.null)) }?.contains("pgaes") == true)
    #expect(text { $0.set("title", to: .value(.null)) }?.contains("no value") == true)
    let child = ManagedObjectContext(parent: context)
    let error = #expect(throws: PersistenceError.self) { try child.batchDelete(Book.self) }
    #expect(error?.code == .unsupported)
  }

  @Test func `derived attributes follow an update`() throws {
    let shelf = try Shelf()
    let context = shelf.context()
    let author = try context.insert(entityNamed: "Author")
    for number in 1...3 {
      let book = try context.insert(entityNamed: number == 3 ? "Novel" : "Book")
      try book.setValue(number, for: "pages")
      try book.setObjects([author], for: "author")
    }
    try context.save()
    try context.batchUpdate(
      FetchRequest<ManagedObject>(entityNamed: "Book"),
      [("pages", .value(.attribute(.integer(10))))])
    #expect(try author.value("pages", as: Int.self) == 30)
    try context.batchDelete(FetchRequest<ManagedObject>(entityNamed: "Novel"))
    #expect(try author.value("bookCount", as: Int16.self) == 2)
    #expect(try author.objects("books").count == 2)
  }

  // MARK: Deletions

  @Test func `a deletion takes the objects out of memory and of relationships`() throws {
    let author = try context.insert(Author.self) { $0.name = "Octavia" }
    let books = try context.fetch(Book.self, sortedBy: [SortKey("title")])
    author.books = Set(books)
    try context.save()
    let result = try context.batchDelete(Book.self, where: .less("pages", 5))
    #expect(result.count == 5)
    #expect(author.books.count == 6)
    #expect(books[0].context == nil)
    #expect(try pages() == [5, 6, 7, 8, 9, 100])
    #expect(try context.batchDelete(Book.self, where: .less("pages", 5)).count == 0)
  }

  @Test func `cascades go with it, and links are nullified at their other ends`() throws {
    let author = try context.insert(Author.self) { $0.name = "Octavia" }
    let tag = try context.insert(Tag.self) { $0.name = "tag" }
    let books = try context.fetch(Book.self, where: .less("pages", 3))
    author.books = Set(books)
    tag.books = books
    try context.save()
    let result = try context.batchDelete(Author.self)
    #expect(result.count == 4)
    #expect(tag.books.isEmpty)
    #expect(try pages().count == 8)
  }

  @Test(arguments: ["Folder", "Person", "Whole", "Label", "Passport"])
  func `a deletion leaves what deletions one by one leave`(entity: String) throws {
    var snapshots: [GraphSnapshot] = []
    for isBatch in [true, false] {
      let graph = try Graph()
      for entity in GraphSnapshot.entities { _ = try graph.make(entity, 3) }
      let context = graph.context()
      var changes = RandomChanges(seed: 7)
      for _ in 0..<60 { try changes.change(context) }
      try context.save()
      // Loaded before, so that what is in memory has to follow.
      _ = try GraphSnapshot(of: context)
      let predicate = FetchPredicate.notEqual("name", "1")
      if isBatch {
        try context.batchDelete(
          FetchRequest<ManagedObject>(entityNamed: entity, where: predicate))
        let reader = graph.context("reader")
        let problem = try GraphSnapshot(of: context).difference(from: GraphSnapshot(of: reader))
        #expect(problem == nil)
      } else {
        for object in try context.all(entity, where: predicate) { try context.delete(object) }
        try context.save()
      }
      let reader = graph.context("reader")
      snapshots.append(try GraphSnapshot(of: reader))
    }
    #expect(snapshots[0].difference(from: snapshots[1]) == nil)
  }

  @Test func `a deletion that is denied changes nothing, unless the blockers go as well`() throws {
    let graph = try Graph()
    let context = graph.context()
    let room = try context.insert(entityNamed: "Room")
    let guest = try context.insert(entityNamed: "Guest")
    try guest.set("room", room)
    try context.save()
    let rooms = FetchRequest<ManagedObject>(entityNamed: "Room")
    let error = #expect(throws: PersistenceError.self) { try context.batchDelete(rooms) }
    #expect(error?.code == .validation)
    #expect(error?.validationFailures.map(\.rule) == [.deny])
    #expect(error?.message.contains("the rule of 'guests' is deny") == true)
    #expect(try context.all("Room").count == 1)
    try context.batchDelete(FetchRequest<ManagedObject>(entityNamed: "Guest"))
    #expect(try context.batchDelete(rooms).count == 1)
  }

  @Test func `what would take a required object away is refused`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Nest",
        relationships: [
          RelationshipDescription("eggs", to: "Egg", inverse: "nest", isToMany: true)
        ]),
      EntityDescription(
        "Egg",
        relationships: [
          RelationshipDescription("nest", to: "Nest", inverse: "eggs", isOptional: false)
        ]),
    ])
    let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let nest = try context.insert(entityNamed: "Nest")
    let egg = try context.insert(entityNamed: "Egg")
    try egg.setObjects([nest], for: "nest")
    try context.save()
    let error = #expect(throws: PersistenceError.self) {
      try context.batchDelete(FetchRequest<ManagedObject>(entityNamed: "Nest"))
    }
    #expect(error?.message.contains("would lead to no object of 'Nest', but has to") == true)
  }

  // MARK: Inserts

  @Test func `inserts are found, with defaults, in the order of the elements`() throws {
    let result = try context.batchInsert(Novel.self, ["x", "y", "z"]) { title, novel in
      novel.set(\.title, to: title)
      if title == "y" { novel.set(\.genre, to: "sea") }
    }
    #expect(result.count == 3)
    let novels = try result.objectIDs.map {
      try context.existingObject(with: $0, as: Novel.self)
    }
    #expect(novels.map(\.title) == ["x", "y", "z"])
    #expect(novels.map(\.genre) == [nil, "sea", nil])
    #expect(novels[0].pages == 0)
    novels[0].pages = 4
    try context.save()
  }

  @Test func `an insert that breaks a rule inserts nothing`() throws {
    let error = #expect(throws: PersistenceError.self) {
      try context.batchInsert(Book.self, [1, 2]) { number, book in
        if number == 1 { book.set(\.title, to: "one") }
      }
    }
    #expect(error?.code == .validation)
    #expect(error?.validationFailures.map(\.property) == ["title"])
    #expect(try context.count(FetchRequest<Book>()) == 11)
  }

  @Test func `minimum counts hold for what a cascade deletes, but not along it (PG-13)`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Box",
        relationships: [
          RelationshipDescription(
            "parts", to: "Part", inverse: "box", isToMany: true, deleteRule: .cascade)
        ]),
      EntityDescription(
        "Thing",
        relationships: [
          RelationshipDescription(
            "parts", to: "Part", inverse: "thing", isToMany: true, deleteRule: .cascade,
            minimumCount: 1)
        ]),
      EntityDescription(
        "Part",
        relationships: [
          RelationshipDescription("box", to: "Box", inverse: "parts"),
          RelationshipDescription("thing", to: "Thing", inverse: "parts"),
        ]),
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    let part = try context.insert(entityNamed: "Part")
    try part.setObjects([context.insert(entityNamed: "Box")], for: "box")
    try part.setObjects([context.insert(entityNamed: "Thing")], for: "thing")
    try context.save()
    let boxes = FetchRequest<ManagedObject>(entityNamed: "Box")
    let error = #expect(throws: PersistenceError.self) { try context.batchDelete(boxes) }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("cannot delete objects of 'Part': 'parts' of 'Thing'") == true)
    #expect(try context.count(boxes) == 1)
    let things = FetchRequest<ManagedObject>(entityNamed: "Thing")
    _ = try context.batchDelete(things)
    #expect(try context.count(FetchRequest<ManagedObject>(entityNamed: "Part")) == 0)
  }

  // MARK: With others

  @Test func `a deletion that was planned for older rows is planned again (PG-13)`() throws {
    let other = Lock<Unchecked?>(nil)
    let recorder = LogRecorder { entry in
      guard entry.message.contains("SELECT") else { return }
      let save = other.withLock { other in
        defer { other = nil }
        return other
      }
      try? save?.body()
    }
    let library = try Library(recorder: recorder, at: .temporary)
    let first = library.context()
    let author = try first.insert(Author.self) { $0.name = "A" }
    let books = try ["a", "b", "c"].map { try library.book($0, in: first) }
    for book in books { book.author = author }
    try first.save()
    let theirs = library.context("theirs")
    let book = try theirs.existingObject(with: books[1].objectID, as: Book.self)
    book.pages = 7
    let saving = Unchecked { try theirs.save() }
    other.withLock { $0 = saving }
    // Deleted as it is read, the second book would be gone although it meets no condition now.
    let result = try library.context("mine").batchDelete(Book.self, where: .equal("pages", 0))
    #expect(result.count == 2)
    #expect(try library.titlesOnDisk() == ["b"])
  }

  @Test(arguments: 1...5)
  func `a deletion takes no link that another context makes meanwhile (PG-13)`(
    statement: Int
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Writer",
        attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: ["author", "editor"].map { (name: String) in
          RelationshipDescription("\(name)Of", to: "Text", inverse: name, isToMany: true)
        }),
      EntityDescription(
        "Text",
        relationships: ["author", "editor"].map { (name: String) in
          RelationshipDescription(name, to: "Writer", inverse: "\(name)Of")
        }),
    ])
    let count = Lock(0)
    let other = Lock<Unchecked?>(nil)
    let recorder = LogRecorder { entry in
      guard entry.message.contains("SELECT"), let save = other.withLock({ $0 }) else { return }
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == statement { try? save.body() }
    }
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model), at: .temporary,
      options: SQLiteStoreOptions(logger: recorder.statementLogger))
    let first = ManagedObjectContext(coordinator: coordinator)
    let writers = try ["a", "b", "c"].map { name in
      let writer = try first.insert(entityNamed: "Writer")
      try writer.setValue(name, for: "name")
      return writer
    }
    let text = try first.insert(entityNamed: "Text")
    try text.setObjects([writers[0]], for: "author")
    try text.setObjects([writers[1]], for: "editor")
    try first.save()
    let theirs = ManagedObjectContext(coordinator: coordinator, name: "theirs")
    let book = try theirs.existingObject(with: text.objectID)
    try book.setObjects([theirs.existingObject(with: writers[2].objectID)], for: "author")
    let isSaved = Lock(false)
    let saving = Unchecked {
      other.withLock { $0 = nil }
      try theirs.save()
      isSaved.withLock { $0 = true }
    }
    other.withLock { $0 = saving }
    let mine = ManagedObjectContext(coordinator: coordinator, name: "mine")
    _ = try mine.batchDelete(
      FetchRequest<ManagedObject>(entityNamed: "Writer", where: .notEqual("name", "c")))
    let reader = ManagedObjectContext(coordinator: coordinator, name: "reader")
    let left = try reader.existingObject(with: text.objectID)
    let names = try left.objects("author").map { try $0.value("name", as: String.self) }
    #expect(names == (isSaved.withLock { $0 } ? ["c"] : []))
    #expect(try left.objects("editor").isEmpty)
  }

  private struct Unchecked: @unchecked Sendable {
    // Runs on the thread of the test alone, below its call.
    let body: () throws -> Void
  }

  @Test func `a batch that has changed something counts as a save (PG-13)`() throws {
    #expect(context.statistics.saves == 1)
    try context.batchUpdate(Book.self, where: .equal("pages", 3)) { $0.set(\.pages, to: 30) }
    try context.batchUpdate(Book.self, where: .equal("pages", -1)) { $0.set(\.pages, to: 30) }
    #expect(context.statistics.saves == 2)
  }
}
