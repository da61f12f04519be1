import OxbowModel
import OxbowRelational
import Testing

@Suite struct PlainLayoutTests {
  func definitions(_ table: String) throws -> String {
    let found = try libraryMapping().tables.first { $0.name == table }
    return try #require(found).definitions(in: SQLiteDialect()).joined(separator: "\n")
  }

  @Test func `a table has key, version, attributes and keys of its entity`() throws {
    #expect(
      try definitions("Book") == """
        CREATE TABLE "Book" (
          "_id" INTEGER PRIMARY KEY,
          "_version" INTEGER NOT NULL,
          "author" INTEGER,
          "_author_type" INTEGER,
          "cover" BLOB,
          "isLent" INTEGER NOT NULL,
          "number" BLOB,
          "page" TEXT,
          "pages" INTEGER NOT NULL,
          "price" TEXT,
          "printed" REAL,
          "shelf" INTEGER NOT NULL,
          "_shelf_position" INTEGER,
          "title" TEXT NOT NULL,
          "weight" REAL NOT NULL,
          FOREIGN KEY ("author") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
          FOREIGN KEY ("shelf") REFERENCES "Shelf" ("_id") DEFERRABLE INITIALLY DEFERRED
        ) STRICT
        CREATE INDEX "Book_author_index" ON "Book" ("author")
        CREATE INDEX "Book_shelf__shelf_position_index" ON "Book" ("shelf", "_shelf_position")
        CREATE UNIQUE INDEX "Book_number_unique" ON "Book" ("number")
        CREATE INDEX "Book_byTitle" ON "Book" ("title", "pages" DESC)
        """)
  }

  // Siblings never share a column; names that differ in case only are the same to SQLite.
  @Test func `a hierarchy is one table with a type`() throws {
    #expect(
      try definitions("Person") == """
        CREATE TABLE "Person" (
          "_id" INTEGER PRIMARY KEY,
          "_version" INTEGER NOT NULL,
          "_type" INTEGER NOT NULL,
          "name" TEXT NOT NULL,
          "spouse" INTEGER,
          "_spouse_type" INTEGER,
          "spouseOf" INTEGER,
          "_spouseOf_type" INTEGER,
          "card" INTEGER,
          "Reader_note" TEXT,
          "Writer_Note" INTEGER,
          FOREIGN KEY ("spouse") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED,
          FOREIGN KEY ("spouseOf") REFERENCES "Person" ("_id") DEFERRABLE INITIALLY DEFERRED
        ) STRICT
        CREATE INDEX "Person_spouse_index" ON "Person" ("spouse")
        CREATE INDEX "Person_spouseOf_index" ON "Person" ("spouseOf")
        CREATE UNIQUE INDEX "Person_card_unique" ON "Person" ("card") WHERE "_type" IN (3)
        """)
  }

  @Test func `links of many to many are in a table of their own`() throws {
    #expect(
      try definitions("Book_tags") == """
        CREATE TABLE "Book_tags" (
          "owner" INTEGER NOT NULL,
          "member" INTEGER NOT NULL,
          "member_position" INTEGER,
          PRIMARY KEY ("owner", "member"),
          FOREIGN KEY ("owner") REFERENCES "Book" ("_id") DEFERRABLE INITIALLY DEFERRED,
          FOREIGN KEY ("member") REFERENCES "Tag" ("_id") DEFERRABLE INITIALLY DEFERRED
        ) STRICT, WITHOUT ROWID
        CREATE INDEX "Book_tags_member_owner_index" ON "Book_tags" ("member", "owner")
        """)
    #expect(try definitions("Tag_related").contains("REFERENCES \"Tag\""))
  }

  @Test func `names of the layout's own columns are not taken`() throws {
    #expect(try definitions("Shelf").contains("\"Shelf_rowid\" TEXT NOT NULL"))
  }

  @Test func `tables whose names clash get numbers`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A", relationships: [RelationshipDescription("b", to: "A_b", isToMany: true)]),
      EntityDescription("A_b"), EntityDescription("sqlite_x"),
    ])
    let names = PlainLayout.mapping(of: try CompiledModel(model)).tables.map(\.name)
    #expect(names == ["A", "A_b", "_sqlite_x", "A_b_2"])
    #expect(quoted("a\"b") == "\"a\"\"b\"")
  }

  @Test func `no action leaves a key without a net`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "A", relationships: [RelationshipDescription("b", to: "B", inverse: "a")]),
      EntityDescription(
        "B",
        relationships: [
          RelationshipDescription(
            "a", to: "A", inverse: "b", isToMany: true, deleteRule: .noAction)
        ]),
    ])
    let mapping = PlainLayout.mapping(of: try CompiledModel(model))
    #expect(mapping.tables[0].foreignKeys.isEmpty)
    #expect(mapping.tables[0].indexes.count == 1)
  }

  @Test func `a store's own numbers are in statements`() throws {
    let compiled = try CompiledModel(libraryModel())
    let mapping = PlainLayout.mapping(of: compiled, numbers: [11, 12, 13, 14, 15, 16])
    let reader = try #require(compiled.entity(named: "Reader"))
    #expect(
      ChangeGenerator(mapping.dialect).insert(mapping.entities[reader.index]).contains(
        "VALUES (?, 1, 13, "))
  }
}
