import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowTestSupport
import Testing

@Suite struct ScriptTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
  }

  @Test func `a script changes rows`() throws {
    try lab.add(
      sql: """
        -- up
        UPDATE "File" SET "kind" = 'a;b' WHERE "_id" = 2; -- a comment; with semicolon
        /* another; one */ INSERT INTO "Folder" VALUES (9, 1, 'x');
        -- down
        DELETE FROM "Folder";
        """)
    _ = try lab.migrator().apply()
    #expect(try lab.rows("SELECT \"kind\" FROM \"File\" WHERE \"_id\" = 2") == ["'a;b'"])
    #expect(try lab.rows("SELECT count(*) FROM \"Folder\"") == ["3"])
  }

  @Test(arguments: [
    ("COMMIT", "COMMIT is not allowed: each script runs in one transaction"),
    ("BEGIN", "BEGIN is not allowed"), ("ROLLBACK", "ROLLBACK is not allowed"),
    ("SAVEPOINT a", "SAVEPOINT, RELEASE and ROLLBACK TO are not allowed"),
    ("ATTACH ':memory:' AS x", "ATTACH and DETACH are not allowed"),
    ("VACUUM", "VACUUM is not allowed: each script runs in one transaction"),
    ("PRAGMA foreign_keys = ON", "PRAGMA foreign_keys is not allowed: inside a transaction"),
    ("PRAGMA journal_mode = DELETE", "PRAGMA journal_mode is not allowed"),
    ("DELETE FROM _oxbow_history", "the table '_oxbow_history' is Oxbow's own"),
    ("DROP TABLE _oxbow_keys", "the table '_oxbow_keys' is Oxbow's own"),
    ("UPDATE _oxbow_metadata SET value = 1", "the table '_oxbow_metadata' is Oxbow's own"),
    ("CREATE TEMP VIEW v AS SELECT 1", "temporary views and triggers are not allowed"),
    ("CREATE TRIGGER t AFTER DELETE ON _oxbow_keys BEGIN SELECT 1; END", "the table '_oxbow_keys'"),
  ])
  func `what a script must not do is refused by name and place`(sql: String, text: String) throws {
    try lab.add(sql: "DELETE FROM \"File\";\n\n  -- why\n  \(sql);")
    let message = lab.message { _ = try lab.migrator().apply() }
    #expect(message.hasPrefix("DIR/Migrations/0002_script.sql:5:3: \(text)"), "\(message)")
    #expect(message.hasSuffix("; the script was rolled back"))
    #expect(try lab.rows("SELECT count(*) FROM \"File\"") == ["3"])
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_history") == ["1"])
  }

  @Test func `W3: a script may use the functions of JSON in the schema`() throws {
    try lab.add(
      sql: """
        CREATE TABLE own(id INTEGER PRIMARY KEY, j TEXT CHECK (json_valid(j)));
        CREATE INDEX byKey ON own(json_extract(j, '$.a'));
        INSERT INTO own VALUES (1, '{"a": 2}');
        """)
    _ = try lab.migrator().apply()
    try lab.add(sql: "INSERT INTO own VALUES (2, '{}');", "more")
    _ = try lab.migrator().apply()
    #expect(try lab.migrator().drift() == [])
    #expect(try lab.rows("SELECT count(*) FROM own WHERE json_extract(j, '$.a') = 2") == ["1"])
  }

  @Test func `a statement that fails is named with its line`() throws {
    try lab.add(sql: "DELETE FROM \"File\";\nDELETE FROM \"Nothing\";")
    #expect(
      lab.message { _ = try lab.migrator().apply() }
        == "DIR/Migrations/0002_script.sql:3:1: the statement failed and the script was rolled "
        + "back: no such table: Nothing (SQLITE_ERROR)")
    #expect(try lab.rows("SELECT count(*) FROM \"File\"") == ["3"])
  }

  @Test func `a script that misstates its tables is rolled back`() throws {
    try lab.add(sql: "ALTER TABLE \"File\" ADD COLUMN \"extra\" TEXT;")
    #expect(
      lab.message { _ = try lab.migrator().apply() } == """
        0002_script.sql does not leave the tables of the model \
        \(Models.first.versionHash.prefix(12))… behind, and was rolled back; a script that changes \
        tables must say in its header which model it leaves behind (-- oxbow: model <hash>)
          difference: table 'File': the column 'extra' is one too many
        """)
    #expect(try lab.differences(from: Models.first).isEmpty)
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_history") == ["1"])
  }

  @Test func `a script can leave another model behind when it says so`() throws {
    let model = Models.first.changing("File") {
      $0.attributes.append(AttributeDescription("extra", .string, isOptional: true))
    }
    try lab.add(
      sql: "ALTER TABLE \"File\" ADD COLUMN \"extra\" TEXT;", model: model.versionHash)
    #expect(
      lab.message { _ = try lab.migrator().apply() }.contains(
        "which is neither the model of a step in the folder nor the model given"))
    let migrator = try Migrator(
      lab.backend(), folder: lab.migrations, target: model)
    #expect(try migrator.apply().map(\.modelAfter) == [model.versionHash])
    #expect(
      try lab.rows("SELECT value FROM _oxbow_metadata WHERE name = 'model_hash'") == [
        "'\(model.versionHash)'"
      ])
  }

  @Test func `references that would lead nowhere roll back`() throws {
    try lab.add(sql: "DELETE FROM \"Folder\" WHERE \"_id\" = 1;")
    #expect(
      lab.message { _ = try lab.migrator().apply() } == """
        the step would leave references that lead nowhere, and was rolled back
          references: 2 rows of 'File' → 'Folder' lead to rows that do not exist
        """)
    #expect(try lab.rows("SELECT count(*) FROM \"Folder\"") == ["2"])
  }

  @Test func `a script before any model step is refused`() throws {
    let other = try Lab()
    try other.add(sql: "SELECT 1;")
    #expect(
      other.message { _ = try other.migrator().apply() }.hasPrefix(
        "there is no store yet, and '0001_script.sql' in 'DIR/Migrations' does not begin with one"))
  }

  @Test func `a temporary table is gone when the next script runs`() throws {
    let sql = #"CREATE TEMP TABLE work AS SELECT "_id" FROM "File"; DELETE FROM work;"#
    try lab.add(sql: sql, "one")
    try lab.add(sql: sql, "two")
    #expect(try lab.migrator().apply().map(\.id) == ["0002", "0003"])
    let found = try MigrationSequence(folder: lab.migrations).lint(trying: SQLiteRehearsal())
    #expect(found.filter { $0.rule == .failingStatement } == [])
  }
}
