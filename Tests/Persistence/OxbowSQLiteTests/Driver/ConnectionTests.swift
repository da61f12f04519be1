import OxbowRelational
import OxbowSQLite
import Testing

@Suite struct ConnectionTests {
  let scratch: Scratch
  let connection: Connection

  init() throws {
    scratch = try Scratch()
    connection = try Connection(
      path: scratch.file(), configuration: Connection.Configuration(role: .writer))
  }

  @Test func `values of every kind come back as they went in`() throws {
    try connection.execute("CREATE TABLE t(v ANY) STRICT")
    let values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .text(""),
      .text("a\0b ⚙️"), .blob([]), .blob([0, 255, 7]),
    ]
    for value in values { try connection.run("INSERT INTO t VALUES (?)", [value]) }
    #expect(try connection.rows("SELECT v FROM t ORDER BY rowid").map { $0[0] } == values)
  }

  @Test func `automatic checkpoints are off and the hardening is on`() throws {
    #expect(try connection.integer("PRAGMA wal_autocheckpoint") == 0)
    #expect(try connection.integer("PRAGMA trusted_schema") == 1)
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try connection.integer("PRAGMA synchronous") == 2)
    #expect(throws: SQLiteError.self) { try connection.execute("SELECT load_extension('x')") }
    #expect(throws: SQLiteError.self) {
      try connection.execute("SELECT \"no such column\"")
    }
  }

  @Test func `a statement that is still stepping is not lent twice`() throws {
    let sql = "VALUES (1), (2), (3)"
    try connection.withStatement(sql) { outer throws in
      #expect(try outer.step())
      #expect(try connection.rows(sql).count == 3)
      #expect(try outer.step())
      #expect(outer.integer(at: 0) == 2)
    }
  }

  @Test func `statements whose texts differ in bytes only are two`() throws {
    let texts = ["caf\u{E9}", "cafe\u{301}"]
    #expect(texts[0] == texts[1])
    for text in texts + texts {
      let bytes = try connection.integer("SELECT length(CAST('\(text)' AS BLOB))")
      #expect(bytes == Int64(text.utf8.count))
    }
  }

  @Test func `two statements in one text are refused`() {
    #expect(throws: SQLiteError.self) { try connection.run("SELECT 1; SELECT 2") }
  }

  @Test func `an error names code, message, statement and file`() throws {
    try connection.execute("CREATE TABLE t(v TEXT NOT NULL UNIQUE) STRICT")
    try connection.run("INSERT INTO t VALUES (?)", [.text("x")])
    let error = #expect(throws: SQLiteError.self) {
      try connection.run("INSERT INTO t VALUES (?)", [.text("x")])
    }
    #expect(error?.code == .constraintUnique)
    #expect(
      error?.description == """
        SQLITE_CONSTRAINT_UNIQUE (2067) in "\(scratch.file())": UNIQUE constraint failed: t.v
          statement: INSERT INTO t VALUES (?)
        """)
  }

  @Test func `values are shown only when the configuration says so`() throws {
    var configuration = Connection.Configuration(role: .writer)
    configuration.showsValues = true
    let open = try Connection(path: scratch.file("other"), configuration: configuration)
    try open.execute("CREATE TABLE t(v INTEGER NOT NULL) STRICT")
    let error = #expect(throws: SQLiteError.self) {
      try open.run("INSERT INTO t VALUES (?)", [.text("secret")])
    }
    #expect(error?.sql == "INSERT INTO t VALUES ('secret')")
  }

  @Test func `a transaction whose body throws leaves nothing`() throws {
    struct Refused: Error {}
    try connection.execute("CREATE TABLE t(v INTEGER) STRICT")
    #expect(throws: Refused.self) {
      try connection.transaction(.write) {
        try connection.run("INSERT INTO t VALUES (1)")
        throw Refused()
      }
    }
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
  }

  @Test func `a transaction that SQLite ended itself is not ended twice`() throws {
    try connection.execute(
      "CREATE TABLE t(v INTEGER) STRICT; INSERT INTO t VALUES (0);"
        + "CREATE TRIGGER end BEFORE INSERT ON t WHEN new.v = 13 "
        + "BEGIN SELECT raise(ROLLBACK, 'gone'); END")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction(.write) {
        try connection.run("INSERT INTO t VALUES (1)")
        try connection.run("INSERT INTO t VALUES (13)")
      }
    }
    #expect(error?.message == "gone")
    #expect(try connection.rows("SELECT v FROM t") == [[.integer(0)]])
  }

  @Test func `a commit that fails on a foreign key is rolled back`() throws {
    try connection.execute(
      "CREATE TABLE p(i INTEGER PRIMARY KEY) STRICT;"
        + "CREATE TABLE c(p INTEGER REFERENCES p(i) DEFERRABLE INITIALLY DEFERRED) STRICT")
    let error = #expect(throws: SQLiteError.self) {
      try connection.transaction(.write) {
        try connection.run("INSERT INTO c VALUES (5)")
        #expect(connection.deferredForeignKeyViolations == 1)
      }
    }
    #expect(error?.code == .constraintForeignKey)
    #expect(error?.isCommit == true)
    #expect(error?.isOutcomeUnknown == false)
    #expect(!connection.isInTransaction)
  }

  @Test func `a changed schema shows as a new preparation`() throws {
    try connection.execute("CREATE TABLE t(v INTEGER) STRICT")
    let sql = "SELECT * FROM t"
    try connection.withStatement(sql) { statement in
      _ = try statement.step()
      #expect(!statement.takeRepreparation())
    }
    try connection.execute("ALTER TABLE t ADD COLUMN w TEXT")
    try connection.withStatement(sql) { statement in
      _ = try statement.step()
      #expect(statement.takeRepreparation())
    }
  }

  @Test func `a path with characters of URIs opens as it is`() throws {
    for name in ["file:x?mode=memory", "a%20b", "c#d"] {
      let connection = try Connection(
        path: scratch.file(name), configuration: Connection.Configuration(role: .writer))
      try connection.execute("CREATE TABLE t(v INTEGER)")
      connection.close()
      var configuration = Connection.Configuration(role: .reader)
      configuration.isReadOnly = true
      configuration.isImmutable = true
      let reader = try Connection(path: scratch.file(name), configuration: configuration)
      #expect(try reader.integer("SELECT count(*) FROM t") == 0)
    }
  }
}
