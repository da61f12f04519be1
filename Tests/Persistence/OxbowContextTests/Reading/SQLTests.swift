import Foundation
import OxbowContext
import OxbowModel
import OxbowSQLite
import OxbowStore
import OxbowTestSupport
import Testing

@Suite struct SQLTests {
  let library: Library
  let context: ManagedObjectContext

  init() throws {
    library = try Library(recorder: LogRecorder())
    try library.fill()
    context = library.context()
  }

  /// What is said of a statement that is refused.
  func refusal(_ sql: SQLText, arguments: [(any FetchValueConvertible)?] = []) -> String {
    let error = #expect(throws: PersistenceError.self) {
      try context.fetchRows(sql: sql, arguments: arguments)
    }
    #expect(error?.code == .invalidSQL)
    return error.map { "\($0)" } ?? ""
  }

  // MARK: Rows

  @Test func `a statement gives rows, read by name and by place (PF-11)`() throws {
    let rows = try context.fetchRows(
      sql: """
        SELECT a.\(\Author.name) AS author, count(*) AS n, sum(b.\(\Book.pages)), NULL AS missing
        FROM \(Book.self) AS b JOIN \(Author.self) AS a ON a.\(keyOf: Author.self) = b.\(\Book.author)
        WHERE b.\(\Book.pages) >= \(1) GROUP BY 1 ORDER BY 1;
        """)
    #expect(rows.map(\.columnNames)[0][0..<2] == ["author", "n"])
    #expect(try rows.map { try $0.value("author", as: String.self) } == ["A0", "A1"])
    #expect(try rows.map { try $0.value("N", as: Int.self) } == [2, 3])
    #expect(try rows.map { try $0.value(at: 2, as: Int32.self) } == [3, 303])
    #expect(try rows.map { try $0.value(at: 2, as: Double.self) } == [3, 303])
    #expect(try rows[0].valueIfPresent("missing", as: String.self) == nil)
    #expect(rows[0]["author"] == .string("A0"))
    #expect(context.statistics.fetches == 1)
  }

  @Test func `arguments are bound in order, lists and objects among values (PF-11)`() throws {
    let titles = try context.fetchRows(
      sql: "SELECT title FROM Book WHERE pages BETWEEN ? AND ? ORDER BY title",
      arguments: [1, 100])
    #expect(try titles.map { try $0.value(at: 0) as String } == ["A0B1", "A0B2", "A1B0"])
    let author = try #require(try context.fetch(Author.self, where: .equal("name", "A1")).first)
    let its = try context.fetchRows(
      sql: """
        SELECT title FROM \(Book.self) WHERE \(\Book.author) = \(author) AND title IN \
        \(["A1B2", "A0B2", "x'; DROP TABLE Book; --"])
        """)
    #expect(try its.map { try $0.value(at: 0) as String } == ["A1B2"])
    #expect(try context.fetchRows(sql: "SELECT 1 WHERE 1 IN \([Int]())").isEmpty)
    let many = try context.fetchRows(
      sql: "SELECT count(*) FROM Book WHERE pages IN \(Array(0..<40_000))")
    #expect(try many[0].value(at: 0, as: Int.self) == 6)
  }

  @Test func `values of every type come back as they went (PF-11)`() throws {
    let uuid = UUID()
    let date = Date(timeIntervalSinceReferenceDate: 12.5)
    let number = try #require(Decimal(string: "12345678901234567890.125"))
    let url = try #require(URL(string: "https://oxbow.example/a?b"))
    let rows = try context.fetchRows(
      sql: """
        SELECT \(uuid) AS uuid, \(date) AS date, \(number) AS number, \(url) AS url,
        \(true) AS truth, \(Data([1, 0, 255])) AS data, \("é'\"") AS text, \(nil as Int?) AS none
        """)
    let row = try #require(rows.first)
    #expect(try row.value("uuid") == uuid)
    #expect(try row.value("date") == date)
    #expect(try row.value("number") == number)
    #expect(try row.value("url") == url)
    #expect(try row.value("truth") == true)
    #expect(try row.value("data") == Data([1, 0, 255]))
    #expect(try row.value("text") == "é'\"")
    #expect(row["none"] == nil)
  }

  @Test func `a value of another type and a column that is not there are errors (PF-11)`() throws {
    let row = try #require(
      try context.fetchRows(sql: "SELECT title, pages, NULL AS note FROM Book LIMIT 1").first)
    func message<T: AttributeConvertible>(_ column: String, _ type: T.Type) -> String? {
      #expect(throws: PersistenceError.self) { try row.value(column, as: type) }
        .map { "\($0)" }
    }
    #expect(
      message("pagse", Int.self) == """
        the statement gives no column 'pagse'; it gives 'note', 'pages', 'title'
          did you mean: 'pages'?
        """)
    #expect(
      message("title", Int.self)
        == "the column 'title' has TEXT, which is not of type 'Int': a store keeps one as INTEGER")
    #expect(
      message("pages", Date.self) == """
        the column 'pages' has the INTEGER 0, which is not of type 'Date': a store keeps one as REAL, the \
        seconds since 2001
        """)
    #expect(
      message("note", String.self) == """
        the column 'note' has no value in this row; ask for it with `valueIfPresent`
        """)
    #expect(throws: PersistenceError.self) { try row.value(at: 3, as: Int.self) }
  }

  // MARK: Only reading

  @Test(arguments: [
    "DELETE FROM Book", "UPDATE Book SET pages = 1", "INSERT INTO Tag (name) VALUES ('x')",
    "DROP TABLE Book", "PRAGMA query_only = 0", "PRAGMA journal_mode = DELETE", "BEGIN", "COMMIT",
    "ATTACH ':memory:' AS other", "VACUUM", "EXPLAIN PRAGMA query_only = 0",
    "WITH x AS (SELECT 1) DELETE FROM Book", "-- a comment\nDELETE FROM Book", "REINDEX",
  ])
  func `a statement that does more than read is refused (PF-11)`(_ text: String) throws {
    let message = refusal(SQLText(raw: text))
    #expect(message.contains("only statements that read are possible"))
    #expect(try context.fetchRows(sql: "SELECT count(*) FROM Book")[0].value(at: 0) == 6)
    #expect(try library.titlesOnDisk().count == 6)
  }

  @Test func `several statements are refused, an end and comments are not (PF-11)`() throws {
    #expect(
      refusal("SELECT 1; DELETE FROM Book") == """
        the SQL cannot be answered: it is more than one statement; run them one by one
          statement: SELECT 1; DELETE FROM Book
        """)
    for text in ["SELECT 1 ; ", "SELECT 1 -- one; two", "/* ; */ SELECT 1; -- end\n/* x */ ;"] {
      #expect(try context.fetchRows(sql: SQLText(raw: text)).count == 1)
    }
    #expect(try context.fetchRows(sql: "SELECT ';', \"title\", [title] FROM Book").count == 6)
    #expect(try context.fetchRows(sql: "VALUES (1), (2)").count == 2)
    #expect(try !context.fetchRows(sql: "EXPLAIN QUERY PLAN SELECT * FROM Book").isEmpty)
  }

  @Test func `what is wrong with a text is said before it runs (PF-11)`() {
    #expect(refusal("").contains("it is empty"))
    #expect(refusal(" -- nothing").contains("it is empty"))
    #expect(refusal("SELECT 'x").contains("a ''' in it does not end"))
    #expect(refusal("SELECT /* x").contains("a '/*' in it does not end"))
    #expect(
      refusal("SELECT ?", arguments: []).contains(
        "it has 1 parameters, and the number of values is 0"))
    #expect(refusal("SELECT '?'", arguments: [1]).contains("has 0 parameters"))
    #expect(refusal("SELECT :name", arguments: [1]).contains("it has the parameter ':name'"))
    #expect(refusal("SELECT ?1", arguments: [1]).contains("it has the parameter '?1'"))
    #expect(
      refusal("SELECT \(1), ?", arguments: [2]).contains("as interpolations and as arguments"))
  }

  @Test func `an unknown name has near ones (PF-11)`() throws {
    #expect(
      refusal("SELECT titel FROM Book") == """
        the SQL cannot be answered: no such column: titel
          statement: SELECT titel FROM Book
          did you mean: 'title'?
        """)
    #expect(refusal("SELECT * FROM Bok").contains("did you mean: 'Book'?"))
    #expect(refusal("SELECT * FORM Book").contains("syntax error"))
    #expect(
      refusal("SELECT \(\Book.tags) FROM Book").contains(
        "'tags' of 'Book' has no column: it leads to many objects"))
    #expect(
      refusal("SELECT \(\Book.title.count) FROM Book").contains("not a stored property of 'Book'"))
    #expect(throws: PersistenceError.self) {
      try context.fetchRows(sql: "SELECT * FROM \(entity: "Bok")")
    }
  }

  // MARK: Objects

  @Test func `a statement gives objects in its order (PF-11)`() throws {
    let books = try context.fetch(
      Book.self,
      sql: """
        SELECT b.\(keyOf: Book.self), length(title) FROM \(Book.self) AS b
        WHERE \(\Book.pages) > \(0) ORDER BY \(\Book.pages) DESC
        """)
    #expect(books.map(\.title) == ["A1B2", "A1B1", "A1B0", "A0B2", "A0B1"])
    #expect(books.filter { $0 is Novel }.count == 2)
    #expect(context.statistics.fetches == 1)
    #expect(context.statistics.faultsFired == 0)
    let novels = try context.fetch(
      Novel.self,
      sql: "SELECT _id FROM \(Novel.self) WHERE \(isKindOf: Novel.self) ORDER BY title LIMIT ?",
      arguments: [1])
    #expect(novels.map(\.title) == ["A0B2"])
    #expect(novels[0] === books[3])
    #expect(try context.fetch(Tag.self, sql: "SELECT _id FROM Tag WHERE 0") == [])
  }

  @Test func `a statement without keys, or with those of others, gives no objects (PF-11)`() throws
  {
    func refusal<T: ManagedObject>(_ type: T.Type, _ sql: SQLText) -> String {
      let error = #expect(throws: PersistenceError.self) { try context.fetch(type, sql: sql) }
      #expect(error?.code == .invalidSQL)
      return error?.message ?? ""
    }
    #expect(
      refusal(Book.self, "SELECT title, pages FROM Book") == """
        the SQL cannot be answered: objects are found by the column '_id', and it gives 'pages', \
        'title'; add "\\(keyOf: ….self)" to what it selects
        """)
    #expect(
      refusal(Book.self, "SELECT a._id, b._id FROM Author AS a, Book AS b").contains("gives 2 of"))
    #expect(refusal(Book.self, "SELECT NULL AS _id").contains("it gives NULL where the key"))
    #expect(
      refusal(Book.self, "SELECT 'x' AS _id").contains("it gives TEXT where the key"))
    #expect(
      refusal(Novel.self, "SELECT _id FROM Book ORDER BY _id").contains(
        "which no object of 'Novel' has"))
    #expect(refusal(Book.self, "SELECT 4711 AS _id").contains("the key 4711"))
  }

  @Test func `objects keep unsaved changes, and deleted ones are left out (PF-11)`() throws {
    let sql: SQLText = "SELECT _id FROM Book ORDER BY title"
    let books = try context.fetch(Book.self, sql: sql)
    books[0].title = "changed"
    try context.delete(books[1])
    let again = try context.fetch(Book.self, sql: sql)
    #expect(again.map(\.title) == ["changed", "A0B2", "A1B0", "A1B1", "A1B2"])
    #expect(try context.fetchRows(sql: "SELECT * FROM Book").count == 6)
  }

  @Test func `a repository asks in SQL through its protocol (PF-11)`() throws {
    let repository: any ObjectContext = context
    #expect(try repository.fetch(Book.self, sql: "SELECT _id FROM Book").count == 6)
    #expect(
      try repository.fetch(Book.self, sql: "SELECT _id FROM Book WHERE pages = ?", arguments: [2])
        .count == 1)
    #expect(try repository.fetchRows(sql: "SELECT 1 WHERE ?", arguments: [true]).count == 1)
  }

  // MARK: Conditions

  @Test func `a condition in SQL is combined with others (PF-11)`() throws {
    func titles(_ predicate: FetchPredicate) throws -> [String] {
      try context.fetch(Book.self, where: predicate, sortedBy: [.ascending(\.title)]).map(\.title)
    }
    #expect(try titles(.sql("\(\Book.pages) % \(2) = 1")) == ["A0B1", "A1B1"])
    #expect(try titles(.sql("pages % ? = 1 -- odd", arguments: [2])) == ["A0B1", "A1B1"])
    #expect(
      try titles(.equal("author.name", "A0") && .sql("\(\Book.pages) > \(0)")) == ["A0B1", "A0B2"])
    #expect(
      try titles(.equal("author.name", "A0") && !.sql("NULLIF(\(\Book.pages), 0) > 1"))
        == ["A0B0", "A0B1"])
    #expect(
      try titles(
        .sql(
          """
          \(\Book.pages) = (SELECT max(x.\(\Book.pages)) FROM \(Book.self) AS x
          WHERE x.\(\Book.author) = \(\Book.author))
          """)) == ["A0B2", "A1B2"])
    #expect(try titles(.sql("\(isKindOf: Novel.self)")) == ["A0B2", "A1B2"])
    #expect(
      try context.fetch(
        Author.self, where: .any("books", .sql("\(\Book.pages) >= \(100)"))
      ).map(\.name) == ["A1"])
    #expect(try context.count(Book.self, where: .sql("\(keyOf: Book.self) IN (SELECT 0)")) == 0)
  }

  @Test func `a condition in SQL is one expression (PF-11)`() throws {
    for text in ["1) OR (1", "1; DELETE FROM Book", "(1", "", "x = 'a"] {
      let error = #expect(throws: PersistenceError.self) {
        try context.fetch(Book.self, where: .sql(SQLText(raw: text)))
      }
      #expect(error?.code == .invalidSQL)
    }
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Book.self, where: .sql("pages > ? AND pages < ?", arguments: [1]))
    }
    #expect(error?.message.contains("it has 2 parameters, and the number of values is 1") == true)
    #expect(throws: PersistenceError.self) {
      try context.fetch(Book.self, where: .sql("\(\Author.name) = 'x'"))
    }
  }

  @Test func `a condition in SQL is refused while there are unsaved changes (PF-11)`() throws {
    let predicate = FetchPredicate.sql("\(\Book.pages) > \(1)")
    #expect(try context.count(Book.self, where: predicate) == 4)
    let book = try #require(try context.fetch(Book.self).first)
    book.pages = 4
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(Book.self, where: predicate)
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("save or roll back first") == true)
    #expect(throws: PersistenceError.self) { try context.count(Book.self, where: predicate) }
    try context.save()
    #expect(try context.count(Book.self, where: predicate) == 5)
  }

  @Test func `a condition in SQL describes itself (PF-11)`() {
    #expect(
      "\(FetchPredicate.sql("\(\Book.pages) > \(1)"))" == "sql(\"Book.pages > ?\")")
  }
}
