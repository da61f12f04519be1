import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowSQLite

/// A database as an application with GRDB has it, and the model that its tables shall be those of.
enum Shelf {
  static let tables = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('v1'), ('v2 tags');
    CREATE TABLE author (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(40) NOT NULL, born DATETIME,
      isAlive BOOLEAN NOT NULL DEFAULT 1);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      authorId INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE,
      title TEXT NOT NULL, published_at DATETIME, price DECIMAL(8,2), cover BLOB, uuid TEXT);
    CREATE INDEX book_on_authorId ON book(authorId);
    CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL UNIQUE);
    CREATE TABLE bookTag (
      bookId INTEGER NOT NULL REFERENCES book(id) ON DELETE CASCADE,
      tagId INTEGER NOT NULL REFERENCES tag(id) ON DELETE CASCADE, PRIMARY KEY (bookId, tagId));
    """

  static let rows = """
    INSERT INTO author VALUES
      (1, 'Ada', '1815-12-10 00:00:00.000', 0), (5, 'Grace', NULL, 1), (9, 'Nobody', NULL, 1);
    DELETE FROM author WHERE id = 9;
    INSERT INTO book VALUES
      (3, 1, 'Notes', '2001-01-01 00:00:01.250', 12.5, x'0102',
        '00112233-4455-6677-8899-AABBCCDDEEFF'),
      (4, 5, 'COBOL', '2001-01-02', 7, NULL, NULL);
    INSERT INTO tag VALUES (1, 'a'), (2, 'b');
    INSERT INTO bookTag VALUES (3, 1), (3, 2), (4, 2);
    """

  /// What no model has.
  static let extras = """
    CREATE VIRTUAL TABLE book_ft USING fts5(title, content='book', content_rowid='id');
    INSERT INTO book_ft (rowid, title) SELECT id, title FROM book;
    CREATE VIEW titles AS SELECT title FROM book;
    CREATE TRIGGER book_ai AFTER INSERT ON book BEGIN
      INSERT INTO book_ft (rowid, title) VALUES (new.id, new.title); END;
    """

  static let model = ManagedObjectModel(entities: [
    EntityDescription(
      "Author",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription("born", .date, isOptional: true),
        AttributeDescription("isAlive", .boolean),
      ],
      relationships: [
        RelationshipDescription(
          "books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)
      ]),
    EntityDescription(
      "Book",
      attributes: [
        AttributeDescription("title", .string),
        AttributeDescription("publishedAt", .date, isOptional: true),
        AttributeDescription("price", .decimal, isOptional: true),
        AttributeDescription("cover", .binaryData, isOptional: true),
        AttributeDescription("uuid", .uuid, isOptional: true),
      ],
      relationships: [
        RelationshipDescription("author", to: "Author", inverse: "books", isOptional: false),
        RelationshipDescription("tags", to: "Tag", inverse: "books", isToMany: true),
      ]),
    EntityDescription(
      "Tag", attributes: [AttributeDescription("label", .string)],
      relationships: [
        RelationshipDescription("books", to: "Book", inverse: "tags", isToMany: true)
      ],
      uniquenessConstraints: [["label"]]),
  ])
}

extension Lab {
  /// Makes a database of another tool.
  func foreign(_ statements: String..., journalMode: String = "delete") throws {
    try run("PRAGMA journal_mode = \(journalMode);" + statements.joined())
  }

  /// Makes a store of it.
  @discardableResult
  func convert(
    to model: ManagedObjectModel, map: [String] = [], dates: NumericDates = .unix,
    allowsLoss: Bool = false
  ) throws -> ForeignPlan? {
    var plan: ForeignPlan?
    let options = ForeignOptions(
      map: try ForeignMap(map), dates: dates, allowsLoss: allowsLoss)
    _ = try Migrator(backend(), target: model).convert(options, history: [], of: "SQL") {
      plan = $0
    }
    return plan
  }

  /// What the refusal says, and that nothing was changed.
  func refusal(
    to model: ManagedObjectModel, map: [String] = [], allowsLoss: Bool = false
  ) throws -> String {
    let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2"
    let before = try rows(schema)
    let text = message { try convert(to: model, map: map, allowsLoss: allowsLoss) }
    return try rows(schema) == before ? text : "the database was changed: \(text)"
  }
}
