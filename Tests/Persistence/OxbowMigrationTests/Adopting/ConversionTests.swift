import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowSQLite
import OxbowTestSupport
import Synchronization
import Testing

@Suite struct ConversionTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  @Test(arguments: ["wal", "delete"])
  func `tables, values, links and keys of another tool become those of a model`(
    journalMode: String
  ) throws {
    try lab.foreign(Shelf.tables, Shelf.rows, Shelf.extras, journalMode: journalMode)
    try lab.convert(to: Shelf.model, allowsLoss: true)
    #expect(
      try lab.rows("SELECT _id, _version, name, born, isAlive FROM Author ORDER BY _id") == [
        "1|1|'Ada'|-5840035200.0|0", "5|1|'Grace'|NULL|1",
      ])
    #expect(
      try lab.rows(
        "SELECT _id, title, publishedAt, price, cover, uuid, author FROM Book ORDER BY _id")
        == [
          "3|'Notes'|1.25|'12.5'|x'0102'|x'00112233445566778899aabbccddeeff'|1",
          "4|'COBOL'|86400.0|'7'|NULL|NULL|5",
        ])
    #expect(
      try lab.rows("SELECT owner, member FROM Book_tags ORDER BY 1, 2") == ["3|1", "3|2", "4|2"])
    #expect(try lab.differences(from: Shelf.model) == [])
    #expect(try SQLiteStoreFile(lab.store).check() == [])
    #expect(
      try lab.rows("SELECT name FROM sqlite_schema WHERE type <> 'index' AND name LIKE '%book%'")
        == ["'Book'", "'Book_tags'"])
    #expect(try Migrator(lab.backend(), target: Shelf.model).isUpToDate())
  }

  @Test func `a key that was handed out once is not handed out again`() throws {
    try lab.foreign(Shelf.tables, Shelf.rows)
    try lab.convert(to: Shelf.model)
    #expect(
      try lab.rows(
        "SELECT e.name, k.last FROM _oxbow_keys AS k JOIN _oxbow_entities AS e ON e.number = k.root "
          + "ORDER BY 1") == ["'Author'|9", "'Book'|4", "'Tag'|2"])
  }

  @Test func `what has no place is counted, and refused without consent`() throws {
    try lab.foreign(
      Shelf.tables, Shelf.rows, Shelf.extras,
      "ALTER TABLE book ADD COLUMN note TEXT; UPDATE book SET note = 'x' WHERE id = 3;"
        + "CREATE INDEX byTitle ON book(title); CREATE TABLE left (a); CREATE TABLE gone (a);"
        + "INSERT INTO gone VALUES (1), (2);")
    #expect(
      try lab.refusal(to: Shelf.model) == """
        some of the database has no place in the model and would go; say where it belongs (--map), add \
        it to the model, or let it go with --allow-loss. Nothing was changed
          goes: values of 'book.note': 1
          goes: the index 'byTitle'
          goes: the table 'book_ft' of a module of SQLite
          goes: rows of 'gone': 2
          goes: the trigger 'book_ai'
          goes: the view 'titles'
        """)
    let plan = try lab.convert(to: Shelf.model, allowsLoss: true)
    #expect(plan?.losses.count == 6)
    #expect(plan?.newEntities == [])
    #expect(try lab.differences(from: Shelf.model) == [])
  }

  @Test func `a plan reads only and names what each column becomes`() throws {
    try lab.foreign(Shelf.tables, Shelf.rows)
    let before = try lab.rows("SELECT sql FROM sqlite_schema")
    var plan: ForeignPlan?
    try Migrator(lab.backend(), target: Shelf.model).planConversion(
      ForeignOptions(map: ForeignMap())
    ) { plan = $0 }
    let book = try #require(plan?.tables.first { $0.name == "book" })
    #expect(book.entity == "Book")
    #expect(
      book.columns.map { "\($0.name): \($0.targets.joined(separator: ", "))" } == [
        "id: the key", "authorId: Book.author", "title: Book.title (String)",
        "published_at: Book.publishedAt (Date)", "price: Book.price (Decimal)",
        "cover: Book.cover (Binary)", "uuid: Book.uuid (UUID)",
      ])
    #expect(plan?.tables.first { $0.name == "bookTag" }?.relationship == "Book.tags")
    #expect(plan?.losses.isEmpty == true)
    #expect(try lab.rows("SELECT sql FROM sqlite_schema") == before)
  }

  @Test func `a model made from the tables takes them over without a word`() throws {
    try lab.foreign(Shelf.tables, Shelf.rows)
    let schema = try #require(try ForeignDatabase.at(lab.store)).schema
    let model = ForeignModel(schema).model
    try model.validate()
    #expect(model.entities.map(\.name) == ["Author", "Book", "Tag"])
    let book = try #require(model.entity(named: "Book"))
    #expect(book.relationships.map(\.name) == ["author", "tags"])
    #expect(model.entity(named: "Author")?.relationships.first?.deleteRule == .cascade)
    #expect(model.entity(named: "Tag")?.uniquenessConstraints == [["label"]])
    let plan = try lab.convert(to: model)
    #expect(plan?.losses.isEmpty == true)
    #expect(try lab.rows("SELECT count(*) FROM Book_tags") == ["3"])
  }
}

