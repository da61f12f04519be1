import Foundation
import OxbowTestSupport
import Testing

// Databases of other tools that become stores. The fixtures are made by statements as GRDB's
// migrator runs them.
@Suite(.enabled(if: Shell.hasSQLite)) struct BaselineTests {
  let tool: Tool
  let lab: MigrateCommandTests

  init() throws {
    lab = try MigrateCommandTests()
    tool = lab.tool
    try lab.step("initial", "1.xcdatamodel")
    try lab.step("labels", "2.xcdatamodel")
  }

  static let history = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('v1: files'), ('a second one');
    """

  /// The table of the first model, made by somebody else.
  static let file = """
    CREATE TABLE File (_id INTEGER PRIMARY KEY, _version INTEGER NOT NULL, name TEXT NOT NULL,
    size INTEGER NOT NULL) STRICT; INSERT INTO File VALUES (7, 1, 'seven', 70), (9, 1, 'nine', 90);
    """

  func write(_ statements: String...) throws {
    try Shell.sqlite(tool.folder.file("s.sqlite"), statements.joined(separator: " "))
  }

  @Test func `a database with GRDB's history and the model's tables becomes a store`() throws {
    try write(Self.history, Self.file, "CREATE TABLE other (a);")
    let status = try lab.migrate("status")
    #expect(status.code == 69)
    #expect(status.err.contains("It has a history of GRDB: 'oxbowctl migrate baseline' shows it"))
    let found = """
      a database of another tool; GRDB has applied 2 migrations
        v1: files
        a second one
      table File: 2 rows
      table other: 0 rows

      """
    let shown = try tool.run("migrate", "baseline", "--store", "s.sqlite", "--show")
    #expect(shown.code == 0)
    #expect(shown.out == found)
    let done = try lab.migrate("baseline", "--up-to", "1", "--backup", "b.sqlite")
    #expect(done.code == 0, "\(done.err)")
    #expect(done.out == "all steps up to 0001_initial.xml count as done\n")
    #expect(done.err == found + "copied 's.sqlite' to 'b.sqlite'\n")
    let copy = try tool.run("migrate", "baseline", "--store", "b.sqlite", "--show")
    #expect(copy.out == found)
    #expect(try lab.history() == ["-", "-", "0001"])
    #expect(try lab.migrate("status").out.contains("history   - v1: files: imported "))
    #expect(try lab.migrate("apply").out.hasPrefix("applied 0002 labels\n"))
    #expect(try tool.run("store", "doctor", "s.sqlite").code == 0)
    let info = try tool.json("store", "info", "s.sqlite")["result"] as? [String: Any]
    let entities = info?["entities"] as? [[String: Any]]
    #expect(entities?.compactMap { $0["rows"] as? Int } == [2, 0])
    #expect(try lab.migrate("undo", "--allow-loss").code == 0)
    #expect(try lab.migrate("undo").code == 73)
  }

  @Test func `a database without a history becomes a store too`() throws {
    try write(Self.file)
    let json = try tool.json(
      "migrate", "baseline", "--store", "s.sqlite", "--migrations", "M", "--up-to", "1")
    let result = try #require(json["result"] as? [String: Any])
    #expect(result["last"] as? String == "0001_initial.xml")
    let imported = result["imported"] as? [String: Any]
    #expect(imported?["tool"] == nil)
    #expect(imported?["migrations"] as? [String] == [])
    #expect(try lab.migrate("apply").code == 0)
  }

  @Test func `tables that are not the model's are refused, and nothing is written`() throws {
    try write(Self.history, "CREATE TABLE File (id INTEGER PRIMARY KEY, name TEXT);")
    let before = try Data(contentsOf: URL(filePath: tool.folder.file("s.sqlite")))
    let refused = try lab.migrate("baseline", "--up-to", "1", "--backup", "b.sqlite")
    #expect(refused.code == 73)
    #expect(!FileManager.default.fileExists(atPath: tool.folder.file("b.sqlite")))
    #expect(refused.err.contains("  v1: files\n"))
    #expect(
      refused.err.contains(
        "error: the tables are not those of the model behind '0001_initial.xml', so the database "
          + "cannot be used as a store as it is; --convert writes them anew and keeps the rows "
          + "(--dry-run tells how). Nothing was changed\n"
          + "  difference: table 'File': the column '_id' is missing\n"))
    #expect(try Data(contentsOf: URL(filePath: tool.folder.file("s.sqlite"))) == before)
  }

  @Test func `keys and versions that no object can have are found`() throws {
    try write(
      Self.file,
      """
      INSERT INTO File VALUES (0, 1, 'zero', 1), (-3, 1, 'less', 1), (9223372036854775807, 0, 'all', 1);
      """)
    let refused = try lab.migrate("baseline", "--up-to", "1")
    #expect(refused.code == 73)
    let findings = [
      "rows of 'File' whose key ('_id') is not from 1 to 9223372036854775806: 3",
      "rows of 'File' whose version ('_version') is not from 1 to 4611686018427387904: 1",
    ]
    for finding in findings { #expect(refused.err.contains("  difference: \(finding)\n")) }
    try Shell.sqlite(tool.folder.file("s.sqlite"), "DELETE FROM File WHERE _id NOT IN (7, 9);")
    #expect(try lab.migrate("baseline", "--up-to", "1").code == 0)
    try Shell.sqlite(
      tool.folder.file("s.sqlite"), "UPDATE File SET _id = -1, _version = -7 WHERE _id = 7")
    let doctor = try tool.run("store", "doctor", "s.sqlite")
    #expect(doctor.code == 2)
    #expect(
      doctor.out.hasPrefix(
        """
        rows of 'File' whose key ('_id') is not from 1 to 9223372036854775806: 1
          another program wrote them: give them others with a script, and change what refers to a key
        rows of 'File' whose version ('_version') is not from 1 to 4611686018427387904: 1
        """), "\(doctor.out)")
    try Shell.sqlite(tool.folder.file("s.sqlite"), "DROP TABLE _oxbow_history")
    let again = try lab.migrate("baseline", "--up-to", "1")
    #expect(again.code == 73)
    #expect(
      again.err.contains("error: the store has rows that no object can have; see 'store doctor'"))
  }

  @Test func `an empty file differs from one that is not there`() throws {
    let none = try lab.migrate("baseline")
    #expect(none.code == 69)
    #expect(
      none.err == "error: there is no store at 's.sqlite'; check the path given with --store\n")
    try tool.folder.write("", to: "s.sqlite")
    for verb in ["baseline", "undo"] {
      let empty = try lab.migrate(verb)
      #expect(empty.code == 69)
      #expect(
        empty.err == """
          error: 's.sqlite' is empty, so there is no store in it yet; 'migrate apply' makes one, with \
          all steps: oxbowctl migrate apply --store s.sqlite --migrations M

          """)
    }
    #expect(try lab.migrate("apply").code == 0)
  }

  @Test func `rows that the model does not allow are refused`() throws {
    try lab.step("small", "1.xcdatamodel")
    try tool.folder.write(
      Documents.first.replacing("Integer 64", with: "Integer 16"), to: "4.xcdatamodel/contents")
    let folder = ["--migrations", "N"]
    #expect(
      try tool.run(["migrate", "new", "small", "--model", "4.xcdatamodel"] + folder).code == 0)
    try write(Self.file, "UPDATE File SET size = 70000 WHERE _id = 7;")
    let refused = try tool.run(["migrate", "baseline", "--store", "s.sqlite"] + folder)
    #expect(refused.code == 73)
    #expect(
      refused.err.contains("difference: values of 'File.size' that are not "), "\(refused.err)")
  }

  @Test func `a way back that fails is named with its file and part`() throws {
    try tool.folder.write(
      "-- up\nSELECT 1;\n-- down\nSELECT 2;\nDELETE FROM none;\n", to: "M/0003_bad.sql")
    let verify = try lab.migrate("verify")
    #expect(verify.code == 2)
    #expect(
      verify.out.hasSuffix(
        """
        0003_bad.sql: CANNOT BE TAKEN BACK: its way back fails
          the section "down" of 'M/0003_bad.sql' fails: M/0003_bad.sql:5:1: the statement failed and \
        the script was rolled back: no such table: none (SQLITE_ERROR)
          mend it, or take it out where there is no way back; the store itself was not touched

        """), "\(verify.out)")
  }

  @Test func `squash of a step that does not exist names the folder given`() throws {
    let refused = try tool.run("migrate", "squash", "--migrations", "M", "--up-to", "9")
    #expect(refused.code == 65)
    #expect(
      refused.err == "error: there are no two steps up to 9 in 'M'; it has '0001', '0002'\n")
  }
}
