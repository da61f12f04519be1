import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite struct JSONTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library()
    context = library.context()
  }

  /// An author with two books, one of which is a novel.
  private func shelf() throws -> (author: Author, book: Book, novel: Novel) {
    let author = try context.insert(Author.self) {
      $0.name = "Lem"
      $0.age = 84
    }
    let book = try library.book("Summa", pages: 600, in: context)
    book.author = author
    let novel = try context.insert(Novel.self)
    novel.title = "Solaris"
    novel.genre = "sf"
    novel.author = author
    try context.save()
    return (author, book, novel)
  }

  /// JSON as text, with the IDs of the store shortened.
  private func text(_ data: Data) -> String {
    String(decoding: data, as: UTF8.self)
      .replacing("x-oxbow://\(library.coordinator.storeIdentifier.uuidString)/", with: "")
  }

  private func problems(
    _ json: String, as entity: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [String] {
    do throws(PersistenceError) {
      try context.importJSON(Data(json.utf8), as: entity, file: "f.json")
      return []
    } catch {
      #expect(PersistenceError.Code.invalidJSON ~= error, sourceLocation: sourceLocation)
      #expect(!context.hasChanges, sourceLocation: sourceLocation)
      return (error.problems.isEmpty ? [error] : error.problems).map(\.description)
    }
  }

  @Test func `PG-14 each object is written once, and referred to elsewhere`() throws {
    let shelf = try shelf()
    let json = text(try context.json(of: [shelf.author], depth: 1))
    #expect(
      json
        == #"[{"$entity":"Author","$id":"Author/p1","age":84,"name":"Lem","books":["#
        + #"{"$entity":"Book","$id":"Book/p1","pages":600,"title":"Summa","#
        + #""author":{"$ref":"Author/p1"},"tags":[]},"#
        + #"{"$entity":"Novel","$id":"Book/Novel/p2","pages":0,"title":"Solaris","genre":"sf","#
        + #""author":{"$ref":"Author/p1"},"tags":[]}]}]"#)
  }

  @Test func `PG-14 beyond the depth there are references`() throws {
    let shelf = try shelf()
    let json = text(try context.json(of: [shelf.book], depth: 0))
    #expect(
      json
        == #"[{"$entity":"Book","$id":"Book/p1","pages":600,"title":"Summa","#
        + #""author":{"$ref":"Author/p1"},"tags":[]}]"#)
  }

  @Test func `PG-14 what leads back is left out, or refused with the way`() throws {
    let shelf = try shelf()
    let json = text(try context.json(of: [shelf.book], depth: 1, cycles: .omit))
    #expect(
      json
        == #"[{"$entity":"Book","$id":"Book/p1","pages":600,"title":"Summa","#
        + #""author":{"$entity":"Author","$id":"Author/p1","age":84,"name":"Lem"},"tags":[]}]"#)
    let error = #expect(throws: PersistenceError.self) {
      try context.json(of: [shelf.book], depth: .max, cycles: .refuse)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.hasPrefix("$[0].author.books leads back to 'Book/p1'") == true)
    #expect(throws: Never.self) {
      try context.json(of: [shelf.book], depth: 1, cycles: .refuse)
    }
  }

  @Test func `PG-14 a document is indented for people`() throws {
    let tag = try context.insert(entityNamed: "Tag")
    #expect(
      text(try context.json(of: [tag], depth: 0, indented: true)).hasPrefix(
        "[\n  {\n    \"$entity\": \"Tag\",\n    \"$id\": \"Tag/p1\","))
  }

  @Test func `PG-14 levels are read with few requests, under any fault policy`() throws {
    let author = try shelf().author
    let reader = library.context("reader")
    reader.faultPolicy = .refuse
    let fresh = try reader.existingObject(with: author.objectID, as: Author.self)
    let before = reader.statistics.fetches
    _ = try reader.json(of: [fresh], depth: .max)
    // The books of the author, and the tags of the books; of books and of novels by themselves.
    #expect(reader.statistics.fetches - before <= 6)
  }

  // MARK: Reading

  @Test func `PG-14 a document makes objects and links them, in any order`() throws {
    let made = try context.importJSON(
      Data(
        """
        [{"title": "Summa", "pages": 600, "author": {"$ref": "lem"}},
         {"$entity": "Novel", "title": "Solaris", "genre": "sf",
          "author": {"$id": "lem", "name": "Lem"}}]
        """.utf8), as: "Book")
    let books = made.compactMap { $0 as? Book }
    #expect(books.map(\.title) == ["Summa", "Solaris"] && books[1] is Novel)
    #expect(books[0].author === books[1].author && books[0].author?.name == "Lem")
    try context.save()
    #expect(try library.titlesOnDisk() == ["Solaris", "Summa"])
  }

  @Test
  func `PG-14 an object of the store is changed where its ID is given, and nothing else of it`()
    throws
  {
    let shelf = try shelf()
    let other = library.context("other")
    let json = """
      {"$entity": "Author", "$id": "\(shelf.author.objectID)", "age": null,
       "books": [{"$ref": "\(shelf.novel.objectID)"}, {"title": "Eden"}]}
      """
    let author = try #require(try other.importJSON(Data(json.utf8)).first as? Author)
    #expect(author.name == "Lem" && author.age == nil)
    #expect(Set(author.books.map(\.title)) == ["Solaris", "Eden"])
    try other.save()
    #expect(try library.titlesOnDisk() == ["Eden", "Solaris", "Summa"])
    try context.refresh(shelf.book)
    #expect(shelf.book.author == nil)
    // All anew, if that is wanted.
    let copy = try other.importJSON(
      Data(#"{"$id":"\#(shelf.author.objectID)"}"#.utf8), as: "Author", matching: [])
    #expect(copy.first !== author && copy.first?.isInserted == true)
  }

  @Test func `PG-14 unique attributes find the object, in the store and in the document`() throws {
    let bank = try Bank()
    let id = try bank.account { $0.number = 7 }
    let context = bank.context()
    let made = try context.importJSON(
      Data(
        """
        [{"number": 7, "holder": "Ada"}, {"number": 8, "balance": 1}, {"number": 8, "holder": "Bob"},
         {"number": null}, {"number": null}]
        """.utf8), as: "Deposit")
    #expect(made[0].objectID == id && made[1] === made[2] && made[3] !== made[4])
    let deposits = made.compactMap { $0 as? Deposit }
    #expect(deposits[0].holder == "Ada")
    #expect(deposits[1].holder == "Bob" && deposits[1].balance == 1)
    try context.save()
    #expect(try bank.context().count(FetchRequest<Deposit>()) == 4)
  }

  @Test func `D1 an import finds more objects by their unique values than one fetch asks for`()
    throws
  {
    let bank = try Bank()
    let context = bank.context()
    let json = "[" + (1...350).map { #"{"number": \#($0)}"# }.joined(separator: ",") + "]"
    let made = try context.importJSON(Data(json.utf8), as: "Deposit")
    try context.save()
    #expect(try bank.context().count(FetchRequest<Deposit>()) == 350)
    let again = try bank.context().importJSON(Data(json.utf8), as: "Deposit")
    #expect(again.map(\.objectID) == made.map(\.objectID))
  }

  @Test func `PG-14 an import can be undone`() throws {
    let shelf = try shelf()
    context.isUndoEnabled = true
    try context.undoGroup {
      _ = try context.importJSON(
        Data(#"{"$id":"\#(shelf.author.objectID)","name":"x","books":[{"title":"y"}]}"#.utf8),
        as: "Author")
    }
    #expect(shelf.author.books.count == 1)
    try context.undo()
    #expect(shelf.author.name == "Lem" && shelf.author.books == [shelf.book, shelf.novel])
    #expect(!context.hasChanges)
  }

  @Test func `PG-14 everything that is wrong is named, with its path, and nothing changes`() throws
  {
    #expect(
      problems("[", as: "Book") == [
        "f.json:1:2: a JSON value is expected, not the end of the text"
      ])
    #expect(
      problems(
        """
        [{"titel": "x", "pages": 3000000000, "author": {"name": null, "$entity": "Tag"}},
         {"pages": 1.5, "tags": {}, "author": {"$ref": "nobody"}},
         7, {"$entity": "Boot"}, {"author": {"age": "old"}}]
        """, as: "Book") == [
          """
          f.json:1:3: $[0] has the key "titel", and 'Book' has no such property
            did you mean: 'title'?
          """,
          "f.json:1:26: $[0].pages is 3000000000, and has to be a whole number from -2147483648 to "
            + "2147483647",
          "f.json:1:74: $[0].author is of 'Tag', and 'Author' or an entity below is needed",
          "f.json:2:12: $[1].pages is 1.5, and has to be a whole number from -2147483648 to "
            + "2147483647",
          "f.json:2:25: $[1].tags is an object, and has to be an array of objects",
          "f.json:3:2: $[2] is 7, and has to be an object",
          """
          f.json:3:17: $[3] is of the entity "Boot", which the model does not have
            did you mean: 'Book'?
          """,
          "f.json:3:45: $[4].author.age is \"old\", and has to be a whole number of 64 bits",
          "f.json:2:48: $[1].author refers to \"nobody\", which is neither in the document nor in "
            + "this store",
        ])
    #expect(
      problems("{}") == ["f.json:1:1: $ does not say its entity; add \"$entity\""])
    #expect(try library.titlesOnDisk() == [])
  }

  @Test func `PG-14 derived attributes are left out, and refused`() throws {
    let bank = try Bank()
    let context = bank.context()
    let branch = try context.insert(Branch.self)
    #expect(!text(try context.json(of: [branch], depth: 0)).contains("total"))
    let error = #expect(throws: PersistenceError.self) {
      try context.importJSON(Data(#"{"total": 1}"#.utf8), as: "Branch")
    }
    #expect(error?.message.contains("$.total is derived") == true)
  }

  @Test func `PG-14 an abstract entity is refused with those that can be made`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Shape", isAbstract: true, attributes: [AttributeDescription("size", .integer64)]),
      EntityDescription("Circle", parent: "Shape"),
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    let error = #expect(throws: PersistenceError.self) {
      try context.importJSON(Data(#"{"size": 1}"#.utf8), as: "Shape", file: "f.json")
    }
    #expect(
      error?.description
        == "f.json:1:1: $ is of 'Shape', which is abstract and has no objects of its own; "
        + "\"$entity\" has to be one of 'Circle'")
    let made = try context.importJSON(
      Data(#"{"$entity": "Circle", "size": 1}"#.utf8), as: "Shape")
    #expect(made.map(\.entityName) == ["Circle"])
  }

  @Test func `PG-14 objects inside of 200 others are refused, and written with all as the first`()
    throws
  {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Link",
        relationships: [
          RelationshipDescription("next", to: "Link", inverse: "previous"),
          RelationshipDescription("previous", to: "Link", inverse: "next"),
        ])
    ])
    let context = ManagedObjectContext(
      coordinator: try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory))
    var all: [ManagedObject] = []
    for number in 0..<300 {
      all.append(try context.insert(entityNamed: "Link"))
      if number > 0 { try all[number].setObjects([all[number - 1]], for: "previous") }
    }
    let error = #expect(throws: PersistenceError.self) {
      try context.json(of: [all[0]], depth: .max)
    }
    #expect(error?.code == .unsupported && error?.message.contains("200 other objects") == true)
    let short = try context.json(of: [all[0]], depth: 199)
    #expect(try context.importJSON(short, matching: []).count == 1)
    let flat = try context.json(of: all, depth: 0)
    let copies = try context.importJSON(flat, matching: [])
    #expect(copies.count == 300)
    #expect(try copies[0].objects("next") == [copies[1]])
  }

  @Test func `PG-14 an import that fails halfway has changed nothing`() throws {
    let (coordinator, nodes) = try twins(3)
    // What the link takes its twin away from is not read.
    let reader = ManagedObjectContext(coordinator: coordinator)
    reader.faultPolicy = .refuse
    let json = """
      [{"name": "new"}, {"$id": "\(nodes[2].objectID)", "name": "changed",
        "twin": {"$ref": "\(nodes[1].objectID)"}}]
      """
    #expect(
      refusal { try reader.importJSON(Data(json.utf8), as: "Node") } == .faultRefused)
    #expect(!reader.hasChanges && reader.insertedObjects.isEmpty)
    let node = try reader.existingObject(with: nodes[2].objectID, as: ManagedObject.self)
    #expect(try node.value("name", as: String.self) == nil)
    #expect(try reader.count(FetchRequest<ManagedObject>(entityNamed: "Node")) == 3)
    reader.faultPolicy = .allow
    #expect(try reader.importJSON(Data(json.utf8), as: "Node").count == 2)
    try reader.save()
    #expect(try reader.object(with: nodes[0].objectID).objects("twin").isEmpty)
  }

  /// Nodes of which each two are twins, as far as there are two.
  private func twins(_ count: Int) throws -> (PersistentStoreCoordinator, [ManagedObject]) {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Node", attributes: [AttributeDescription("name", .string, isOptional: true)],
        relationships: [RelationshipDescription("twin", to: "Node", inverse: "twin")])
    ])
    let coordinator = try PersistentStoreCoordinator(CompiledModel(model), at: .inMemory)
    let context = ManagedObjectContext(coordinator: coordinator)
    let nodes = try (0..<count).map { _ in try context.insert(entityNamed: "Node") }
    for index in stride(from: 1, to: count, by: 2) {
      try nodes[index - 1].setObjects([nodes[index]], for: "twin")
    }
    try context.save()
    return (coordinator, nodes)
  }

  @Test func `PG-14 a failed import of new objects gives existing ones back, with what was undone`()
    throws
  {
    let (coordinator, nodes) = try twins(4)
    let reader = ManagedObjectContext(coordinator: coordinator)
    (reader.faultPolicy, reader.isUndoEnabled) = (.refuse, true)
    let first = try reader.get(nodes[0].objectID)
    try first.setValue("x", for: "name")
    try reader.undo()
    // The second new object needs a twin that was not read, the first one's was.
    let json = """
      [{"twin": {"$ref": "\(nodes[1].objectID)"}}, {"twin": {"$ref": "\(nodes[3].objectID)"}}]
      """
    #expect(refusal { try reader.importJSON(Data(json.utf8), as: "Node") } == .faultRefused)
    #expect(!reader.hasChanges && !reader.canUndo && reader.canRedo)
    #expect(try first.objects("twin").map(\.objectID) == [nodes[1].objectID])
  }
}