extension ConversionTests {
  @Test func `odd names and types become a model that takes the tables over`() throws {
    try lab.foreign(
      """
      CREATE TABLE "Order Details" (
        OrderID INT NOT NULL REFERENCES Orders, "Unit Price" NUMERIC DEFAULT 0,
        Quantity INT NOT NULL DEFAULT 1, PRIMARY KEY (OrderID, Quantity));
      CREATE TABLE Orders (
        OrderID INTEGER PRIMARY KEY, CustomerID TEXT REFERENCES Customers, OrderDate DATE);
      CREATE TABLE Customers (CustomerID TEXT PRIMARY KEY, description TEXT, photo IMAGE, "2nd");
      CREATE TABLE Staff (id INTEGER PRIMARY KEY, ReportsTo INT REFERENCES Staff(id), Größe REAL);
      INSERT INTO Customers VALUES ('A', 'one', x'01', 5), ('B', NULL, NULL, NULL);
      INSERT INTO Orders VALUES (10, 'B', '1996-07-04');
      INSERT INTO "Order Details" VALUES (10, 14.5, 2);
      INSERT INTO Staff VALUES (1, NULL, 1.5), (2, 1, NULL);
      """)
    let schema = try #require(try ForeignDatabase.at(lab.store)).schema
    let foreign = ForeignModel(schema) { $0 == "description" }
    #expect(
      foreign.notes == [
        "'Customers.photo' has the type 'IMAGE'; it is taken for Binary",
        "'Customers.2nd' has no type; it is taken for Integer 64",
      ])
    let customers = try #require(foreign.model.entity(named: "Customers"))
    #expect(
      customers.attributes.map(\.name) == [
        "customerID", "descriptionValue", "photo", "column2nd",
      ])
    let details = try #require(foreign.model.entity(named: "OrderDetails"))
    #expect(details.attributes.first { $0.name == "quantity" }?.defaultValue == .integer(1))
    let plan = try lab.convert(to: foreign.model)
    #expect(plan?.losses.isEmpty == true)
    #expect(
      try lab.rows(
        "SELECT c.customerID, d.unitPrice FROM OrderDetails AS d JOIN Orders AS o ON o._id = d.\"order\" "
          + "JOIN Customers AS c ON c._id = o.customer") == ["'B'|'14.5'"])
    #expect(
      try lab.rows("SELECT descriptionValue, photo, column2nd FROM Customers WHERE _id = 1")
        == ["'one'|x'01'|5"])
    #expect(
      try lab.rows("SELECT reportsTo, größe FROM Staff ORDER BY _id") == ["NULL|1.5", "1|NULL"])
  }
}

// MARK: - Keys and relationships

