import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

/// SQLite gets the same texts as before, to a byte; what they are is in the folder `Golden`.
@Suite struct GoldenSQLTests {
  private func expect(_ name: String, _ body: () throws -> Void) throws {
    let golden = try KeptText(
      name, now: RecordedStatements.lines(try RecordedStatements.of(body)))
    // Not the texts: they are long, and the folder shows what has changed.
    #expect(golden.isKept, "\(golden.path)")
  }

  @Test func `a save runs the statements that are kept`() throws {
    let contract = StoreContractTests()
    let unique = UniqueValueTests()
    try expect("saves.sql") {
      try contract.`values of every type come back`(.file)
      try contract.`versions begin at 1 and count updates`(.rollbackJournal)
      try contract.`a conflict names all objects and changes nothing`(.inMemory)
      try contract.`to-many relationships are read for all owners at once, in order`(.file)
      try contract.`links between two to-one ends are on both sides`(.file)
      try contract.`a to-many relationship may be its own inverse, or have none`(.file)
      try contract.`a deleted object takes its join rows along`(.file)
      try contract.`a link to an object that is not there is refused, and nothing saved`(.file)
      try contract.`keys are never handed out twice`(.file)
      try contract.`values that must be unique name the object that breaks it`(.file)
      try contract.`a change set can be applied again after a failure`(.temporary)
      for type in UniqueValueTests.types {
        try unique.`two objects exchange their values`(type: type, isOptional: false)
      }
      try unique.`an exchange works with several columns, sub-entities and relationships`()
      try unique.`a clash names the object, its values and who has them`()
      try derivedValues()
      try blocks()
    }
  }

  @Test func `a store with values in files runs the statements that are kept`() throws {
    let external = ExternalStorageTests()
    try expect("files.sql") {
      try external.`PG-17 a value comes back as it was saved, on both sides of the threshold`(
        .file, 2000)
      try external.`PG-17 a file goes with its value: replaced, emptied or deleted`(.file)
      try external
        .`PG-17 a batch update gives each row a file of its own, and discards those before`(
          .file)
      try external.`PG-17 values are exchanged between rows whose numbers are unique`()
      try external.`PG-17 many discarded files are removed as saves go on`()
    }
  }

  @Test func `a fetch runs the statements that are kept`() throws {
    let contract = StoreContractTests()
    try expect("fetches.sql") {
      try contract.`PF-01 of rows that the caller has, only the header is read`(.file, 1000)
      try contract.`a fetch of a hierarchy brings each row as what it is`(.file)
      try contract.`sort, limit and offset act after the condition`(.file)
      try contract.`decimals compare and sort by value`(.file)
      try contract.`rows by key come once, without those that are gone`(.file)
      try contract.`PF-01 rows of a fetch come once, whatever its condition follows`(.file)
      try ColumnRowsTests().`PF-10: sums of decimal numbers are exact, and equal numbers are one`()
      try ColumnRowsTests().`PF-10: parts of dates, far ones as well`()
      try ColumnRowsTests().`PF-07: values of every type, and objects with their own entity`()
      try GroupedRowsTests().`PF-10: groups of the reader are those of the statement`(seed: 1)
      try LargePredicateTests().`a long list of any type finds what it has`()
      try LargePredicateTests().`sixty keys through relationships sort, and more are refused`()
      try PredicateFunctionTests().`PF-08 sums and averages of decimal numbers are exact`()
      try requests()
    }
  }

  @Test func `random conditions and orders run the statements that are kept`() throws {
    let agreement = PredicateAgreementTests()
    let texts = try RecordedStatements.of {
      // As many as are kept, whatever OXBOW_AGREEMENT_ROUNDS says.
      try StoreContract(.inMemory)
        .`random predicates find the same objects in the store and in memory`(
          seed: 1, rounds: 400, again: false)
      try agreement.`random orders are the same in the store and in memory`(seed: 1)
    }
    let golden = try KeptText("predicates.sql", now: RecordedStatements.lines(texts, limit: 250))
    #expect(golden.isKept, "\(golden.path)")
  }

  @Test func `PS-15 ranked searches are said in the statements that are kept`() throws {
    let texts = try RecordedStatements.of {
      let library = try Library(.file, model: notesModel())
      let query = try WordQuery("rust NOT iron")
      for names in [["rank", "body"], ["body"]] {
        _ = try library.ranked("Note", names, query)
        _ = try library.ranked("Note", names, query, readsTexts: true, limit: 2)
        _ = try library.best("Note", library.words(names, query).byIndex, limit: 3)
      }
    }
    let ranked = texts.filter { $0.contains("rank") && $0.contains("WITH") }
    let golden = try KeptText("ranks.sql", now: RecordedStatements.lines(ranked, limit: 20))
    #expect(golden.isKept, "\(golden.path)")
  }

  // MARK: What the other tests do not ask for

