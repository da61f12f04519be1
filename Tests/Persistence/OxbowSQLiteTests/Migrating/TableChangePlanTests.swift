import OxbowRelational
import OxbowSQLite
import Testing

// The statements of a change of tables, without a database.
@Suite struct TableChangePlanTests {
  let before = TableSchema(
    name: "T",
    columns: [
      ColumnSchema("_id", .integer, isRequired: true), ColumnSchema("a", .text, isRequired: true),
      ColumnSchema("b", .integer),
    ], primaryKey: ["_id"],
    indexes: [IndexSchema(name: "T_a_index", columns: [IndexSchema.Column("a")])])

  let same: [String: ColumnSource] = [
    "_id": .column("_id"), "a": .column("a"), "b": .column("b"),
  ]

  func statements(_ targets: [TableTarget], removed: [String] = [], more: [TableSchema] = [])
    -> [String]
  {
    let migration = TableMigration(
      before: [before] + more, targets: targets, removedTables: removed)
    return SQLiteMigrationBackend(path: "/nowhere").statements(of: migration)
      .flatMap { operation in operation.statements.map { "\(operation.kind.rawValue): \($0)" } }
  }

  @Test func `what stays costs nothing`() {
    #expect(
      statements([TableTarget(table: before, origin: .table("T"), sources: same)]).isEmpty)
  }

  @Test func `columns are renamed and added in place`() {
    var after = before
    after.columns[1].name = "title"
    after.columns.append(ColumnSchema("n", .integer, isRequired: true))
    after.columns.append(ColumnSchema("t", .integer))
    after.foreignKeys = [ForeignKeySchema(column: "t", table: "T", key: "_id")]
    after.indexes[0].columns = [IndexSchema.Column("title")]
    let sources: [String: ColumnSource] = [
      "_id": .column("_id"), "title": .column("a"), "b": .column("b"),
      "n": .constant(.integer(-7)),
    ]
    #expect(
      statements([TableTarget(table: after, origin: .table("T"), sources: sources)]) == [
        "index: DROP INDEX \"T_a_index\"",
        "rename: ALTER TABLE \"T\" RENAME COLUMN \"a\" TO \"title\"",
        "alter: ALTER TABLE \"T\" ADD COLUMN \"n\" INTEGER NOT NULL DEFAULT -7",
        "alter: ALTER TABLE \"T\" ADD COLUMN \"t\" INTEGER REFERENCES \"T\" (\"_id\") "
          + "DEFERRABLE INITIALLY DEFERRED",
        "index: CREATE INDEX \"T_a_index\" ON \"T\" (\"title\")",
      ])
  }

  @Test func `names that differ in case only go by a name between`() {
    var after = before
    after.name = "t"
    after.columns[1].name = "A"
    after.indexes = []
    let sources: [String: ColumnSource] = [
      "_id": .column("_id"), "A": .column("a"), "b": .column("b"),
    ]
    #expect(
      statements([TableTarget(table: after, origin: .table("T"), sources: sources)]) == [
        "index: DROP INDEX \"T_a_index\"",
        "rename: ALTER TABLE \"T\" RENAME TO \"_oxbow_old_1\"",
        "rename: ALTER TABLE \"_oxbow_old_1\" RENAME TO \"t\"",
        "rename: ALTER TABLE \"t\" RENAME COLUMN \"a\" TO \"_oxbow_old_1\"",
        "rename: ALTER TABLE \"t\" RENAME COLUMN \"_oxbow_old_1\" TO \"A\"",
      ])
  }

  @Test func `everything else is one rebuild`() {
    var after = before
    after.columns.removeLast()
    after.columns[1].isRequired = false
    let sources: [String: ColumnSource] = ["_id": .column("_id"), "a": .column("a")]
    #expect(
      statements([TableTarget(table: after, origin: .table("T"), sources: sources)]) == [
        """
        rebuild: CREATE TABLE "_oxbow_new_T" (
          "_id" INTEGER PRIMARY KEY,
          "a" TEXT
        ) STRICT
        """,
        "rebuild: INSERT INTO \"_oxbow_new_T\" (\"_id\", \"a\") SELECT \"_id\", \"a\" FROM \"T\"",
        "rebuild: PRAGMA legacy_alter_table = ON", "rebuild: DROP TABLE \"T\"",
        "rebuild: ALTER TABLE \"_oxbow_new_T\" RENAME TO \"T\"",
        "rebuild: PRAGMA legacy_alter_table = OFF",
        "index: CREATE INDEX \"T_a_index\" ON \"T\" (\"a\")",
      ])
  }

  @Test func `links are made before the table that they come from changes`() {
    let links = TableSchema(
      name: "T_links",
      columns: [
        ColumnSchema("owner", .integer, isRequired: true),
        ColumnSchema("member", .integer, isRequired: true),
      ], primaryKey: ["owner", "member"], isWithoutRowID: true)
    var after = before
    after.columns.removeLast()
    let result = statements([
      TableTarget(
        table: after, origin: .table("T"), sources: ["_id": .column("_id"), "a": .column("a")]),
      TableTarget(
        table: links,
        origin: .links(
          LinkSet([
            LinkSource(
              table: "T", owner: LinkEnd(key: "_id", entity: .number(1)),
              member: LinkEnd(key: "b", entity: .number(1)))
          ])),
        sources: ["owner": .column("owner"), "member": .column("member")]),
    ])
    #expect(
      result[1] == "fill: INSERT INTO \"_oxbow_new_T_links\" (\"owner\", \"member\") "
        + "SELECT \"owner\" AS \"owner\", \"member\" AS \"member\" FROM (SELECT l.\"b\" "
        + "AS \"member\", l.\"_id\" AS \"owner\" FROM \"T\" AS l "
        + "WHERE l.\"_id\" IS NOT NULL AND l.\"b\" IS NOT NULL)"
    )
    #expect(result.contains("rename: ALTER TABLE \"_oxbow_new_T_links\" RENAME TO \"T_links\""))
    let fill = result.firstIndex { $0.hasPrefix("fill:") } ?? .max
    let drop = result.firstIndex { $0.contains("DROP TABLE") } ?? 0
    #expect(fill < drop)
  }

  @Test(arguments: [
    (ColumnSource.constant(.text("it's")), "'it''s'"),
    (.constant(.integer(.min)), "-9223372036854775808"),
    (.constant(.real(0.1)), "0.1"), (.constant(.real(.infinity)), "9e999"),
    (.constant(.blob([0, 255])), "x'00ff'"), (.column("a\"b"), "\"a\"\"b\""),
    (.converted("a", .integerToText), "CAST(\"a\" AS TEXT)"),
    (.filled(.column("a"), .integer(1)), "coalesce(\"a\", 1)"),
    (.entityOfKey("a", 4), "CASE WHEN \"a\" IS NOT NULL THEN 4 END"),
    (
      .typed([1, 2], .constant(.integer(0)), other: .column("a")),
      "CASE WHEN \"_type\" IN (1, 2) THEN 0 ELSE \"a\" END"
    ),
  ])
  func `sources are expressions`(source: ColumnSource, text: String) {
    #expect(source.text(in: SQLiteDialect()) { $0 } == text)
  }

  @Test func `UUIDs become text as people write them`() throws {
    let connection = try Connection(path: ":memory:", configuration: .init(role: .sole))
    let source = ColumnSource.converted("u", .uuidToText).text(in: SQLiteDialect()) { $0 }
    let text = try connection.text(
      "SELECT \(source) FROM (SELECT x'00112233445566778899AABBCCDDEEFF' AS u)")
    #expect(text == "00112233-4455-6677-8899-AABBCCDDEEFF")
  }
}