extension ConversionTests {
  private static let people = ManagedObjectModel(entities: [
    EntityDescription(
      "Person",
      attributes: [
        AttributeDescription("code", .string, isOptional: true),
        AttributeDescription("id", .integer64, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("boss", to: "Person", inverse: "staff"),
        RelationshipDescription(
          "staff", to: "Person", inverse: "boss", isToMany: true, isOrdered: true),
        RelationshipDescription("friends", to: "Person", inverse: "friendOf", isToMany: true),
        RelationshipDescription("friendOf", to: "Person", inverse: "friends", isToMany: true),
        RelationshipDescription("passport", to: "Passport", inverse: "person"),
      ], uniquenessConstraints: [["code"]]),
    EntityDescription(
      "Passport", attributes: [AttributeDescription("number", .integer32)],
      relationships: [
        RelationshipDescription("person", to: "Person", inverse: "passport", isOptional: false)
      ]),
  ])

  @Test func `rows with a text as key get numbers, and references follow`() throws {
    try lab.foreign(
      """
      CREATE TABLE person (code TEXT PRIMARY KEY, boss_code TEXT REFERENCES person);
      INSERT INTO person VALUES ('b', NULL), ('a', 'b'), ('c', 'b');
      """)
    try lab.convert(to: Self.people)
    #expect(
      try lab.rows(
        "SELECT p.code, b.code, p._boss_position > (SELECT min(_boss_position) FROM Person) FROM "
          + "Person AS p LEFT JOIN Person AS b ON b._id = p.boss ORDER BY 1")
        == ["'a'|'b'|0", "'b'|NULL|NULL", "'c'|'b'|1"])
  }

