import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowTestSupport
import Testing

// References that lead nowhere: those of before are left alone, new ones are refused, and what
// was not touched is not looked at.
@Suite struct ReferenceTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    try lab.run(Models.rows)
  }

  func apply(_ sql: String) throws -> String {
    try lab.add(sql: sql)
    return lab.message { _ = try lab.migrator().apply() }
  }

  @Test func `one healed reference does not pay for another (review M14)`() throws {
    try lab.run("UPDATE \"File\" SET folder = 99 WHERE _id = 1")
    let message = try apply(
      "UPDATE \"File\" SET folder = 1 WHERE _id = 1; UPDATE \"File\" SET folder = 98 WHERE _id = 2;"
    )
    #expect(
      message.contains("the step would leave references that lead nowhere, and was rolled back"))
    #expect(message.contains("1 rows of 'File' → 'Folder' lead to rows that do not exist"))
    #expect(try lab.rows("SELECT folder FROM \"File\" ORDER BY _id") == ["99", "1", "2"])
  }

  @Test func `references that led nowhere before do not stop a step`() throws {
    try lab.run("UPDATE \"File\" SET folder = 99 WHERE _id = 1")
    #expect(
      try apply("UPDATE \"File\" SET folder = 1 WHERE _id = 3; SELECT 1;") == "no error")
    var seen: [String] = []
    try lab.add(
      Models.first.changing("File") {
        $0.attributes[1].type = .string
        $0.renamingIdentifier = "File"
        $0.name = "Document"
      }.changing("Folder") { $0.relationships[0].destination = "Document" })
    _ = try lab.migrator().apply { if case .began(let name, _, _) = $0 { seen.append(name) } }
    #expect(seen == ["0003_step.xml"])
    #expect(try lab.rows("SELECT folder FROM \"Document\" ORDER BY _id") == ["99", "1", "1"])
  }

  @Test(arguments: [
    "DELETE FROM \"Folder\" WHERE _id = 2;", "UPDATE \"Folder\" SET _id = 7 WHERE _id = 2;",
    "UPDATE \"Folder\" SET rowid = 7 WHERE _id = 2;", "UPDATE \"File\" SET folder = 7;",
    "INSERT INTO \"File\" (_id, _version, name, size, folder) VALUES (9, 1, '', 0, 7);",
    "INSERT OR REPLACE INTO \"Folder\" VALUES (5, 1, '/b');",
    "INSERT OR /* all */ REPLACE -- in\nINTO \"Folder\" VALUES (5, 1, '/b');",
    "CREATE TABLE u (f REFERENCES \"Folder\" (_id)); INSERT INTO u VALUES (7);",
    "CREATE TRIGGER g AFTER UPDATE ON \"File\" BEGIN DELETE FROM \"Folder\"; END; "
      + "UPDATE \"File\" SET kind = 'x'; DROP TRIGGER g;",
    "ALTER TABLE \"Folder\" RENAME TO f; DELETE FROM f; ALTER TABLE f RENAME TO \"Folder\";",
  ])
  func `every way to a reference that leads nowhere is refused (review M9)`(sql: String) throws {
    #expect(try apply(sql).contains("lead to rows that do not exist"))
    #expect(try lab.rows("SELECT count(*) FROM \"File\", \"Folder\"") == ["6"])
  }

  @Test func `a table that refers to a removed entity is named (review M13)`() throws {
    try lab.add(Models.second)
    _ = try lab.migrator().apply()
    try lab.run("CREATE TABLE mine (label INTEGER REFERENCES \"Label\" (_id))")
    try lab.add(
      Models.second.removing("Label").changing("File") { $0.relationships.removeLast() })
    let message = lab.message { _ = try lab.migrator().apply() }
    #expect(message.contains("tables would refer to a table that the step removes"))
    #expect(message.contains("the table 'mine' refers to 'Label'"))
    #expect(try lab.differences(from: Models.second) == [])
    try lab.run("DROP TABLE mine")
    _ = try lab.migrator().apply()
  }

  @Test func `a folder that does not lead to the model given is refused (review M15)`() throws {
    let migrator = try Migrator(
      lab.backend(), folder: lab.migrations,
      target: Models.second)
    for body in [{ _ = try migrator.apply() }, { _ = try migrator.plan() }] as [() throws -> Void] {
      let message = lab.message(body)
      #expect(message.hasPrefix("the migrations in 'DIR/Migrations' lead to the model "))
      #expect(
        message.hasSuffix("oxbowctl migrate new NAME --model MODEL --migrations DIR/Migrations"))
    }
    #expect(try migrator.status().leadsToTarget == false)
    #expect(try migrator.apply(upTo: 1).isEmpty)
  }
}
