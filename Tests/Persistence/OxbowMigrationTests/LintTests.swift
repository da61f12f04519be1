import OxbowMigration
import OxbowModel
import OxbowSQLite
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
      CREATE TRIGGER t AFTER UPDATE ON "File" BEGIN UPDATE "File" SET "kind" = 1; \
      SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM "File"; END;
      UPDATE other SET a = 1;
      """, to: "Migrations/0002_slips.sql")
    #expect(
      try findings() == [
        "OX202 3 all rows of the table 'File' are written",
        "OX204 3 objects of the table 'File' change and their version does not, so that a program "
          + "that has them does not notice and writes over them",
        "OX202 6 all rows of the table 'other' are deleted",
        "OX203 7 rows that are in the way are deleted, with the links to them",
        "OX217 8 the table 'other' is dropped with all its rows; nothing counts them",
        "OX217 9 the column 'a' of the table 'other' is dropped with all its values; nothing counts "
          + "them",
        "OX216 10 the trigger writes rows of 'File': programs that have these objects do not notice "
          + "and write over them",
        "OX205 0 the script has no section \"down\", so that it cannot be taken back",
      ])
  }

  func slips(_ text: String) throws -> [LintFinding] {
    try lab.add(Models.first)
    try lab.folder.write("-- up\n\(text)\n-- down\n", to: "Migrations/0002_slips.sql")
    return try MigrationSequence(folder: lab.migrations).lint(from: 2)
  }

  @Test(arguments: [
    (#"WITH x AS (SELECT 1 WHERE 1) DELETE FROM "File";"#, ["OX202"]),
    (#"DELETE FROM main."File";"#, ["OX202"]),
    (#"DELETE FROM [main].[File] WHERE "_id" IN (1);"#, []),
    (#"UPDATE main.`File` SET kind = (SELECT 'a' WHERE 1);"#, ["OX202", "OX204"]),
    (
      #"WITH x AS (SELECT 1) UPDATE OR REPLACE File SET kind = '' WHERE 1;"#,
      ["OX203", "OX202", "OX204"]
    ),
    (#"UPDATE "File" SET kind = "_version" WHERE "_id" = 1;"#, []),
    (#"DROP TABLE IF EXISTS "main"."a""b";"#, ["OX217"]),
    (#"ALTER TABLE main.other DROP kept;"#, ["OX217"]),
    (#"ALTER TABLE [file] DROP kind;"#, ["OX201"]),
    (#"ALTER TABLE "drop" RENAME TO "column";"#, []),
    (
      #"CREATE TRIGGER t AFTER INSERT ON own BEGIN SELECT 1; UPDATE OR FAIL "File" SET kind = 1; END;"#,
      ["OX216"]
    ),
    ("WITH n AS (SELECT 1) REPLACE INTO main.file (a) SELECT a FROM n;", ["OX203"]),
    (#"INSERT INTO File (_id) VALUES (1) ON CONFLICT DO UPDATE SET kind = '';"#, ["OX204"]),
    (#"INSERT INTO File (_id) VALUES (1) ON CONFLICT DO UPDATE SET _version = 2;"#, []),
    ("BEGIN; COMMIT; VACUUM; ATTACH 'x' AS y;", ["OX206", "OX206", "OX206", "OX206"]),
    ("BEGIN TRIGGER;", ["OX206"]),
    ("CREATE TABLE a (f INTEGER REFERENCES File (_id), g TEXT);", ["OX207"]),
    ("CREATE TABLE a (f INTEGER PRIMARY KEY REFERENCES File (_id));", []),
    ("CREATE TABLE a (f, g, FOREIGN KEY (g) REFERENCES File); CREATE INDEX i ON a (g);", []),
    ("CREATE TABLE main.a (f, FOREIGN KEY (f) REFERENCES main.File);", ["OX207"]),
    ("ALTER TABLE a ADD COLUMN f REFERENCES File;", ["OX207"]),
    ("-- nothing yet", ["OX208"]),
  ])
  func `names with schemas and quotes, and words before the verb, are read`(
    text: String, rules: [String]
  ) throws {
    #expect(try slips(text).map(\.rule.rawValue) == rules)
  }

  @Test(arguments: [
    (
      #"UPDATE main."File" SET kind = 'a' WHERE 1"#,
      #"UPDATE main."File" SET "_version" = "_version" + 1, kind = 'a' WHERE 1;"#
    ),
    (
      #"WITH n AS (SELECT 1) INSERT OR REPLACE INTO File (_id, name) SELECT 1, 'a'"#,
      #"WITH n AS (SELECT 1) INSERT INTO File (_id, name) SELECT 1, 'a' WHERE true"#
        + "\n  "
        + #"ON CONFLICT DO UPDATE SET "name" = excluded."name", "_version" = "File"."_version" + 1;"#
    ),
    (
      "DROP TABLE main.old",
      #"CREATE TABLE "kept_0002_old" AS SELECT * FROM "old";"# + "\nDROP TABLE main.old;"
    ),
    (
      "CREATE TABLE a (f REFERENCES File (_id))",
      #"CREATE INDEX "a_f" ON "a" ("f");"#
    ),
  ])
  func `a safer version is written where it follows`(text: String, safer: String) throws {
    #expect(try slips(text + ";").compactMap(\.safer).first == safer)
  }

  @Test func `each of the rules about rows has its code and finds the rows`() throws {
    try lab.add(Models.first)
    try lab.add(
      Models.first.changing("File") { file in
        file.attributes[1] = AttributeDescription("size", .integer16)
        file.attributes[2] = AttributeDescription("kind", .string)
        file.uniquenessConstraints = [["name"]]
      })
    let found = try MigrationSequence(folder: lab.migrations).lint(from: 2)
    #expect(Set(found.map(\.rule.rawValue)) == ["OX104", "OX105", "OX106"])
    let narrow = found.first { $0.rule == .narrowing }?.safer
    #expect(narrow == #"SELECT * FROM "File" WHERE "size" NOT BETWEEN -32768 AND 32767;"#)
  }

  @Test func `a stub that names no program is found`() throws {
    try lab.add(Models.first)
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(
      named: "a", run: "swift run TOOL migrate apply")
    #expect(try findings() == ["OX301 0 the command of the step is 'swift run TOOL migrate apply'"])
  }

  // MARK: What is allowed

  func allowing(_ script: String) throws -> [String] {
    try lab.add(Models.first)
    try lab.folder.write(script, to: "Migrations/0002_slips.sql")
    return try MigrationSequence(folder: lab.migrations).lint(from: 2).map {
      "\($0.rule.rawValue) \($0.line ?? 0)"
    }
  }

  @Test func `what a script allows before a statement is not found in it, and in no other`() throws
  {
    #expect(
      try allowing(
        """
        -- oxbow: model unchanged
        -- oxbow: allow OX205
        DROP TABLE a;
        -- oxbow: allow OX217
        -- why: it was not read since 2024
        DROP TABLE b;
        -- oxbow: allow OX202, OX204
        UPDATE "File"
          SET "kind" = 'a'; DROP TABLE c;
        DROP TABLE d;
        """) == ["OX217 3", "OX217 9", "OX217 10"])
  }

  @Test func `what a section allows speaks of the section, and of the script as a whole`() throws {
    #expect(
      try allowing(
        """
        -- up
        -- oxbow: allow OX208
        -- down
        -- oxbow: allow OX201
        DROP TABLE a;
        """) == ["OX401 4"])
  }

  @Test func `what is allowed for nothing is a note with its line`() throws {
    try lab.add(Models.first)
    try lab.folder.write(
      """
      -- up
      -- oxbow: allow OX201
      SELECT 1;
      DROP TABLE a;
      -- oxbow: allow OX102
      -- down
      """, to: "Migrations/0002_slips.sql")
    let found = try MigrationSequence(folder: lab.migrations).lint(from: 2)
    #expect(found.map(\.rule.severity) == [.note, .note, .note])
    #expect(found.map(\.line) == [4, 2, 5])
    #expect(found.last?.message == "OX102 is allowed and not found")
  }

  @Test(arguments: [
    ("allow", "nothing is said to be allowed; write the codes that lint prints, OX201 for example"),
    ("allow OX299", #""OX299" is not a code of a finding; did you mean "OX209"?"#),
    ("allow ox201", #""ox201" is not a code of a finding; did you mean "OX201"?"#),
    (
      "allow OX101",
      "OX101 is allowed by loss=\"allowed\", which applying the step asks for"
    ),
    ("allow OX206", "OX206 cannot be allowed: the statement is refused when the script runs"),
    ("allow OX401", "OX401 cannot be allowed: take out what is allowed for nothing"),
    ("alow OX201", #""alow" is not a word of a script's header; did you mean "allow"?"#),
    ("", #""" is not a word of a script's header; it has "model" and "allow""#),
  ])
  func `a slip in what is allowed is an error with its line`(text: String, message: String) throws {
    let error = #expect(throws: PersistenceError.self) {
      try allowing("SELECT 1;\n-- oxbow: \(text)\nSELECT 2;")
    }
    #expect(error?.description.hasSuffix("0002_slips.sql:2:1: " + message) == true)
  }

  @Test(arguments: [
    ("OX102", []), ("OX102 OX103", ["OX401"]), ("", ["migrationFile"]),
    ("OX101", ["migrationFile"]),
  ])
  func `a model step allows what may be a rename`(codes: String, rules: [String]) throws {
    try lab.add(Models.first)
    let changed = Models.first.changing("File") { $0.attributes[2].name = "sort" }
    _ = try MigrationSequence(folder: lab.migrations).addModelStep(
      named: "step", to: changed, allowsLoss: true)
    #expect(try findings().map { $0.prefix(5) } == ["OX102"])
    let name = "Migrations/0002_step.xml"
    let text = try lab.folder.text(of: name)
    try lab.folder.write(
      text.replacing("<migration ", with: "<migration allows=\"\(codes)\" "), to: name)
    do {
      let found = try MigrationSequence(folder: lab.migrations).lint(from: 2)
      #expect(found.map(\.rule.rawValue) == rules)
    } catch {
      #expect([error.code.rawValue] == rules)
    }
  }

  // MARK: What is tried in an empty store

  private func tried(_ script: String) throws -> [LintFinding] {
    try lab.add(LintScripts.model)
    try lab.folder.write("-- up\n\(script);\n-- down\n", to: "Migrations/0002_s.sql")
    return try MigrationSequence(folder: lab.migrations).lint(from: 2, trying: SQLiteRehearsal())
  }

  @Test(arguments: LintScripts.dangerous)
  func `what a script can do to data or to programs is found`(
    script: String, rules: [String]
  ) throws {
    #expect(try tried(script).map(\.rule.rawValue) == rules)
  }

  @Test(arguments: LintScripts.harmless)
  func `a script that does no harm has no warnings`(script: String) throws {
    let found = try tried(script).filter { $0.rule.severity == .warning }
    #expect(found == [])
  }

  @Test func `what a statement fails for is reported, and the rest is tried all the same`() throws {
    #expect(
      try tried(
        """
        PRAGMA foreign_keys = OFF;
        UPDATE Person SET emial = 'x';
        ALTER TABLE Log RENAME TO Entry;
        DROP INDEX Person_byName;
        CREATE INDEX Person_byName ON Person (name)
        """
      ).filter { $0.line != 3 || $0.rule == .failingStatement }.map {
        "\($0.line ?? 0) \($0.message)"
      }
        == [
          "2 PRAGMA foreign_keys is not allowed: inside a transaction it does nothing, or it would "
            + "change what the migration relies on",
          "3 the statement fails in an empty store already: no such column: emial (SQLITE_ERROR)",
          "4 the script would not leave the tables of the model "
            + "\(LintScripts.model.versionHash.prefix(12))… behind: table 'Log' is missing",
        ])
  }

  @Test func `rows of a script meet the model step behind it`() throws {
    func rules(_ sql: String, _ change: (inout EntityDescription) -> Void) throws -> [String] {
      let lab = try Lab()
      try lab.add(LintScripts.model)
      try lab.add(sql: sql)
      try lab.add(LintScripts.model.changing("Pet", change))
      return try MigrationSequence(folder: lab.migrations).lint(from: 3, trying: SQLiteRehearsal())
        .map { "\($0.rule.rawValue) \($0.message)" }.filter { $0.hasPrefix("OX2") }
    }
    let row = "INSERT INTO Pet (_id, _version, name, owner) VALUES (1, 1, 'a', 5);"
    // The owner may be in the stores.
    #expect(try rules(row) { $0.attributes.removeLast() } == [])
    let found = try rules(row) { $0.attributes[1].isOptional = false }
    #expect(found.map { $0.prefix(30) } == ["OX209 the step fails in an emp"])
  }

  @Test func `a section down is tried, and has to lead back`() throws {
    try lab.add(LintScripts.model)
    try lab.folder.write(
      """
      -- up
      CREATE TABLE own (a);
      -- down
      DROP TABLE own;
      DROP TABLE owm;
      DROP INDEX Pet_owner_index;
      """, to: "Migrations/0002_s.sql")
    try lab.add(sql: "INSERT INTO own VALUES (1);\n-- oxbow: allow OX209\nDROP TABLE x;")
    let found = try MigrationSequence(folder: lab.migrations).lint(trying: SQLiteRehearsal())
    #expect(
      found.map { "\($0.file) \($0.line ?? 0) \($0.rule.rawValue)" } == [
        "0002_s.sql 5 OX209", "0002_s.sql 6 OX210", "0003_script.sql 4 OX217",
        "0003_script.sql 0 OX205",
      ])
  }

  @Test func `behind a step in Swift, tables may be there that are not known`() throws {
    try lab.add(LintScripts.model)
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(
      named: "a", run: "swift run it migrate apply")
    try lab.add(sql: "INSERT INTO made VALUES (1);\nUPDTE made SET a = 1;")
    let found = try MigrationSequence(folder: lab.migrations).lint(trying: SQLiteRehearsal())
    #expect(found.map { "\($0.rule.rawValue) \($0.line ?? 0)" } == ["OX209 3", "OX205 0"])
  }
}