  @Test func `a key can be an attribute too, and both ends of one to one get theirs`() throws {
    try lab.foreign(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY);
      CREATE TABLE passport (id INTEGER PRIMARY KEY, number INT,
        person_id INT UNIQUE REFERENCES person(id));
      INSERT INTO person VALUES (7), (8); INSERT INTO passport VALUES (1, 11, 8);
      """)
    try lab.convert(to: Self.people, allowsLoss: true)
    #expect(
      try lab.rows("SELECT _id, id, passport FROM Person ORDER BY 1") == ["7|7|NULL", "8|8|1"])
    #expect(try lab.rows("SELECT _id, number, person FROM Passport") == ["1|11|8"])
  }

  @Test func `two tables may refer to one, one to one, also without numbers of rows`() throws {
    try lab.foreign(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY);
      CREATE TABLE passport (code TEXT PRIMARY KEY, person_id INT UNIQUE REFERENCES person(id))
        WITHOUT ROWID;
      CREATE TABLE license (id INTEGER PRIMARY KEY, person_id INT UNIQUE REFERENCES person(id));
      INSERT INTO person VALUES (1), (2);
      INSERT INTO passport VALUES ('x', 2); INSERT INTO license VALUES (5, 1), (6, 2);
      """)
    let schema = try #require(try ForeignDatabase.at(lab.store)).schema
    try lab.convert(to: ForeignModel(schema).model)
    #expect(
      try lab.rows("SELECT _id, passport, license FROM Person ORDER BY 1") == ["1|NULL|5", "2|1|6"])
    #expect(try lab.rows("SELECT _id, person FROM Passport") == ["1|2"])
  }

  @Test func `two columns for one relationship of one to one are refused`() throws {
    try lab.foreign(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, passport_id INT);
      CREATE TABLE passport (id INTEGER PRIMARY KEY, number INT, person_id INT);
      INSERT INTO person VALUES (7, 1), (8, NULL); INSERT INTO passport VALUES (1, 11, 8);
      """)
    let text = try lab.refusal(to: Self.people)
    #expect(text.contains("are both ends of "), "\(text)")
    #expect(text.contains("which is one to one; say which of them has no target (--map "))
    try lab.convert(to: Self.people, map: ["person.passport_id=-"], allowsLoss: true)
    #expect(try lab.rows("SELECT _id, passport FROM Person ORDER BY 1") == ["7|NULL", "8|1"])
  }

  @Test func `a relationship that is its own inverse leads back`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Person",
        relationships: [
          RelationshipDescription("spouse", to: "Person", inverse: "spouse"),
          RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true),
        ])
    ])
    try lab.foreign(
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, spouse_id INT);
      INSERT INTO person VALUES (1, 2), (2, NULL), (3, NULL);
      CREATE TABLE friend (a INT REFERENCES person(id), b INT REFERENCES person(id));
      """)
    #expect(
      try lab.refusal(to: model).contains("'Person.friends' is its own inverse, and whether "))
    let map = ["friend=-"]
    #expect(
      try lab.refusal(to: model, map: map).contains(
        "rows of 'person' whose 'spouse_id' leads to a row that does not lead back, though "
          + "'Person.spouse' is its own inverse: 1; "))
    try lab.run("UPDATE person SET spouse_id = 1 WHERE id = 2")
    try lab.convert(to: model, map: map, allowsLoss: true)
    #expect(try lab.rows("SELECT _id, spouse FROM Person ORDER BY 1") == ["1|2", "2|1", "3|NULL"])
  }

  @Test func `rows without a number of their own get numbers in the order of their key`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "List",
        relationships: [
          RelationshipDescription(
            "items", to: "Item", inverse: "list", isToMany: true, isOrdered: true)
        ]),
      EntityDescription(
        "Item", attributes: [AttributeDescription("code", .string)],
        relationships: [RelationshipDescription("list", to: "List", inverse: "items")],
        uniquenessConstraints: [["code"]]),
    ])
    try lab.foreign(
      """
      CREATE TABLE list (id INTEGER PRIMARY KEY); INSERT INTO list VALUES (3);
      CREATE TABLE item (code TEXT PRIMARY KEY, list_id INT) WITHOUT ROWID;
      INSERT INTO item VALUES ('b', 3), ('a', 3), ('c', NULL);
      """)
    try lab.convert(to: model)
    #expect(
      try lab.rows(
        "SELECT _id, code, list, _list_position > (SELECT min(_list_position) FROM Item) FROM Item "
          + "ORDER BY 1") == ["1|'a'|3|0", "2|'b'|3|1", "3|'c'|NULL|NULL"])
  }

  @Test func `texts in UTF-16 want a database written anew`() throws {
    try lab.foreign("PRAGMA encoding = 'UTF-16le'; CREATE TABLE tag (label TEXT);")
    let text = lab.message {
      try Migrator(lab.backend(), target: Shelf.model).planConversion(
        ForeignOptions(map: ForeignMap())
      ) { _ in }
    }
    #expect(text.contains("found: the database keeps its text in UTF-16, and a store in UTF-8; "))
  }

  @Test func `links within one table want to know their direction`() throws {
    let tables = """
      CREATE TABLE person (id INTEGER PRIMARY KEY);
      CREATE TABLE friendship (a INT REFERENCES person(id), b INT REFERENCES person(id));
      INSERT INTO person VALUES (1), (2), (3);
      INSERT INTO friendship VALUES (1, 2), (1, 2), (3, 1), (NULL, 1);
      """
    try lab.foreign(tables)
    #expect(
      try lab.refusal(to: Self.people).contains(
        "found: both columns of 'friendship' lead to the same table; say which one has the object "
          + "whose "))
    let map = ["friendship.a=Person.friends"]
    let refused = try lab.refusal(to: Self.people, map: map)
    #expect(refused.contains("goes: rows of 'friendship' with one end only: 1\n"))
    #expect(refused.contains("that 'friendship' has more than once: 1"))
    try lab.convert(to: Self.people, map: map, allowsLoss: true)
    let join =
      try lab.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'Person\\_f%' ESCAPE '\\'")
      .first ?? ""
    let isFriends = join == "'Person_friends'"
    let columns = isFriends ? "owner, member" : "member, owner"
    let table = isFriends ? "Person_friends" : "Person_friendOf"
    #expect(try lab.rows("SELECT \(columns) FROM \(table) ORDER BY 1") == ["1|2", "3|1"])
  }

  @Test func `a table becomes the objects of one entity of a hierarchy`() throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        "Node", isAbstract: true, attributes: [AttributeDescription("name", .string)]),
      EntityDescription(
        "Leaf", parent: "Node", relationships: [RelationshipDescription("next", to: "Node")]),
      EntityDescription("Twig", parent: "Node"),
    ])
    let tables = """
      CREATE TABLE leaf (id INTEGER PRIMARY KEY, NAME TEXT, next_id INT);
      INSERT INTO leaf VALUES (1, 'a', NULL), (2, 'b', 1);
      """
    try lab.foreign(tables)
    let plan = try lab.convert(to: model)
    #expect(plan?.newEntities == ["Twig"])
    #expect(
      try lab.rows(
        "SELECT n._id, e.name, n.name, n.next, t.name FROM Node AS n JOIN _oxbow_entities AS e "
          + "ON e.number = n._type LEFT JOIN _oxbow_entities AS t ON t.number = n._next_type "
          + "ORDER BY 1") == ["1|'Leaf'|'a'|NULL|NULL", "2|'Leaf'|'b'|1|'Leaf'"])
  }

  @Test func `names, identifiers and a map say what becomes what`() throws {
    var model = Shelf.model.changing("Book") {
      $0.attributes[0].name = "headline"
      $0.attributes[0].renamingIdentifier = "title"
    }.removing("Tag")
    model = model.changing("Book") { $0.relationships.removeLast() }
    try lab.foreign(
      """
      CREATE TABLE authors (id INTEGER PRIMARY KEY, name, is_alive INT);
      CREATE TABLE BOOK (id INTEGER PRIMARY KEY, TITLE, writer INT, day REAL);
      INSERT INTO authors VALUES (1, 'Ada', 1); INSERT INTO book VALUES (1, 'Notes', 1, 978307260);
      """)
    #expect(
      try lab.refusal(to: model).contains("'Book.author' is required, and no column of 'BOOK'"))
    let map = ["book.writer=Book.author"]
    #expect(
      try lab.refusal(to: model, map: map).contains(
        "'BOOK.writer' has keys of a table that does not become the entity 'Author'"))
    let plan = try lab.convert(
      to: model, map: map + ["authors=Author", "BOOK.day=Book.publishedAt"])
    #expect(plan?.hints == [])
    #expect(
      try lab.rows("SELECT headline, author, publishedAt FROM Book") == ["'Notes'|1|60.0"])
  }

  @Test func `the plural of an entity is hinted at`() throws {
    try lab.foreign(
      "CREATE TABLE authors (id INTEGER PRIMARY KEY); INSERT INTO authors VALUES (1);"
        + "CREATE TABLE tag (label TEXT UNIQUE);")
    #expect(
      try lab.refusal(to: Shelf.model).hasSuffix(
        "  goes: rows of 'authors': 1\n  did you mean: --map authors=Author"))
  }
}

