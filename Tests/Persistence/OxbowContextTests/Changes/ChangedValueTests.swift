import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

@Suite struct ChangedValueTests {
  let library: Library

  init() throws { library = try Library() }

  /// A value and another one of each attribute type.
  static let values: [(AttributeType, AttributeValue, AttributeValue)] = [
    (.integer16, .integer(1), .integer(-2)), (.integer32, .integer(1), .integer(70_000)),
    (.integer64, .integer(.max), .integer(.min)), (.double, .double(0), .double(-0.0)),
    (.float, .double(0.5), .double(2)), (.boolean, .boolean(true), .boolean(false)),
    (.string, .string("é"), .string("e\u{301}")),
    (.date, .date(Date(timeIntervalSinceReferenceDate: 0.1)), .date(.distantPast)),
    (.binaryData, .data(Data([0])), .data(Data())),
    (.uuid, .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7))), .uuid(UUID())),
    (.uri, .url(URL(filePath: "/a")), .url(URL(filePath: "/b"))),
    (.decimal, .decimal(Decimal(1) / 10), .decimal(3)),
    (.transformable, .data(Data([1])), .data(Data([2]))),
  ]

  @Test(arguments: values.indices)
  func `an equal value, and the old one again, are no change (PG-07)`(index: Int) throws {
    let (type, value, other) = Self.values[index]
    let context = try context(of: type)
    let object = try context.insert(entityNamed: "Thing")
    try set(value, of: object)
    #expect(try object.changedValues() == ["value": .attribute(value)])
    #expect(try object.committedValues().isEmpty)
    try context.save()
    try set(value, of: object)
    #expect(!object.hasChanges)
    try set(other, of: object)
    #expect(object.hasChanges && object.hasPersistentChangedValues)
    #expect(try object.changedValues() == ["value": .attribute(other)])
    #expect(try object.committedValues() == ["value": .attribute(value)])
    try set(nil, of: object)
    #expect(try object.changedValues() == ["value": .null])
    try set(value, of: object)
    #expect(!object.hasChanges && !context.hasChanges)
    #expect(try object.changedValues().isEmpty)
    try context.save()
    #expect(context.statistics.saves == 1)
    // The same for a value that was fetched, and for none.
    let second = ManagedObjectContext(coordinator: context.coordinator)
    let found = try second.existingObject(with: object.objectID, as: ManagedObject.self)
    try set(value, of: found)
    #expect(!second.hasChanges)
    try set(nil, of: found)
    try second.save()
    try set(other, of: found)
    try set(nil, of: found)
    #expect(!second.hasChanges)
    #expect(second.statistics.saves == 1)
  }

  private func context(of type: AttributeType) throws -> ManagedObjectContext {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Thing", attributes: [AttributeDescription("value", type, isOptional: true)])
    ])
    return ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model, classes: []), at: .inMemory))
  }

  private func set(_ value: AttributeValue?, of object: ManagedObject) throws {
    switch value {
    case .integer(let value)?: try object.setValue(value, for: "value")
    case .double(let value)?: try object.setValue(value, for: "value")
    case .boolean(let value)?: try object.setValue(value, for: "value")
    case .string(let value)?: try object.setValue(value, for: "value")
    case .date(let value)?: try object.setValue(value, for: "value")
    case .data(let value)?: try object.setValue(value, for: "value")
    case .uuid(let value)?: try object.setValue(value, for: "value")
    case .url(let value)?: try object.setValue(value, for: "value")
    case .decimal(let value)?: try object.setValue(value, for: "value")
    case nil: try object.setValue(String?.none, for: "value")
    }
  }

  @Test func `values are read by key path as well: committed, changed and current (PG-07)`() throws
  {
    let context = library.context()
    let novel = try context.insert(Novel.self) {
      $0.title = "Kindred"
      $0.pages = 264
    }
    let old = try context.insert(Author.self) { $0.name = "?" }
    let octavia = try context.insert(Author.self) { $0.name = "Octavia" }
    let tags = try ["a", "b", "c"].map { name in try context.insert(Tag.self) { $0.name = name } }
    novel.author = old
    novel.tags = [tags[0], tags[1]]
    #expect(try novel.committedValue(of: \.title) == nil)
    try context.save()
    novel.title = "Fledgling"
    novel.genre = "vampires"
    novel.author = octavia
    novel.tags = [tags[1], tags[2]]
    #expect(novel.hasChange(of: \.title) && !novel.hasChange(of: \.pages))
    #expect((novel as Book).hasChange(of: \.author))
    #expect(try novel.committedValue(of: \.title) == "Kindred")
    #expect(try (novel as Book).committedValue(of: \.title) == "Kindred")
    #expect(try novel.committedValue(of: \.genre) == nil)
    #expect(try novel.committedValue(of: \.author) === old)
    #expect(try novel.committedValue(of: \.tags) == [tags[0], tags[1]])
    #expect(try old.committedValue(of: \.books) == [novel])
    #expect(try octavia.committedValue(of: \.books) == [])
    #expect(
      try novel.changedValues() == [
        "title": .attribute(.string("Fledgling")), "genre": .attribute(.string("vampires")),
        "author": .object(octavia.objectID), "tags": .objects(tags[1...].map(\.objectID)),
      ])
    #expect(
      try novel.committedValues() == [
        "title": .attribute(.string("Kindred")), "genre": .null,
        "author": .object(old.objectID), "pages": .attribute(.integer(264)),
      ])
    #expect(
      try novel.committedValues(forKeys: ["tags"]) == ["tags": .objects(tags[..<2].map(\.objectID))]
    )
    #expect(throws: PersistenceError.self) { try novel.committedValues(forKeys: ["tittle"]) }
    try context.save()
    #expect(try novel.changedValues().isEmpty)
    #expect(try novel.committedValue(of: \.title) == "Fledgling")
  }

  @Test func `links set back are no change, from either end (PG-01, PG-07)`() throws {
    let context = library.context()
    let book = try library.book("a", in: context)
    let first = try context.insert(Author.self)
    let second = try context.insert(Author.self)
    book.author = first
    let tag = try context.insert(Tag.self) { $0.name = "t" }
    book.tags = [tag]
    try context.save()
    book.author = second
    first.books = [book]
    #expect(!context.hasChanges)
    book.author = nil
    book.author = first
    #expect(!context.hasChanges)
    first.books = []
    second.books = [book]
    book.author = first
    #expect(!context.hasChanges)
    tag.books = []
    tag.books = [book]
    #expect(!context.hasChanges)
    // From the end without an order, a link that comes back is the last in the order of the other.
    book.tags = []
    book.tags = [tag]
    #expect(!book.hasChanges && tag.hasChanges)
    try context.rollback()
    try context.save()
    #expect(context.statistics.saves == 1)
  }

  @Test func `an order set back is not a change (PG-03, PG-07)`() throws {
    let context = library.context()
    let books = try ["a", "b", "c"].map { try library.book($0, in: context) }
    let tag = try context.insert(Tag.self) { $0.name = "t" }
    tag.books = books
    try context.save()
    tag.books = books.reversed()
    #expect(tag.isUpdated)
    #expect(try tag.committedValue(of: \.books) == books)
    #expect(tag.books == books.reversed())
    tag.books = books
    #expect(!context.hasChanges)
    tag.books = [books[1]]
    #expect(try tag.committedValue(of: \.books) == books)
    tag.books = []
    tag.books = [books[2], books[0], books[1]]
    #expect(context.hasChanges)
    tag.books = books
    #expect(!context.hasChanges)
    try context.save()
    #expect(context.statistics.saves == 1)
    let other = library.context()
    let found = try #require(try other.fetch(FetchRequest<Tag>()).first)
    #expect(found.books.map(\.title) == ["a", "b", "c"])
    tag.books = [books[2], books[1], books[0]]
    try context.save()
    try other.refresh(found)
    #expect(found.books.map(\.title) == ["c", "b", "a"])
  }
}
