import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

// What a script wrote is compared with the model, where the tables do not do it.
@Suite struct WrittenTests {
  let lab: Lab
  let model = ManagedObjectModel(entities: [
    EntityDescription(
      "R", attributes: [AttributeDescription("flag", .boolean, defaultValue: .boolean(false))]),
    EntityDescription("U", parent: "R", attributes: [AttributeDescription("y", .string)]),
  ])

  init() throws {
    lab = try Lab()
    try lab.add(model)
    _ = try lab.migrator().apply()
    let data = try StoreData(lab, model)
    try lab.run(try data.inserting("U", [1, 2], ["y": "'a'", "flag": "0"]))
    try lab.run(try data.inserting("R", [3], ["flag": "1"]))
  }

  func message(_ sql: String) throws -> String {
    try lab.folder.write(sql, to: "Migrations/0002_a.sql")
    return lab.message { _ = try lab.migrator().apply() }
  }

  @Test func `what the model does not allow rolls the script back (review M33)`() throws {
    #expect(
      try message("UPDATE \"R\" SET \"y\" = NULL WHERE \"_id\" = 1;") == """
        0002_a.sql writes what the model does not allow, and was rolled back
          found: objects without a value for 'U.y', which is required: 1
        """)
    #expect(
      try message("UPDATE \"R\" SET \"_type\" = 99 WHERE \"_id\" = 3;").contains(
        "found: rows of 'R' whose entity is not in the model: 1"))
    #expect(
      try message("UPDATE \"R\" SET \"flag\" = 7;").contains(
        "found: values of 'R.flag' that are not 0 or 1: 3"))
    #expect(try lab.rows("SELECT count(*) FROM \"R\" WHERE \"flag\" = 7") == ["0"])
  }

  @Test func `a key that no object can have rolls the script back`() throws {
    #expect(
      try message("UPDATE \"R\" SET \"_id\" = 0 WHERE \"_id\" = 3;").contains(
        "found: rows of 'R' whose key ('_id') is not from 1 to"))
    #expect(try lab.rows("SELECT count(*) FROM \"R\" WHERE \"_id\" = 0") == ["0"])
  }

  @Test func `a row of the root needs no value of an entity below`() throws {
    #expect(
      try message("UPDATE \"R\" SET \"y\" = NULL WHERE \"_id\" = 3;") == "no error")
  }

  @Test func `a table that a script writes anew is looked at as one whose rows it writes`() throws {
    let definition = try lab.rows("SELECT sql FROM sqlite_schema WHERE name = 'R'")[0]
      .dropFirst().dropLast()
    let sql = """
      \(definition.replacing("\"R\"", with: "\"N\""));
      INSERT INTO "N" SELECT * FROM "R";
      UPDATE "N" SET "flag" = 7 WHERE "_id" = 3;
      DROP TABLE "R";
      ALTER TABLE "N" RENAME TO "R";
      """
    #expect(try message(sql).contains("found: values of 'R.flag' that are not 0 or 1: 1"))
    #expect(try lab.rows("SELECT \"flag\" FROM \"R\" WHERE \"_id\" = 3") == ["1"])
    #expect(try message(sql.replacing("= 7", with: "= 0")) == "no error")
  }
}