extension ConversionTests {
  @Test func `a database of which nothing fits the model is kept, with consent too`() throws {
    try lab.foreign("CREATE TABLE authors (id INTEGER PRIMARY KEY);")
    #expect(
      try lab.refusal(to: Shelf.model, allowsLoss: true) == """
        the tables cannot become those of the model; nothing was changed
          found: no table has the name of an entity: the tables are 'authors', the entities 'Author', \
        'Book', 'Tag'; is it the right model? Otherwise say what is what (--map TABLE=Entity)
        """)
    try lab.convert(to: Shelf.model, map: ["authors=Author"])
    #expect(try lab.differences(from: Shelf.model) == [])
  }
}

// MARK: - Stopping, and progress

extension ConversionTests {
  /// Counts how often SQLite asks.
  private final class Questions: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  private func manyTags() throws {
    try lab.foreign(
      """
      CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT UNIQUE);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO tag SELECT i, 'tag ' || i FROM n;
      """)
  }

  @Test(arguments: [1, 2, 20, 60])
  func `a conversion that is stopped leaves the database as it was`(question: Int) throws {
    try manyTags()
    let before = try lab.rows("SELECT type, name, sql FROM sqlite_schema")
    let questions = Questions()
    let backend = SQLiteMigrationBackend(path: lab.store) { questions.next() >= question }
    let options = ForeignOptions(map: try ForeignMap(), allowsLoss: true)
    let error = #expect(throws: PersistenceError.self) {
      _ = try Migrator(backend, target: Shelf.model).convert(options, history: [], of: "SQL")
    }
    #expect(error?.code == .interrupted)
    #expect(try lab.rows("SELECT type, name, sql FROM sqlite_schema") == before)
    try lab.convert(to: Shelf.model, allowsLoss: true)
  }

  @Test func `a conversion tells how many rows are written`() throws {
    try manyTags()
    var seen: [Int] = []
    let options = ForeignOptions(map: try ForeignMap(), allowsLoss: true)
    _ = try Migrator(lab.backend(), target: Shelf.model).convert(
      options, history: [], of: "SQL",
      progress: { progress in
        if case .rows("Tag", let rows, of: 3000) = progress { seen.append(rows) }
      })
    #expect(seen.count > 3)
    #expect(seen == seen.sorted())
  }
}

// MARK: - Refusals

