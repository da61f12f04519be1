import OxbowMigration
import OxbowModel
import OxbowRelational
import OxbowTestSupport
import Testing

// What a script's file says: its bytes, its header, its sections.
@Suite struct ScriptFileTests {
  let lab: Lab

  init() throws { lab = try Lab() }

  func up(_ text: String) throws -> String {
    try lab.folder.write(text, to: "Migrations/0001_a.sql")
    let file = try #require(try MigrationSequence(folder: lab.migrations).files.first)
    guard case .script(let up, _) = file.content else { return "no script" }
    return up.text
  }

  func down(_ text: String) throws -> String? {
    try lab.folder.write(text, to: "Migrations/0001_a.sql")
    let file = try #require(try MigrationSequence(folder: lab.migrations).files.first)
    guard case .script(_, let down) = file.content else { return "no script" }
    return down?.text
  }

  func failure(_ text: String) throws -> String {
    try lab.folder.write(text, to: "Migrations/0001_a.sql")
    return lab.message { _ = try MigrationSequence(folder: lab.migrations) }
  }

  @Test func `line separators inside texts stay as they are (review M10)`() throws {
    let text = "UPDATE t SET a = 'x\r\ny\u{2028}z\u{85}\u{B}\u{C}w';\r\n"
    #expect(Array(try up(text).utf8) == Array(text.utf8))
    #expect(Array(try up("-- up\r\n\(text)-- down\r\nDELETE FROM t;").utf8) == Array(text.utf8))
  }

  @Test func `lines that end with a carriage return alone would hide statements`() throws {
    #expect(
      try failure("-- a comment\rUPDATE t SET a = 1;\r").contains(
        "0001_a.sql:1:1: the lines of the script end with a carriage return alone"))
  }

  @Test func `a byte order mark is not part of the script (review M18)`() throws {
    let mark = "\u{FEFF}"
    #expect(try up("\(mark)-- oxbow: model unchanged\n-- up\nSELECT 1;\n") == "SELECT 1;\n")
    #expect(try up("\(mark)SELECT 1;") == "SELECT 1;")
  }

  @Test(arguments: [
    "-- oxbow:model unchanged", "-- Oxbow: model unchanged",
    "/* oxbow: model unchanged */", "SELECT 1; -- oxbow: model unchanged",
    "CREATE TABLE t (\n-- oxbow: model unchanged\na);",
  ])
  func `a slip in the header is no silent comment (review M18)`(text: String) throws {
    #expect(
      try failure("\n\(text)\n").contains(
        "the comment begins like a header, but is not one; a header"))
  }

  @Test func `blanks around a header do not count (review M18)`() throws {
    let hash = String(repeating: "a", count: 64)
    try lab.folder.write("--oxbow:  model \(hash) \nSELECT 1;", to: "Migrations/0001_a.sql")
    #expect(try MigrationSequence(folder: lab.migrations).lastModel == hash)
  }

  @Test(arguments: [
    "DO $$ BEGIN\n-- down\nPERFORM 1; END $$;\n",
    "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $body_1$\n-- down\nSELECT $$;$$::int;\n$body_1$;\n",
    "UPDATE t SET a = E'it\\'s\n-- down\n';\n",
    "CREATE TRIGGER g AFTER INSERT ON t EXECUTE FUNCTION f();\n",
    "CREATE TRIGGER g AFTER INSERT ON t BEGIN\n-- down\nDELETE FROM t; END;\n",
    "UPDATE t SET a = $a, b = $b WHERE c = $1$;\n", "UPDATE t SET a = $$;\n", "SELECT 'E', e;\n",
  ])
  func `a text of a server's script, and a body, have no sections`(text: String) throws {
    #expect(try up("-- up\n\(text)-- down\nSELECT 2;\n") == text)
    #expect(try down("-- up\n\(text)-- down\nSELECT 2;\n") == "SELECT 2;\n")
  }

  @Test func `sections begin between statements only (review M18)`() throws {
    let text = """
      UPDATE t SET a = '
      -- down
      ';
      /*
      -- down
      */
      CREATE TRIGGER g AFTER INSERT ON t BEGIN
        DELETE FROM t;
        -- down
        DELETE FROM u;
      END;

      """
    #expect(try up("-- up\n\(text)--DOWN\nSELECT 2;\n") == text)
    #expect(try down("-- up\n\(text)--  Down\nSELECT 2;\n") == "SELECT 2;\n")
    #expect(
      try failure("SELECT 1;\n-- down:\nSELECT 2;").contains(
        "0001_a.sql:2:1: the comment looks like the beginning of a section, but is not"))
    for comment in ["-- Down (restores)", "-- +migrate Down", "/* down */", "SELECT 3; -- down"] {
      #expect(
        try failure("SELECT 1;\n\(comment)\nSELECT 2;").contains("but is not, so what follows"))
    }
    #expect(try up("SELECT 1; -- down payments are kept\n").contains("payments"))
    #expect(
      try failure("-- up\nSELECT 1\n-- down\nSELECT 2;").contains(
        "0001_a.sql:3:1: the section \"down\" begins inside a statement; end the statement before"))
  }
}