  private func derivedValues() throws {
    let library = try Library(
      model: ManagedObjectModel(entities: [
        EntityDescription(
          "Author",
          attributes: [
            AttributeDescription("name", .string),
            AttributeDescription(
              "upper", .string, isOptional: true, derivation: "uppercase:(name)"),
            AttributeDescription(
              "plain", .string, isOptional: true, derivation: "canonical:(name)"),
            AttributeDescription("bookCount", .integer16, derivation: "books.@count"),
            AttributeDescription("pages", .integer64, derivation: "books.pages.@sum"),
            AttributeDescription(
              "price", .decimal, isOptional: true, derivation: "books.price.@sum"),
            AttributeDescription(
              "weight", .double, isOptional: true, derivation: "books.weight.@sum"),
            AttributeDescription("saved", .date, isOptional: true, derivation: "now()"),
          ],
          relationships: [
            RelationshipDescription("books", to: "Book", inverse: "author", isToMany: true),
            RelationshipDescription("friends", to: "Author", isToMany: true),
          ]),
        EntityDescription(
          "Book",
          attributes: [
            AttributeDescription("pages", .integer32, isOptional: true),
            AttributeDescription("price", .decimal, isOptional: true),
            AttributeDescription("weight", .float, isOptional: true),
            AttributeDescription("writer", .string, isOptional: true, derivation: "author.name"),
          ], relationships: [RelationshipDescription("author", to: "Author", inverse: "books")]),
        EntityDescription(
          "Novel", parent: "Book",
          attributes: [
            AttributeDescription("genre", .string, isOptional: true),
            AttributeDescription(
              "kind", .string, isOptional: true, derivation: "lowercase:(genre)"),
          ]),
      ]))
    try library.save { changes in
      changes.inserts = [
        try library.insert("Author", 1, ["name": .string("a")]), try library.insert("Novel", 1),
      ]
      changes.links = [try library.link(("Novel", 1), "author", ("Author", 1))]
    }
    try library.save {
      $0.updates = [
        try library.update("Author", 1, 1, ["name": .string("b")]),
        try library.update("Novel", 1, 1, ["pages": .integer(7), "genre": .string("G")]),
      ]
    }
  }

  private func blocks() throws {
    let library = try Library(.file)
    let keys = [1, 2, 3, 5, 8, 9, 10] + Array(20..<1600 as Range<Int64>)
    try library.save { $0.inserts = try keys.map { try library.insert("Tag", $0) } }
    try library.save {
      $0.deletes = try keys.map { try library.delete("Tag", $0, $0 % 5 == 0 ? nil : 1) }
    }
  }

  private func requests() throws {
    let library = try Library(.file)
    let store = library.store
    try library.save {
      $0.inserts = [try library.insert("Book", 1, ["title": .string("a")])]
      $0.metadata = [.init("colour", .string("red"))]
    }
    #expect(try store.metadata("colour", .string) == .string("red"))
    #expect(try store.metadataKeys() == ["colour"])
    try library.save { $0.metadata = [.init("colour", nil)] }
    let title = FetchExpression.path(["title"])
    let letter = FetchExpression.value("a".fetchValue)
    var fetch = try library.fetch("Book", .text(title, .beginsWith, letter, []))
    #expect(try store.count(of: fetch) == 1)
    #expect(library.keys(try store.keys(of: fetch)) == [1])
    fetch.keys = [1, 2]
    fetch.limit = 1
    #expect(try store.count(of: fetch) == 1)
    (fetch.limit, fetch.keys) = (nil, nil)
    let pages = try library.property("Book", "pages").index
    let weight = try library.property("Book", "weight").index
    let next = FetchExpression.arithmetic(.path(["pages"]), .add, .value(1.fetchValue))
    _ = try store.update(StoreUpdate(fetch, [(pages, next), (weight, .path(["pages"]))]))
    fetch.limit = 1
    _ = try store.update(StoreUpdate(fetch, [(weight, .value(.null))]))
    _ = try store.rows(
      of: "SELECT \(property: "title", of: "Book") FROM \(entity: "Book") WHERE 1 IN \([1, 2])")
    let keys: SQLText = "SELECT _id FROM \(entity: "Book")"
    _ = try store.rows(of: library.entity("Book").index, keysFrom: keys)
    _ = try library.keys("Book", .sql("length(\(property: "title", of: "Book")) > \(3)"))
    _ = try library.keys("Book", .not(.text(title, .contains, letter, .caseInsensitive)))
    fetch.sortKeys = [
      OrderingTerm(path: ["title"], ascending: true, comparing: .caseInsensitive),
      OrderingTerm("author.name"),
    ]
    _ = try store.rows(of: fetch)
    let pinned = try store.pinned(PinnedViewLimits())
    _ = try pinned.rows(of: try library.fetch("Tag"))
    pinned.close()
  }
}
