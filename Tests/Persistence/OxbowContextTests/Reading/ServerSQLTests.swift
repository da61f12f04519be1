#if PostgreSQL
  import Foundation
  import OxbowContext
  import OxbowModel
  import OxbowStore
  import OxbowTestSupport
  import Testing

  /// SQL of a program on a server, in the server's language.
  @Suite(.enabled(if: TestServer.shared != nil))
  struct ServerSQLTests {
    let coordinator: PersistentStoreCoordinator
    let context: ManagedObjectContext

    /// Two authors with three books each of 0, 1, 2 and 100, 101, 102 pages; the last are novels.
    init() throws {
      coordinator = try HistoryLibrary(.server).open(.off)
      context = coordinator.context()
      for author in 0..<2 {
        let writer = try context.insert(Author.self) { $0.name = "A\(author)" }
        for number in 0..<3 {
          let book = try context.insert(number == 2 ? Novel.self : Book.self)
          book.title = "A\(author)B\(number)"
          book.pages = Int32(author * 100 + number)
          book.author = writer
        }
      }
      try context.save()
    }

    private func refusal(
      _ sql: SQLText, arguments: [(any FetchValueConvertible)?] = []
    ) -> String {
      let error = #expect(throws: PersistenceError.self) {
        try context.fetchRows(sql: sql, arguments: arguments)
      }
      #expect(error?.code == .invalidSQL)
      return error.map { "\($0)" } ?? ""
    }

    private func titles(_ predicate: FetchPredicate) throws -> [String] {
      try context.fetch(Book.self, where: predicate, sortedBy: [.ascending(\.title)]).map(\.title)
    }

    @Test func `a statement gives rows, read by name and by place (PF-11)`() throws {
      let rows = try context.fetchRows(
        sql: """
          SELECT a.\(\Author.name) AS author, count(*) AS n, sum(b.\(\Book.pages)), NULL AS missing,
          sum(b.\(\Book.pages)::int8) AS wide, avg(b.\(\Book.pages)) AS mean
          FROM \(Book.self) AS b JOIN \(Author.self) AS a
          ON a.\(keyOf: Author.self) = b.\(\Book.author)
          WHERE b.\(\Book.pages) >= \(1) GROUP BY 1 ORDER BY 1;
          """)
      #expect(rows.map(\.columnNames)[0][0..<2] == ["author", "n"])
      #expect(try rows.map { try $0.value("author", as: String.self) } == ["A0", "A1"])
      #expect(try rows.map { try $0.value("N", as: Int.self) } == [2, 3])
      #expect(try rows.map { try $0.value(at: 2, as: Int32.self) } == [3, 303])
      #expect(try rows.map { try $0.value("wide", as: Int.self) } == [3, 303])
      #expect(try rows.map { try $0.value("mean", as: Double.self) } == [1.5, 101])
      #expect(try rows[0].value("mean", as: Decimal.self) == 1.5)
      #expect(try rows[0].valueIfPresent("missing", as: String.self) == nil)
    }

    @Test func `arguments are bound in order, lists and objects among values (PF-11)`() throws {
      let titles = try context.fetchRows(
        sql: "SELECT title FROM \"Book\" WHERE pages BETWEEN ? AND ? ORDER BY title",
        arguments: [1, 100])
      #expect(try titles.map { try $0.value(at: 0) as String } == ["A0B1", "A0B2", "A1B0"])
      let author = try #require(try context.fetch(Author.self, where: .equal("name", "A1")).first)
      let its = try context.fetchRows(
        sql: """
          SELECT title FROM \(Book.self) WHERE \(\Book.author) = \(author) AND title IN \
          \(["A1B2", "A0B2", "x'; DROP TABLE Book; --"])
          """)
      #expect(try its.map { try $0.value(at: 0) as String } == ["A1B2"])
      #expect(refusal("SELECT 1 WHERE 1 IN \([Int]())").contains("a list without elements"))
      let quoted = try context.fetchRows(sql: "SELECT $a$?;'$a$ AS a, E'\\'?' AS b, \(1)::int AS c")
      #expect(try quoted[0].value("a") == "?;'" && quoted[0].value("b") == "'?")
      #expect(try quoted[0].value("c", as: Int.self) == 1)
    }

    @Test(arguments: [
      "DELETE FROM \"Book\"", "WITH x AS (DELETE FROM \"Book\" RETURNING 1) SELECT * FROM x",
      "EXPLAIN ANALYZE DELETE FROM \"Book\"", "SELECT * INTO copy FROM \"Book\"", "COMMIT",
      "SET work_mem = 100", "CALL x()", "COPY \"Book\" TO STDOUT",
      "-- a comment\nUPDATE \"Book\" SET pages = 1",
    ])
    func `a statement that does more than read is refused (PF-11)`(_ text: String) throws {
      #expect(refusal(SQLText(raw: text)).contains("only statements that read are possible"))
      #expect(try context.fetchRows(sql: "SELECT count(*) FROM \"Book\"")[0].value(at: 0) == 6)
    }

    @Test func `what is wrong with a text is said with near names (PF-11)`() throws {
      #expect(refusal("SELECT 1; DELETE FROM \"Book\"").contains("more than one statement"))
      #expect(refusal("SELECT 'x").contains("does not end"))
      #expect(refusal("SELECT $1", arguments: [1]).contains("it has the parameter '$1'"))
      #expect(refusal("SELECT ?").contains("it has 1 parameters"))
      #expect(refusal("SELECT titel FROM \"Book\"").contains("did you mean: 'title'?"))
      let capital = refusal("SELECT * FROM Book")
      #expect(capital.contains("did you mean: 'Book'?"))
      #expect(capital.contains("names that have capitals are written in quotes"))
      #expect(refusal("SELECT * FORM \"Book\"").contains("statement: SELECT * FORM"))
      #expect(try context.count(Book.self) == 6)
    }

    @Test func `a statement gives objects in its order, and refuses others (PF-11)`() throws {
      let books = try context.fetch(
        Book.self,
        sql: """
          SELECT b.\(keyOf: Book.self), length(title) FROM \(Book.self) AS b
          WHERE \(\Book.pages) > \(0) ORDER BY \(\Book.pages) DESC
          """)
      #expect(books.map(\.title) == ["A1B2", "A1B1", "A1B0", "A0B2", "A0B1"])
      #expect(books.filter { $0 is Novel }.count == 2)
      for (sql, words) in [
        ("SELECT title FROM \"Book\"", "add \"\\(keyOf: ….self)\""),
        ("SELECT NULL AS _id", "it gives NULL where the key"),
        ("SELECT 4711 AS _id", "the key 4711"),
      ] {
        let error = #expect(throws: PersistenceError.self) {
          try context.fetch(Book.self, sql: SQLText(raw: sql))
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      }
    }

    @Test func `a condition in SQL is combined with others (PF-11)`() throws {
      #expect(try titles(.sql("\(\Book.pages) % \(2) = 1")) == ["A0B1", "A1B1"])
      #expect(try titles(.sql("pages % ? = 1 -- odd", arguments: [2])) == ["A0B1", "A1B1"])
      #expect(
        try titles(.equal("author.name", "A0") && !.sql("NULLIF(\(\Book.pages), 0) > \(1)"))
          == ["A0B0", "A0B1"])
      #expect(
        try titles(
          .sql(
            """
            \(\Book.pages) = (SELECT max(x.\(\Book.pages)) FROM \(Book.self) AS x
            WHERE x.\(\Book.author) = t0.\(\Book.author))
            """)) == ["A0B2", "A1B2"])
      #expect(try titles(.sql("\(isKindOf: Novel.self)")) == ["A0B2", "A1B2"])
      #expect(
        try context.fetch(
          Author.self, where: .any("books", .sql("\(\Book.pages) >= \(100)"))
        ).map(\.name) == ["A1"])
      #expect(try context.count(Book.self, where: .sql("\(keyOf: Book.self) IN (SELECT 0)")) == 0)
      let update = try context.batchUpdate(Book.self, where: .sql("pages > \(100)")) {
        $0.set(\.pages, to: 7)
      }
      #expect(try update.count == 2 && titles(.sql("pages = 7")) == ["A1B1", "A1B2"])
    }

    @Test func `a condition in SQL is one expression, and not beside what memory decides (PF-11)`()
      throws
    {
      for text in ["1) OR (1", "true; DELETE FROM \"Book\"", "(true", "", "title = 'a"] {
        let error = #expect(throws: PersistenceError.self) {
          try titles(.sql(SQLText(raw: text)))
        }
        #expect(error?.code == .invalidSQL, "\(text)")
      }
      let beside = #expect(throws: PersistenceError.self) {
        try titles(.sql("pages > 1") && .contains("title", "b", .caseInsensitive))
      }
      #expect(beside?.code == .unsupported)
      #expect(beside?.message.contains("write the whole condition in SQL") == true)
    }

    @Test func `what the server never prepares leaves other statements prepared (PF-11)`() throws {
      let fetch = { try self.context.fetchIDs(Book.self, where: .greater("pages", 1)).count }
      for _ in 0..<3 { #expect(try fetch() == 4) }
      let prepared: SQLText = "SELECT count(*) AS n FROM pg_prepared_statements"
      let before = try context.fetchRows(sql: prepared)[0].value("n", as: Int.self)
      #expect(refusal("SELECT count(*) FROM other.public.t").contains("cross-database"))
      for _ in 0..<3 { #expect(try fetch() == 4) }
      let isKept = try context.fetchRows(sql: prepared)[0].value("n", as: Int.self) >= before
      #expect(isKept)
    }

    @Test func `too many values are refused, and cost no view its moment (PF-11)`() throws {
      let view = try ManagedObjectContext(pinning: coordinator)
      let keys = Array(1...70_000)
      let error = #expect(throws: PersistenceError.self) {
        try view.fetchRows(sql: "SELECT title FROM \(Book.self) WHERE pages IN \(keys)")
      }
      #expect(error?.code == .invalidSQL && error?.message.contains("70000 values") == true)
      #expect(try view.count(Book.self, where: .sql("pages IN \([0, 1, 2])")) == 3)
    }

    @Test func `a mistake in the condition of an update is one of the SQL (PF-11, PG-13)`() throws {
      let error = #expect(throws: PersistenceError.self) {
        try context.batchUpdate(Book.self, where: .sql("pagez > 1")) { $0.set(\.pages, to: 7) }
      }
      #expect(error?.code == .invalidSQL && error?.nearNames.contains("pages") == true)
    }

    @Test func `a view answers SQL of its moment, also after one that fails (PS-12)`() throws {
      let view = try ManagedObjectContext(pinning: coordinator)
      _ = try context.insert(Book.self) { $0.title = "new" }
      try context.save()
      let count: SQLText = "SELECT count(*) AS n FROM \(Book.self)"
      #expect(try view.fetchRows(sql: count)[0].value("n", as: Int.self) == 6)
      for text in ["SELECT nonsense", "SELECT 1 / 0", "DELETE FROM \"Book\""] {
        #expect(throws: PersistenceError.self) { try view.fetchRows(sql: SQLText(raw: text)) }
      }
      #expect(try view.fetchRows(sql: count)[0].value("n", as: Int.self) == 6)
      #expect(try view.count(Book.self, where: .sql("title = 'new'")) == 0)
      #expect(try context.fetchRows(sql: count)[0].value("n", as: Int.self) == 7)
    }
  }
#endif
