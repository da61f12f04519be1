import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Documents of what paths name, as a whole and in units of work (review 2, D2).
@Suite struct JSONPathTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
  }

  /// An author with so many books, each with a tag of its own.
  private func shelf(_ count: Int) throws {
    let writer = library.context("writer")
    let author = try writer.insert(Author.self) { $0.name = "Lem" }
    for number in 0..<count {
      let book = try library.book("b\(number)", pages: Int32(number), in: writer)
      book.author = author
      book.tags = [try writer.insert(Tag.self) { $0.name = "t\(number)" }]
    }
    try writer.save()
  }

  private func text(_ data: Data) -> String {
    String(decoding: data, as: UTF8.self)
      .replacing("x-oxbow://\(library.coordinator.storeIdentifier.uuidString)/", with: "")
  }

  private func books(_ limit: Int) throws -> [Book] {
    try context.fetch(Book.self, sortedBy: [.ascending(\.pages)], limit: limit)
  }

  @Test(arguments: [GraphCycles.omit, .refuse, .reference])
  func `D2 what is not written is not read`(cycles: GraphCycles) throws {
    try shelf(500)
    let some = try books(10)
    let before = context.statistics
    let json = try context.json(of: some, including: [\.author], cycles: cycles)
    // The author; no book of the author and no tag.
    #expect(context.statistics.rowsRead - before.rowsRead == 1)
    #expect(context.statistics.faultsFired == before.faultsFired)
    #expect(!text(json).contains("tags") && !text(json).contains("books"))
  }

  @Test(arguments: [GraphCycles.omit, .refuse])
  func `D2 an object at the depth is not asked where it leads`(cycles: GraphCycles) throws {
    try shelf(500)
    let tag = try #require(try books(1).first?.tags.first)
    let fresh = library.context("reader")
    let own = try fresh.existingObject(with: tag.objectID, as: Tag.self)
    let before = fresh.statistics.rowsRead
    _ = try fresh.json(of: [own], depth: 1, cycles: cycles)
    // The book of the tag.
    #expect(fresh.statistics.rowsRead - before == 1)
  }

  @Test func `D2 references at the depth do not read the rows that they name`() throws {
    try shelf(20)
    let book = try #require(try books(1).first)
    let fresh = library.context("reader")
    let own = try fresh.existingObject(with: book.objectID, as: Book.self)
    let before = fresh.statistics.rowsRead
    let json = try fresh.json(of: [own], depth: 0)
    #expect(text(json).contains(#""author":{"$ref":"Author/p1"}"#))
    // The tag of the book is read with the link.
    #expect(fresh.statistics.rowsRead - before == 1)
  }

  @Test func `D2 a document has what paths name, and references to the rest`() throws {
    try shelf(2)
    let json = text(try context.json(of: try books(1), including: [\.author?.books]))
    #expect(
      json
        == #"[{"$entity":"Book","$id":"Book/p1","pages":0,"title":"b0","#
        + #""author":{"$entity":"Author","$id":"Author/p1","age":null,"name":"Lem","books":["#
        + #"{"$ref":"Book/p1"},{"$entity":"Book","$id":"Book/p2","pages":1,"title":"b1","#
        + #""author":{"$ref":"Author/p1"}}]}}]"#)
  }

  @Test func `D2 what is excluded is not written`() throws {
    try shelf(1)
    let json = text(
      try context.json(
        of: try books(1), including: [\.author, \.tags], excluding: .named("pages", "author.age")))
    #expect(
      json.hasPrefix(
        #"[{"$entity":"Book","$id":"Book/p1","title":"b0","author":{"$entity":"Author","#
          + #""$id":"Author/p1","name":"Lem"},"tags":[{"$entity":"Tag""#))
    let bare = text(try context.json(of: try books(1), including: [], excluding: [\.author]))
    #expect(bare == #"[{"$entity":"Book","$id":"Book/p1","pages":0,"title":"b0"}]"#)
  }

  @Test func `D2 names that the model does not have are errors`() throws {
    try shelf(1)
    let some = try books(1)
    let including = #expect(throws: PersistenceError.self) {
      try context.json(of: some, including: .named("auther"))
    }
    #expect(including?.code == .unknownProperty)
    let excluding = #expect(throws: PersistenceError.self) {
      try context.json(of: some, including: [], excluding: .named("author.nam"))
    }
    #expect(excluding?.code == .unknownProperty)
  }

  @Test func `D2 an object that is met where more is named is written again`() throws {
    try shelf(2)
    let all = try books(2)
    let json = try context.json(of: all, including: .named("author.books", "tags"))
    // The second book: inside of the first one's author, and then with its tags.
    #expect(text(json).components(separatedBy: #""title":"b1""#).count == 3)
    let other = try Library().context()
    let copies = try other.importJSON(json).compactMap { $0 as? Book }
    #expect(copies.map(\.title) == ["b0", "b1"])
    #expect(copies[0].author === copies[1].author && copies[0].author?.books.count == 2)
    #expect(copies.map(\.tags.count) == [1, 1])
    try other.save()
  }

  // MARK: In units of work

  @Test(arguments: [1, 7, 1_000])
  func `D2 a file is written and read in units of work`(unit: Int) throws {
    try shelf(23)
    let folder = try TemporaryFolder()
    let file = folder.file("books.json")
    let written = try context.writeJSON(
      of: FetchRequest<Book>(sortedBy: [.ascending(\.pages)]), to: file,
      including: [\.author, \.tags], unitOfWork: unit)
    #expect(written == 23)
    let other = try Library()
    let target = other.context()
    #expect(try target.importJSON(contentsOf: file, unitOfWork: unit) == 23)
    #expect(!target.hasChanges)
    #expect(try other.titlesOnDisk().count == 23)
    let authors = try target.fetch(Author.self)
    #expect(authors.map(\.books.count) == [23])
    #expect(try target.fetch(Book.self).allSatisfy { $0.tags.count == 1 })
    #expect(try target.count(Tag.self) == 23)
  }

  @Test func `D2 the parts of a text make the document of one call`() throws {
    try shelf(5)
    var parts: [Data] = []
    try context.writeJSON(
      of: FetchRequest<Book>(sortedBy: [.ascending(\.pages)]), including: [\.author], unitOfWork: 2
    ) { parts.append($0) }
    let whole = try context.json(of: try books(5), including: [\.author])
    #expect(parts.count == 4 && parts.reduce(Data(), +) == whole)
    struct Full: Error {}
    #expect(throws: Full.self) {
      try context.writeJSON(of: FetchRequest<Book>()) { _ in throw Full() }
    }
    let other = try Library()
    let bytes = whole.map { Data([$0]) }
    #expect(try other.context().importJSON(parts: bytes, unitOfWork: 2) == 5)
    #expect(try other.titlesOnDisk().count == 5)
  }

  @Test func `D2 a reference to what comes later is set at the end`() throws {
    let json = """
      [{"$entity": "Book", "$id": "1", "title": "a", "author": {"$ref": "lem"},
        "tags": [{"$ref": "t"}, {"$id": "s", "$entity": "Tag", "name": "s"}]},
       {"$entity": "Book", "$id": "2", "title": "b", "author": {"$ref": "lem"}},
       {"$entity": "Author", "$id": "lem", "name": "Lem"},
       {"$entity": "Tag", "$id": "t", "name": "t"}]
      """
    try context.importJSON(parts: [Data(json.utf8)], unitOfWork: 1)
    #expect(!context.hasChanges)
    let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
    #expect(books.map { $0.author?.name } == ["Lem", "Lem"])
    #expect(books.map(\.tags.count) == [2, 0])
  }

  @Test(arguments: [JSONMatching.uniqueValues, []])
  func `D2 later units refer to what an earlier one has found, or was merged into`(
    _ matching: JSONMatching
  ) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Owner", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("items", to: "Item", inverse: "owner", isToMany: true)
        ], uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Item",
        relationships: [
          RelationshipDescription("owner", to: "Owner", inverse: "items", isOptional: false)
        ]),
    ])
    let coordinator = try PersistentStoreCoordinator(
      CompiledModel(model, classes: []), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let owner = try context.insert(entityNamed: "Owner")
    try owner.setValue("a", for: "name")
    try context.save()
    let importer = ManagedObjectContext(coordinator: coordinator)
    importer.mergePolicy = .mergeByPropertyObjectTrump
    let json = """
      [{"$entity": "Owner", "$id": "\(owner.objectID)", "name": "a"},
       {"$entity": "Item", "owner": {"$ref": "\(owner.objectID)"}}]
      """
    try importer.importJSON(parts: [Data(json.utf8)], matching: matching, unitOfWork: 1)
    let items = try importer.all("Item")
    #expect(try items.map { try $0.one("owner")?.objectID } == [owner.objectID])
  }

  @Test func `D2 an error leaves the units before saved, and nothing of its own`() throws {
    let json = """
      [{"title": "a"}, {"title": "b"},
       {"title": "c"}, {"title": 5}]
      """
    let error = #expect(throws: PersistenceError.self) {
      try context.importJSON(
        parts: [Data(json.utf8)], as: "Book", file: "f.json", unitOfWork: 2)
    }
    #expect(error?.code == .invalidJSON)
    #expect(error?.description.contains("f.json:2:28: $[3].title is 5") == true)
    #expect(error?.description.contains("saved: 2 elements of the array before") == true)
    #expect(!context.hasChanges)
    #expect(try library.titlesOnDisk() == ["a", "b"])
    let lost = #expect(throws: PersistenceError.self) {
      try context.importJSON(
        parts: [Data(#"[{"title": "d", "author": {"$ref": "x"}}]"#.utf8)], as: "Book")
    }
    #expect(lost?.message.contains("refers to \"x\", which is neither") == true)
    _ = try library.book("mine", in: context)
    let unsaved = #expect(throws: PersistenceError.self) {
      try context.importJSON(parts: [Data("[]".utf8)])
    }
    #expect(unsaved?.code == .unsupported && context.hasChanges)
  }

  @Test(arguments: [
    ("", "f.json:1:1: a JSON value is expected"), ("[", "f.json:1:2: a JSON value is expect"),
    ("[1", "f.json:1:3: \",\" or \"]\" is expected, not the end of the text"),
    ("[{}, ]", "f.json:1:6: a JSON value is expected"),
    ("[{}] 1", "f.json:1:6: there is more after the end of the JSON"),
    ("[{} {}]", "f.json:1:5: there is \"{\" after the end of the JSON"),
    ("[\"a", "f.json:1:2: the text has no closing quote"),
  ])
  func `D2 what is not JSON is named with its place`(text: String, message: String) throws {
    let error = #expect(throws: PersistenceError.self) {
      try context.importJSON(
        parts: text.utf8.map { Data([$0]) }, as: "Author", file: "f.json", unitOfWork: 1)
    }
    #expect(error?.code == .invalidJSON)
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test func `D2 a file that cannot be written or read is an error, and what was there stays`()
    throws
  {
    try shelf(2)
    let folder = try TemporaryFolder()
    let file = folder.file("books.json")
    try Data("old".utf8).write(to: URL(filePath: file))
    let error = #expect(throws: PersistenceError.self) {
      try context.writeJSON(
        of: FetchRequest<Book>(), to: file, including: [\.author?.books], cycles: .refuse)
    }
    #expect(error?.code == .unsupported)
    #expect(try String(contentsOf: URL(filePath: file), encoding: .utf8) == "old")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["books.json"])
    for body in [
      { try context.writeJSON(of: FetchRequest<Book>(), to: folder.file("none/x.json")) },
      { try context.importJSON(contentsOf: folder.file("none.json")) },
    ] {
      let error = #expect(throws: PersistenceError.self) { _ = try body() }
      #expect(error?.code == .ioFailure)
    }
  }

  @Test func `D2 a document that is one object is imported`() throws {
    #expect(try context.importJSON(parts: [Data(#"{"title": "a"}"#.utf8)], as: "Book") == 1)
    #expect(try library.titlesOnDisk() == ["a"])
  }
}