extension ConversionTests {
  /// Rows or tables that are refused, and the words.
  enum Refused: String, CaseIterable, CustomTestStringConvertible {
    case values, range, dangling, danglingLink, textKey, required, twoColumns, key, unique, mapTable
    case mapColumn, mapEntity, mapProperty, compositeKey, hierarchy, twice, lastKey

    var testDescription: String { rawValue }

    var statements: String {
      switch self {
      case .values: "UPDATE book SET published_at = 'yesterday' WHERE id = 3"
      case .range: "UPDATE author SET isAlive = 2"
      case .dangling: "DELETE FROM author WHERE id = 5"
      case .danglingLink: "DELETE FROM tag WHERE id = 1"
      case .textKey:
        "DROP TABLE author; CREATE TABLE author (id TEXT PRIMARY KEY, name TEXT, isAlive INT) "
          + "WITHOUT ROWID; INSERT INTO author VALUES ('1', 'Ada', 1), ('5', 'Grace', 1)"
      case .required:
        "DROP TABLE tag; CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT); "
          + "INSERT INTO tag VALUES (1, 'a'), (2, NULL)"
      case .twoColumns: "ALTER TABLE book ADD COLUMN publishedAt TEXT"
      case .key: "INSERT INTO tag VALUES (0, 'c'), (-1, 'd')"
      case .lastKey: "INSERT INTO author VALUES (9223372036854775807, 'last', NULL, 1)"
      case .unique:
        "DROP TABLE tag; CREATE TABLE tag (id INTEGER PRIMARY KEY, label TEXT); "
          + "INSERT INTO tag VALUES (1, 'a'), (2, 'a')"
      case .compositeKey:
        "DROP TABLE author; CREATE TABLE author (id INT, b INT, name TEXT, isAlive INT, "
          + "PRIMARY KEY (id, b)); DROP TABLE book; CREATE TABLE book (id INTEGER PRIMARY KEY, "
          + "title TEXT, authorId INT); INSERT INTO book VALUES (1, 'x', 1)"
      case .twice: "CREATE TABLE labels AS SELECT * FROM bookTag"
      default: "SELECT 1"
      }
    }

    var map: [String] {
      switch self {
      case .mapTable: ["bok=Book"]
      case .mapColumn: ["book.titel=Book.title"]
      case .mapEntity: ["book=Boook"]
      case .mapProperty: ["book.title=Book.titel"]
      case .hierarchy: ["tag=Author"]
      case .twice: ["labels=Book.tags", "bookTag.bookId=Book.tags"]
      default: []
      }
    }

    var words: String {
      switch self {
      case .values:
        "values of 'book.published_at' that are not of type Date for 'Book.publishedAt': 1; change them with"
      case .range:
        "values of 'author.isAlive' that are not of type Boolean for 'Author.isAlive': 2; "
      case .dangling: "rows of 'book' whose 'authorId' leads to no row of 'author': 1; mend or"
      case .danglingLink: "rows of 'bookTag' whose 'tagId' leads to no row of 'tag': 1; remove"
      case .textKey: "'book.authorId' refers to 'author', which is WITHOUT ROWID and has no numbers"
      case .required:
        "rows of 'tag' without a value in 'label' for 'Tag.label', which is required: 1"
      case .twoColumns:
        "the columns 'publishedAt', 'published_at' of 'book' are both 'Book.publishedAt'; say which"
      case .key: "rows of 'tag' whose key is below 1 or the largest number: 2; give them other keys"
      case .lastKey: "rows of 'author' whose key is below 1 or the largest number: 1; "
      case .unique:
        "values of 'Tag' (label) that several rows of 'tag' have, though they are unique: 1"
      case .mapTable: "'bok=Book': there is no table 'bok'; did you mean 'book'?"
      case .mapColumn: "the table 'book' has no column 'titel'; did you mean 'title'?"
      case .mapEntity: "'book=Boook': the model has no entity 'Boook'; did you mean 'Book'?"
      case .mapProperty: "the entity 'Book' has no property 'titel'; did you mean 'title'?"
      case .compositeKey: "refers to 'author', whose primary key has 2 columns; give that table"
      case .hierarchy: "the tables 'author' and 'tag' would both have their rows in the table of"
      case .twice: "the tables 'bookTag' and 'labels' both have links of 'Book.tags'; say which"
      }
    }
  }

