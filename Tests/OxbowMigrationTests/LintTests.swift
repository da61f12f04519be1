import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

@Suite struct LintTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  func findings(from first: Int = 2) throws -> [String] {
    try MigrationSequence(folder: lab.migrations).lint(from: first).map { finding in
      "\(finding.rule.rawValue) \(finding.line ?? 0) \(finding.message)"
    }
  }

  @Test func `what goes and what may be a rename are found`() throws {
    try lab.add(Models.first)
    try lab.add(
      Models.first.changing("File") { file in
        file.attributes[2].name = "sort"
        file.attributes.append(
          AttributeDescription("length", .integer64, isOptional: true, renamingIdentifier: "siez"))
      })
    #expect(
      try findings() == [
        "OX101 0 values of 'File.kind' go, where there are any",
        "OX103 0 'File.length' has the renaming identifier 'siez', and nothing before has that name "
          + "or identifier",
        "OX102 0 'File.kind' goes, and 'File.sort' of the same type is new",
      ])
    let sequence = try MigrationSequence(folder: lab.migrations)
    #expect(
      try sequence.lint().first { $0.rule == .possibleRename }?.advice
        == "if it is a rename, give the new one the renaming identifier 'kind' "
        + "(elementID=\"kind\"), so that it keeps the data")
    #expect(try findings(from: 3) == [])
  }

  @Test(arguments: ["UPDATE OR;", "UPDATE;", "DELETE", "INSERT OR", "DROP TABLE;", "ALTER TABLE"])
  func `a statement that ends early is no reason to crash`(text: String) throws {
    try lab.add(Models.first)
    try lab.add(sql: text)
    _ = try findings()
  }

  @Test func `an entity that was renamed without an identifier is found`() throws {
    try lab.add(Models.second)
    try lab.add(
      Models.second.removing("Label").adding(
        EntityDescription(
          "Tag", attributes: [AttributeDescription("title", .string)],
          relationships: [
            RelationshipDescription("files", to: "File", inverse: "labels", isToMany: true)
          ])
      ).changing("File") { $0.relationships[1].destination = "Tag" })
    #expect(
      try findings().contains(
        "OX102 0 the entity 'Label' goes, and 'Tag' with much the same attributes is new"))
  }

  @Test func `a step that rows can refuse says so, and renames are no findings`() throws {
    try lab.add(Models.first)
    try lab.add(Models.second)
    #expect(try findings() == [])
    try lab.add(
      Models.second.changing("File") {
        $0.attributes.append(AttributeDescription("owner", .string))
      })
    #expect(
      try findings(from: 3) == [
        "OX104 0 the step is refused in stores that have objects of 'File' that would have no value "
          + "for the new attribute 'owner', which is required and has no default value"
      ])
  }

  @Test func `the slips of scripts are found with their lines`() throws {
    try lab.add(Models.first)
    try lab.folder.write(
      """
      -- oxbow: model unchanged
      -- UPDATE "File" in a comment is none
      UPDATE "File" SET "kind" = 'DELETE FROM x; ';
      UPDATE "File" SET "kind" = 'a', "_version" = "_version" + 1 WHERE "_id" = 1;
      /* one
         two */ DELETE FROM [other];
      INSERT OR REPLACE INTO "File" VALUES (1);
      DROP TABLE other;
      ALTER TABLE other DROP COLUMN a;
      CREATE TRIGGER t AFTER UPDATE ON "File" BEGIN UPDATE "File" SET "kind" = 1; END;
      UPDATE other SET a = 1;
      """, to: "Migrations/0002_slips.sql")
    #expect(
      try findings() == [
        "OX202 3 all rows of the table 'File' are written",
        "OX204 3 objects of the table 'File' change and their version does not, so that a program "
          + "that has them does not notice and writes over them",
        "OX202 6 all rows of the table 'other' are deleted",
        "OX203 7 rows that are in the way are deleted, with the links to them",
        "OX201 8 a table is dropped with all its rows; nothing counts them",
        "OX201 9 a column is dropped with all its values; nothing counts them",
        "OX205 0 the script has no section \"down\", so that it cannot be taken back",
      ])
  }

  @Test func `a stub that names no program is found`() throws {
    try lab.add(Models.first)
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(
      named: "a", run: "swift run TOOL migrate apply")
    #expect(try findings() == ["OX301 0 the command of the step is 'swift run TOOL migrate apply'"])
  }
}
