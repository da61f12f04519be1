import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct DerivedAttributeTests {
  let shelf: Shelf
  let context: ManagedObjectContext

  init() throws {
    shelf = try Shelf()
    context = shelf.context()
  }

  private func author(_ name: String) throws -> ManagedObject {
    let author = try context.insert(entityNamed: "Author")
    try author.setValue(name, for: "name")
    return author
  }

  private func book(_ author: ManagedObject?, pages: Int32? = nil) throws -> ManagedObject {
    let book = try context.insert(entityNamed: "Book")
    try book.setValue(pages, for: "pages")
    try book.setObjects(author.map { [$0] } ?? [], for: "author")
    return book
  }

  @Test func `forms of a text are kept by the store (PM-01, PG-15)`() throws {
    let author = try author("Élan ÄRGER")
    #expect(try author.value("canonical", as: String.self) == nil)
    try context.save()
    #expect(try author.value("canonical") == "elan arger")
    #expect(try author.value("upper") == "ÉLAN ÄRGER")
    #expect(try author.value("lower") == "élan ärger")
    try author.setValue(String?.none, for: "name")
    try context.save()
    #expect(try author.value("canonical", as: String.self) == nil)
  }

  @Test(arguments: [10, 5_000, 100_000])
  func `D1 values stay what they are where two levels of a hierarchy derive attributes`(
    size: Int
  ) throws {
    let other = shelf.context("other")
    other.automaticallyMergesChangesFromParent = true
    let tag = try context.insert(entityNamed: "Tag")
    let texts = (0..<60).map { index in
      String(repeating: Character(UnicodeScalar(UInt8(65 + index % 26))), count: size + index)
    }
    let novels = try texts.map { text in
      let novel = try context.insert(entityNamed: "Novel")
      try novel.setValue(text, for: "genre")
      try novel.setObjects([tag], for: "tags")
      return novel
    }
    try context.save()
    for (novel, text) in zip(novels, texts) {
      #expect(try novel.value("genre") == text)
      #expect(try novel.value("kind") == text.lowercased())
      #expect(try novel.value("tagCount") == 1)
    }
    let theirs = try other.all("Novel")
    let events = Lock<[SaveEvent]>([])
    let subscription = shelf.coordinator.onDidSave { event in events.withLock { $0.append(event) } }
    defer { subscription.cancel() }
    for novel in novels { try novel.setObjects([], for: "tags") }
    for (novel, text) in zip(novels, texts) { try novel.setValue(text + "!", for: "genre") }
    try context.save()
    try other.load([])
    for (novel, text) in zip(theirs, texts) {
      #expect(try novel.value("genre") == text + "!")
      #expect(try novel.value("kind") == text.lowercased() + "!")
      #expect(try novel.value("tagCount") == 0)
    }
    // What is announced names objects by their own entity.
    let entities = Set(events.withLock(\.self)[0].derived.map(\.entity))
    #expect(
      entities.map { shelf.coordinator.model.entities[$0].name }.sorted() == ["Novel"])
  }

  @Test func `a count and a sum follow the objects at the other end (PG-15)`() throws {
    let author = try author("Lem")
    let other = try self.author("Dick")
    let first = try book(author, pages: 100)
    let second = try book(author, pages: 20)
    try first.setValue(Decimal(string: "0.1"), for: "price")
    try second.setValue(Decimal(string: "0.2"), for: "price")
    try second.setValue(Float(1.5), for: "weight")
    try context.save()
    #expect(try author.value("bookCount") == Int16(2))
    #expect(try author.value("pages") == 120)
    #expect(try author.value("price") == Decimal(string: "0.3"))
    #expect(try author.value("weight") == 1.5)
    #expect(try other.value("bookCount") == Int16(0))
    #expect(try other.value("price") == Decimal(0))

    // Only the other ends change from here on: a value, a link that moves, a deletion.
    try first.setValue(Int32(7), for: "pages")
    try context.save()
    #expect(try author.value("pages") == 27)
    try first.setObjects([other], for: "author")
    try context.save()
    #expect(try author.value("pages") == 20)
    #expect(try other.value("pages") == 7)
    try context.delete(first)
    try context.save()
    #expect(try other.value("bookCount") == Int16(0))
    #expect(try other.value("pages") == 0)
    #expect(!context.hasChanges)
  }

  @Test func `a value behind to-one relationships follows their objects (PG-15)`() throws {
    let country = try context.insert(entityNamed: "Country")
    try country.setValue("Poland", for: "name")
    let author = try author("Lem")
    try author.setObjects([country], for: "country")
    let book = try book(author)
    try context.save()
    #expect(try book.value("writer") == "Lem")
    #expect(try book.value("origin") == "POLAND")
    try country.setValue("Polska", for: "name")
    try author.setValue("S. Lem", for: "name")
    try context.save()
    #expect(try book.value("writer") == "S. Lem")
    #expect(try book.value("origin") == "POLSKA")
    try author.setObjects([], for: "country")
    try context.save()
    #expect(try book.value("origin", as: String.self) == nil)
    try context.delete(author)
    try context.save()
    #expect(try book.value("writer", as: String.self) == nil)
  }

  @Test func `links of many to many are counted at both ends (PG-15)`() throws {
    let book = try book(nil, pages: 5)
    let tags = try (0..<3).map { _ in try context.insert(entityNamed: "Tag") }
    try book.setObjects(tags, for: "tags")
    try context.save()
    #expect(try book.value("tagCount") == 3)
    #expect(try tags[0].value("pages") == 5)
    try context.delete(tags[1])
    try tags[0].setObjects([], for: "books")
    try context.save()
    #expect(try book.value("tagCount") == 1)
    #expect(try tags[0].value("pages") == 0)
    #expect(try tags[2].value("pages") == 5)
  }

  @Test func `the moment of the save is that of the object's own changes (PG-15)`() throws {
    let author = try author("Lem")
    let before = Date()
    try context.save()
    let first: Date = try #require(try author.value("saved"))
    #expect(first >= before)
    _ = try book(nil)
    try context.save()
    #expect(try author.value("saved") == first)
    try author.setValue("Stanisław", for: "name")
    try context.save()
    #expect(try #require(try author.value("saved", as: Date.self)) > first)
  }

  @Test func `entities below have the derived attributes of those above (PG-15)`() throws {
    let author = try author("Lem")
    let novel = try context.insert(entityNamed: "Novel")
    try novel.setValue("SciFi", for: "genre")
    try novel.setObjects([author], for: "author")
    try context.save()
    #expect(try novel.value("kind") == "scifi")
    #expect(try novel.value("writer") == "Lem")
    #expect(try author.value("bookCount") == Int16(1))
  }

  @Test func `derived attributes are conditions and orders as any other (PG-15)`() throws {
    for (name, count) in [("a", 2), ("b", 0), ("c", 1)] {
      let author = try author(name)
      for _ in 0..<count { _ = try book(author) }
    }
    try context.save()
    let reader = shelf.context()
    let names = try reader.all("Author", sortedBy: [SortKey("bookCount", ascending: false)])
      .map { try $0.value("name", as: String.self) }
    #expect(names == ["a", "c", "b"])
    let found = try reader.all("Author", where: FetchPredicate(format: "bookCount > 0"))
    #expect(found.count == 2)
    #expect(try reader.all("Book", where: FetchPredicate(format: "writer == 'a'")).count == 2)
  }

  @Test func `another context sees derived values with its next fetch, and saves (PG-15)`()
    throws
  {
    let author = try author("Lem")
    try context.save()
    let other = shelf.context("other")
    let same = try #require(try other.all("Author").first)
    #expect(try same.value("bookCount") == Int16(0))
    _ = try book(author)
    try context.save()
    _ = try other.all("Author")
    #expect(try same.value("bookCount") == Int16(1))
    // A derived value is not a change of the author, so there is no conflict.
    _ = try book(author)
    try context.save()
    try same.setValue("Stanisław Lem", for: "name")
    try other.save()
    _ = try context.all("Author")
    #expect(try author.value("name") == "Stanisław Lem")
    #expect(try author.value("bookCount") == Int16(2))
  }

  @Test func `a derived attribute cannot be set (PM-01)`() throws {
    let author = try author("Lem")
    let error = #expect(throws: PersistenceError.self) {
      try author.setValue(Int16(4), for: "bookCount")
    }
    #expect(error?.code == .validation)
    #expect(
      error?.message
        == "'bookCount' of '\(author)' cannot be set: it is derived from 'books.@count', and the "
        + "store computes it when the context saves; change what it is made of")
    try context.save()
    #expect(try author.value("bookCount") == Int16(0))
  }

  @Test func `a derived value that its attribute cannot have refuses the save (PM-01)`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A",
        attributes: [
          AttributeDescription("size", .integer16),
          AttributeDescription("total", .integer16, derivation: "members.size.@sum"),
          AttributeDescription("first", .integer16, derivation: "leader.size"),
        ],
        relationships: [
          RelationshipDescription("members", to: "A", inverse: "owner", isToMany: true),
          RelationshipDescription("owner", to: "A", inverse: "members"),
          RelationshipDescription("leader", to: "A"),
        ])
    ])
    let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator, owner: .holder)
    let owner = try context.insert(entityNamed: "A")
    try owner.setValue(Int16(1), for: "size")
    let missing = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(
      missing?.message
        == "'first' of '\(owner.objectID)', which is derived from 'leader.size', has no value, but "
        + "needs one; nothing was saved")
    try owner.setObjects([owner], for: "leader")
    for _ in 0..<2 {
      let member = try context.insert(entityNamed: "A")
      try member.setValue(Int16(20_000), for: "size")
      try member.setObjects([owner], for: "owner")
      try member.setObjects([owner], for: "leader")
    }
    let large = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(
      large?.message
        == "'total' of '\(owner.objectID)', which is derived from 'members.size.@sum', would be "
        + "40000, and the column needs an INTEGER from -32768 to 32767; nothing was saved")
    #expect(try ManagedObjectContext(coordinator: coordinator, owner: .holder).all("A").isEmpty)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4])
  func `any changes leave what would be computed anew (PG-15)`(
    seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var authors = try (0..<3).map { try author("Author \($0)") }
    var books: [ManagedObject] = []
    let tags = try (0..<3).map { _ in try context.insert(entityNamed: "Tag") }
    for _ in 0..<60 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: books.append(try book(authors.randomElement(using: &random), pages: 3))
        case 1: authors.append(try author("New"))
        case 2:
          guard let index = books.indices.randomElement(using: &random) else { continue }
          try context.delete(books.remove(at: index))
        case 3 where authors.count > 1:
          try context.delete(authors.remove(at: authors.indices.randomElement(using: &random) ?? 0))
        case 4:
          try books.randomElement(using: &random)?.setValue(
            Int32.random(in: 0..<9, using: &random), for: "pages")
        case 5:
          try books.randomElement(using: &random)?.setObjects(
            authors.randomElement(using: &random).map { [$0] } ?? [], for: "author")
        case 6:
          try books.randomElement(using: &random)?.setObjects(
            tags.filter { _ in Bool.random(using: &random) }, for: "tags")
        default:
          try authors.randomElement(using: &random)?.setObjects(
            books.filter { _ in Bool.random(using: &random) }, for: "books")
        }
      }
      try context.save()
      try compare(in: context, seed)
      try compare(in: shelf.context(), seed)
    }
  }

  /// Compares the derived values of all objects with what they are derived from.
  private func compare(in context: ManagedObjectContext, _ seed: UInt64) throws {
    func pages(_ books: [ManagedObject]) throws -> Int64 {
      try books.reduce(0) { try $0 + Int64($1.value("pages", as: Int32.self) ?? 0) }
    }
    for author in try context.all("Author") {
      let books = try author.objects("books")
      #expect(try author.value("bookCount") == Int16(books.count), "seed \(seed)")
      #expect(try author.value("pages") == pages(books), "seed \(seed)")
    }
    for tag in try context.all("Tag") {
      #expect(try tag.value("pages") == pages(tag.objects("books")), "seed \(seed)")
    }
    for book in try context.all("Book") {
      let writer = try book.objects("author").first?.value("name", as: String.self)
      #expect(try book.value("writer", as: String.self) == writer, "seed \(seed)")
      #expect(try book.value("tagCount") == Int64(book.objects("tags").count), "seed \(seed)")
    }
  }
}
