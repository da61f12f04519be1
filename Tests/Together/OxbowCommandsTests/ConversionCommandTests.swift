import Foundation
import OxbowTestSupport
import Testing

// Databases of other tools whose tables are written anew: `migrate baseline --convert`.
@Suite(.enabled(if: Shell.hasSQLite)) struct ConversionCommandTests {
  let tool: Tool

  static let statements = """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('v1');
    CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(40) NOT NULL,
      born DATETIME);
    CREATE TABLE book (id INTEGER PRIMARY KEY AUTOINCREMENT,
      author_id INTEGER NOT NULL REFERENCES author(id) ON DELETE CASCADE, title TEXT NOT NULL);
    CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL);
    CREATE TABLE book_tag (book_id INTEGER NOT NULL REFERENCES book(id),
      tag_id INTEGER NOT NULL REFERENCES tag(id), PRIMARY KEY (book_id, tag_id));
    CREATE VIRTUAL TABLE book_ft USING fts5(title);
    CREATE VIEW titles AS SELECT title FROM book;
    INSERT INTO author VALUES (1, 'Ada', '1815-12-10 00:00:00.000'), (5, 'Grace', NULL);
    INSERT INTO book VALUES (3, 1, 'Notes'), (4, 5, 'COBOL');
    INSERT INTO tag VALUES (1, 'a'), (2, 'b');
    INSERT INTO book_tag VALUES (3, 1), (3, 2);
    """

  init() throws {
    tool = try Tool()
    try Shell.sqlite(store, Self.statements)
  }

  private var store: String { tool.folder.file("s.sqlite") }

  private func convert(_ more: String...) throws -> Tool.Output {
    try tool.run(
      ["migrate", "baseline", "--store", "s.sqlite", "--model", "M.xcdatamodel", "--convert"] + more
    )
  }

  private func writeModel() throws {
    let exported = try tool.run("model", "export", "s.sqlite", "--output", "M.xcdatamodel")
    #expect(exported.code == 0, "\(exported.err)")
  }

  @Test func `a model is written from tables, and the tables become those of that model`() throws {
    let exported = try tool.run("model", "export", "s.sqlite", "--output", "M.xcdatamodel")
    #expect(exported.code == 0)
    try Golden.expect(exported.out, "export-tables.txt")
    let planned = try convert("--dry-run")
    #expect(planned.code == 0)
    try Golden.expect(planned.out, "convert-plan.txt")
    #expect(
      planned.err
        == "next: oxbowctl migrate baseline --store s.sqlite --model M.xcdatamodel --convert\n")
    let refused = try convert("--backup", "b.sqlite")
    #expect(refused.code == 73)
    try Golden.expect(refused.err, "convert-loss.txt")
    #expect(!FileManager.default.fileExists(atPath: tool.folder.file("b.sqlite")))
    let done = try convert("--backup", "b.sqlite", "--allow-loss")
    #expect(done.code == 0, "\(done.err)")
    #expect(done.out.hasPrefix("the tables were written anew, and 's.sqlite' is a store\nmodel "))
    #expect(done.err.hasSuffix("copied 's.sqlite' to 'b.sqlite'\n"))
    #expect(try tool.run("store", "doctor", "s.sqlite").code == 0)
    let again = try convert()
    #expect(again.code == 0)
    #expect(again.out == "it is a store already; see 'migrate status'\n")
    let status = try tool.run(
      "migrate", "status", "--store", "s.sqlite", "--model", "M.xcdatamodel")
    #expect(status.out.contains("history   - v1: imported "))
    #expect(status.out.contains("          - converted: imported "))
    let copy = try tool.run("migrate", "baseline", "--store", "b.sqlite", "--show")
    #expect(copy.out.contains("table book: 2 rows\n"))
  }

  @Test func `the steps of a folder count as done, and the line goes on`() throws {
    try writeModel()
    let folder = ["--migrations", "F"]
    #expect(
      try tool.run(["migrate", "new", "initial", "--model", "M.xcdatamodel"] + folder).code == 0)
    #expect(try tool.run(["migrate", "new", "more", "--sql"] + folder).code == 0)
    let done = try tool.run(
      ["migrate", "baseline", "--store", "s.sqlite", "--convert", "--allow-loss", "--up-to", "1"]
        + folder)
    #expect(done.code == 0, "\(done.err)")
    #expect(done.out.contains("all steps up to 0001_initial.xml count as done\n"))
    let applied = try tool.run(["migrate", "apply", "--store", "s.sqlite"] + folder)
    #expect(applied.out.hasPrefix("applied 0002 more\n"), "\(applied.err)")
    let undone = try tool.run(["migrate", "undo", "--store", "s.sqlite"] + folder)
    #expect(undone.code == 0, "\(undone.err)")
    let refused = try tool.run(["migrate", "undo", "--store", "s.sqlite"] + folder)
    #expect(refused.code == 73)
    #expect(refused.err.contains("cannot be taken back"), "\(refused.err)")
  }

  @Test func `a dry run for what is a store already writes nothing`() throws {
    try tool.folder.write(Documents.first, to: "1.xcdatamodel/contents")
    #expect(
      try tool.run("migrate", "new", "initial", "--model", "1.xcdatamodel", "--migrations", "F")
        .code
        == 0)
    let model = ["--store", "t.sqlite", "--model", "1.xcdatamodel"]
    #expect(try tool.run(["migrate", "apply"] + model).code == 0)
    let before = try Data(contentsOf: URL(filePath: tool.folder.file("t.sqlite")))
    let dry = try tool.run(
      "migrate", "baseline", "--store", "t.sqlite", "--migrations", "F", "--convert", "--dry-run")
    #expect(dry.code == 0, "\(dry.err)")
    #expect(dry.out == "it is a store already; see 'migrate status'\n")
    #expect(try Data(contentsOf: URL(filePath: tool.folder.file("t.sqlite"))) == before)
    let done = try tool.run("migrate", "baseline", "--store", "t.sqlite", "--migrations", "F")
    #expect(done.out == "all steps up to 0001_initial.xml count as done\n", "\(done.err)")
  }

  @Test func `the plan as JSON has what the text says`() throws {
    try writeModel()
    let document = try tool.json(
      "migrate", "baseline", "--store", "s.sqlite", "--model", "M.xcdatamodel", "--convert",
      "--dry-run", "--map", "author.born=-")
    try Golden.expect(
      try tool.run(
        "migrate", "baseline", "--store", "s.sqlite", "--model", "M.xcdatamodel", "--convert",
        "--dry-run", "--map", "author.born=-", "--json"
      ).out, "convert-plan.json")
    let result = try #require(document["result"] as? [String: Any])
    #expect(result["converted"] as? Bool == false)
    #expect(result["dryRun"] as? Bool == true)
    let imported = try #require(result["imported"] as? [String: Any])
    let tables = try #require(imported["tables"] as? [[String: Any]])
    #expect(tables.compactMap { $0["entity"] as? String } == ["Author", "Book", "Tag"])
    #expect(tables.compactMap { $0["relationship"] as? String } == ["Book.tags"])
    let losses = try #require(imported["losses"] as? [[String: Any]])
    #expect(
      losses.map { "\($0["kind"] ?? "") \($0["subject"] ?? "") \($0["count"] ?? "")" } == [
        "values values of 'author.born' 1", "table the table 'book_ft' of a module of SQLite 1",
        "view the view 'titles' 1",
      ])
  }

  @Test func `values that do not convert are refused by a dry run too, with the plan`() throws {
    try writeModel()
    try Shell.sqlite(store, "UPDATE author SET born = 'soon' WHERE id = 1")
    for more in [["--dry-run"], ["--allow-loss"]] {
      let refused = try tool.run(
        ["migrate", "baseline", "--store", "s.sqlite", "--model", "M.xcdatamodel", "--convert"]
          + more)
      #expect(refused.code == 73)
      #expect(refused.out == "")
      #expect(refused.err.contains("  born  → Author.born (Date)\n"), "\(refused.err)")
      #expect(refused.err.contains("found: values of 'author.born' that are not of type Date"))
    }
  }

  @Test func `classes can be written from tables`() throws {
    try writeModel()
    let output = try tool.run("model", "generate", "M.xcdatamodel")
    #expect(output.code == 0, "\(output.err)")
    #expect(output.out.contains("var author: Author"), "\(output.out)")
  }

  @Test func `options of a conversion want a conversion`() throws {
    let refused = try tool.run(
      "migrate", "baseline", "--store", "s.sqlite", "--migrations", "F", "--dry-run")
    #expect(refused.code == 64)
    #expect(
      refused.err.contains(
        "--map, --dates, --allow-loss, --dry-run and --ignore-space are for --convert."))
    #expect(
      try tool.run("migrate", "baseline", "--store", "s.sqlite", "--convert").err.contains(
        "Give --migrations DIR, or --model PATH, or both."))
  }

  @Test func `the command that comes next can be given to a shell`() throws {
    try writeModel()
    try Shell.sqlite(store, "CREATE TABLE [old books] (title TEXT);")
    let planned = try convert("--dry-run", "--map", "old books=-")
    #expect(planned.code == 0, "\(planned.err)")
    #expect(planned.err.hasSuffix(" --convert --map 'old books=-'\n"), "\(planned.err)")
  }
}