  @Test(arguments: Refused.allCases)
  func `rows that cannot become the model's are named, and nothing is written`(
    refused: Refused
  ) throws {
    try lab.foreign(Shelf.tables, Shelf.rows, refused.statements)
    let text = try lab.refusal(to: Shelf.model, map: refused.map, allowsLoss: true)
    #expect(text.contains(refused.words), "\(text)")
    #expect(text.contains("; nothing was changed\n  found: "), "\(text)")
  }

  @Test(arguments: ["book", "=Book", "book=", "book.title=Book", "a.=B.c"])
  func `a line of the map that is none is refused`(line: String) {
    #expect(throws: PersistenceError.self) { try ForeignMap([line]) }
  }
}

// MARK: - A model from tables

extension ConversionTests {
  @Test func `W7: what tables have and a model does not is noted`() throws {
    try lab.foreign(
      """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, price REAL NOT NULL CHECK (price > (0)), count INT DEFAULT 1,
        total REAL AS (price * count) STORED, twice REAL GENERATED ALWAYS AS (price * 2),
        owner INT REFERENCES gone(id), name TEXT COLLATE NOCASE DEFAULT 'it''s',
        made DATE DEFAULT CURRENT_TIMESTAMP,
        CONSTRAINT positive CHECK (count >= 0));
      CREATE INDEX cheap ON item(price) WHERE price < 1;
      CREATE INDEX lowered ON item(lower(name));
      CREATE UNIQUE INDEX trimmed ON item(made COLLATE RTRIM);
      """)
    let foreign = ForeignModel(try #require(try ForeignDatabase.at(lab.store)).schema)
    #expect(
      foreign.notes == [
        "the DEFAULT CURRENT_TIMESTAMP of 'item.made' is not in the model",
        "'item.total' is computed from other columns; its attribute keeps the values and does not "
          + "follow them",
        "'item.twice' is computed from other columns; its attribute keeps the values and does not "
          + "follow them",
        "'owner' of 'item' refers to the table 'gone', which is not there; it is not a relationship",
        "the CHECK (price > (0)) of 'item' is not in the model",
        "the CHECK (count >= 0) of 'item' is not in the model",
        "the COLLATE NOCASE of 'item.name' is not in the model",
        "the index 'cheap' of 'item' is one of some rows or of expressions, and is not in the model",
        "the index 'lowered' of 'item' is one of some rows or of expressions, and is not in the model",
        "the COLLATE RTRIM of the index 'trimmed' of 'item' is not in the model",
      ])
    let item = try #require(foreign.model.entity(named: "Item"))
    #expect(item.attributes.first { $0.name == "name" }?.defaultValue == .string("it's"))
    #expect(item.attributes.first { $0.name == "count" }?.defaultValue == .integer(1))
  }

  @Test func `W7: tables and columns whose names become one are distinguished`() throws {
    try lab.foreign(
      """
      CREATE TABLE "my table" (id INTEGER PRIMARY KEY, "a b" TEXT, a_b TEXT, AB TEXT);
      CREATE TABLE my_table (id INTEGER PRIMARY KEY, owner INT REFERENCES "my table"(id));
      CREATE TABLE mytable (id INTEGER PRIMARY KEY, owner INT REFERENCES my_table(id));
      INSERT INTO "my table" VALUES (1, 'x', 'y', 'z');
      INSERT INTO my_table VALUES (7, 1);
      INSERT INTO mytable VALUES (9, 7);
      """)
    let foreign = ForeignModel(try #require(try ForeignDatabase.at(lab.store)).schema)
    #expect(
      foreign.notes == [
        "'my_table' is the entity 'MyTable2', as another table is 'MyTable'",
        "'mytable' is the entity 'Mytable3', as another table is 'Mytable'",
      ])
    try foreign.model.validate()
    let plan = try lab.convert(to: foreign.model)
    #expect(plan?.losses.isEmpty == true)
    #expect(try lab.rows("SELECT aB, aB2, ab3 FROM MyTable") == ["'x'|'y'|'z'"])
    #expect(try lab.rows("SELECT _id, owner FROM MyTable2") == ["7|1"])
    #expect(try lab.rows("SELECT _id, owner FROM Mytable3") == ["9|7"])
  }
}
