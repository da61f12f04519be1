import Foundation
import OxbowTestSupport
import Testing

// Acceptance 4 of the first light, through the command line.
@Suite struct MigrateCommandTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.folder.write(Documents.first, to: "1.xcdatamodel/contents")
    try tool.folder.write(Documents.second, to: "2.xcdatamodel/contents")
  }

  static let store = ["--store", "s.sqlite", "--migrations", "M"]

  func step(_ name: String, _ model: String) throws {
    let output = try tool.run(
      "migrate", "new", name, "--model", model, "--migrations", "M", "--no-sum")
    #expect(output.code == 0, "\(output.err)")
  }

  func rows(_ count: Int, _ file: String) throws {
    try tool.folder.write(
      """
      -- oxbow: model unchanged
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
      INSERT INTO "File" ("_id", "_version", "name", "size") SELECT i, 1, 'file ' || i, i FROM n;
      """, to: "M/\(file)")
  }

  func migrate(_ verb: String, _ more: String...) throws -> Tool.Output {
    try tool.run(["migrate", verb] + Self.store + more)
  }

  /// A store of the first version with rows, and the step to the second pending.
  func prepare(rows count: Int) throws {
    try step("initial", "1.xcdatamodel")
    try rows(count, "0002_rows.sql")
    #expect(try migrate("apply").code == 0)
    try step("labels", "2.xcdatamodel")
  }

  @Test func `from one version to the next`() throws {
    try prepare(rows: 3)
    let status = try migrate("status", "--exit-code")
    #expect(status.code == 2)
    #expect(status.out.contains("position  after 0002_rows.sql, by its history\n"))
    #expect(status.out.contains("pending   0003_labels.xml\n"))
    #expect(status.err == "next: oxbowctl migrate plan --store s.sqlite --migrations M\n")
    let plan = try migrate("plan")
    #expect(plan.out.contains("  writes anew: File (about 4.0 kB), keeps all data\n"))
    #expect(plan.out.contains("  -- rebuild File, 3 rows\n"))
    #expect(plan.err == "next: oxbowctl migrate apply --store s.sqlite --migrations M\n")
    // The first line has the free space of the disk, which others change.
    let dryRun = try migrate("apply", "--dry-run").out
    #expect(
      dryRun.split(separator: "\n").dropFirst() == plan.out.split(separator: "\n").dropFirst())
    let apply = try migrate("apply", "--model", "2.xcdatamodel")
    #expect(apply.code == 0)
    #expect(apply.out.hasPrefix("applied 0003 labels\nmodel "))
    #expect(apply.err == "[1/1] 0003_labels.xml\n")
    let again = try migrate("apply")
    #expect(again.code == 0)
    #expect(again.out == "nothing to do\n")
    #expect(again.err == "")
    #expect(try migrate("status", "--exit-code").code == 0)
    let info = try tool.json("store", "info", "s.sqlite")["result"] as? [String: Any]
    let entities = info?["entities"] as? [[String: Any]]
    #expect(entities?.compactMap { $0["name"] as? String } == ["File", "Label"])
    #expect(entities?.compactMap { $0["rows"] as? Int } == [3, 0])
  }

  @Test func `a plan is drawn as what it changes in the model`() throws {
    try prepare(rows: 3)
    let drawn = try migrate("plan", "--format", "mermaid")
    let models = try tool.run(
      "model", "diff", "1.xcdatamodel", "2.xcdatamodel", "--format", "mermaid")
    #expect(drawn.code == 0 && drawn.out.hasPrefix("classDiagram"))
    #expect(drawn.out == models.out)
    #expect(drawn.err == "next: oxbowctl migrate apply --store s.sqlite --migrations M\n")
    let dot = try tool.json(
      "migrate", "plan", "--store", "s.sqlite", "--migrations", "M", "--format", "dot")
    let drawing = (dot["result"] as? [String: Any])?["drawing"] as? String
    #expect(drawing?.hasPrefix("digraph") == true)
    _ = try migrate("apply")
    let done = try migrate("plan", "--format", "mermaid")
    #expect(done.out == (try tool.run("model", "graph", "2.xcdatamodel")).out)
    let new = try tool.run(
      "migrate", "plan", "--store", "new.sqlite", "--migrations", "M", "--format", "mermaid")
    #expect(new.code == 0 && new.out.contains("File"))
  }

  @Test func `a plan as JSON has everything that the text has`() throws {
    try prepare(rows: 3)
    let document = try tool.json("migrate", "plan", "--store", "s.sqlite", "--migrations", "M")
    let result = document["result"] as? [String: Any]
    let step = (result?["steps"] as? [[String: Any]])?.first
    #expect(step?["id"] as? String == "0003")
    #expect(step?["destructive"] as? Bool == false)
    #expect(step?["reversible"] as? String == "lossless")
    #expect(step?["rows"] as? Int == 3)
    let changes = step?["modelChanges"] as? [[String: Any]]
    let rename = changes?.first { $0["kind"] as? String == "renamed" }
    #expect(rename?["property"] as? String == "byteCount")
    #expect(rename?["before"] as? String == "size")
    let operations = step?["operations"] as? [[String: Any]]
    #expect(operations?.contains { $0["kind"] as? String == "rebuild" } == true)
    #expect(
      (step?["changes"] as? [String])?.contains("rename attribute 'File.byteCount' (was 'size')")
        == true)
  }

  @Test func `a model that the migrations do not lead to is reported`() throws {
    try step("initial", "1.xcdatamodel")
    _ = try migrate("apply")
    let status = try migrate("status", "--model", "2.xcdatamodel")
    #expect(status.out.contains("and the migrations do not lead to it\n"))
    #expect(
      status.err == "next: oxbowctl migrate new NAME --model 2.xcdatamodel --migrations M\n")
  }

  @Test func `errors have their codes`() throws {
    try tool.folder.write("This is not a database.", to: "no.sqlite")
    try step("initial", "1.xcdatamodel")
    func code(_ arguments: String...) throws -> Int32 { try tool.run(arguments).code }
    #expect(try code("migrate", "apply", "--store", "no.sqlite", "--migrations", "M") == 69)
    #expect(try code("migrate", "apply", "--store", "/no/such/s.sqlite", "--migrations", "M") == 69)
    #expect(try code("store", "info", "none.sqlite") == 69)
    #expect(try code("migrate", "apply", "--store", "s.sqlite", "--migrations", "none") == 65)
    try tool.folder.write(
      "<code name=\"a\" version=\"1\" model=\"unchanged\" run=\"swift run a\"/>",
      to: "M/0002_a.code.xml")
    let refused = try migrate("apply")
    #expect(refused.code == 73)
    #expect(refused.err.hasSuffix("and this program does not have it; run: swift run a\n"))
    try tool.folder.write("COMMIT;", to: "M/0002_b.sql")
    #expect(try migrate("apply").code == 65)
  }

  @Test func `unsafe steps and stores of others have their codes (review M20)`() throws {
    try step("initial", "1.xcdatamodel")
    #expect(try migrate("apply").code == 0)
    try tool.folder.write("ALTER TABLE \"File\" ADD COLUMN x TEXT;", to: "M/0002_b.sql")
    #expect(try migrate("apply").code == 65)
    try tool.folder.write(
      "CREATE TABLE t (f REFERENCES \"File\" (_id)); INSERT INTO t VALUES (7);", to: "M/0002_b.sql")
    #expect(try migrate("apply").code == 73)
    #expect(
      try tool.run("migrate", "status", "--store", "", "--migrations", "M").code == 64)
    let fifo = tool.folder.file("M/0003_c.sql")
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(try migrate("status").err.contains("'M/0003_c.sql' is not a regular file"))
    unlink(fifo)
    try tool.folder.write("SELECT 1;", to: "M/0003_c.SQL")
    #expect(
      try migrate("status").err.contains(
        "the extension of '0003_c.SQL' in 'M' is not in lower case"))
  }

  @Test func `a reader that goes away does not end a migration (review M23)`() throws {
    try prepare(rows: 3)
    try tool.folder.write("UPDATE \"File\" SET \"name\" = 'x';", to: "M/0004_x.sql")
    let (process, _, err) = try tool.process(["migrate", "apply"] + Self.store)
    try err.fileHandleForReading.close()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(try migrate("status").out.contains("pending   nothing\n"))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
  func `status sees tables that something else changed (review M27)`() throws {
    try step("initial", "1.xcdatamodel")
    #expect(try migrate("apply").code == 0)
    #expect(try migrate("status", "--exit-code").code == 0)
    try tool.folder.write("DROP TABLE \"File\"; CREATE TABLE \"File\" (a);", to: "drop.sql")
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "sqlite3", tool.folder.file("s.sqlite"), ".read " + tool.folder.file("drop.sql"),
    ]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "the sqlite3 shell is needed")
    let status = try migrate("status", "--exit-code")
    #expect(status.code == 2)
    #expect(status.out.contains("drift     table 'File': the column '_id' is missing\n"))
  }

  @Test func `names that identifiers exchange are mentioned (review M34)`() throws {
    func model(_ first: String, _ second: String) -> String {
      """
      <model><entity name="File">
        <attribute name="a" attributeType="String" optional="YES"\(first)/>
        <attribute name="b" attributeType="String" optional="YES"\(second)/>
      </entity></model>
      """
    }
    try tool.folder.write(model("", ""), to: "a.xcdatamodel/contents")
    try tool.folder.write(
      model(" elementID=\"b\"", " elementID=\"a\""), to: "b.xcdatamodel/contents")
    try step("initial", "a.xcdatamodel")
    let output = try tool.run(
      "migrate", "new", "swap", "--model", "b.xcdatamodel", "--migrations", "M")
    #expect(output.out.contains("  not done: rename attribute 'File.a' (was 'b')\n"))
    #expect(output.out.contains("Give one of the items a hash modifier"))
  }

  @Test func `a plan tells what goes, and how much of it`() throws {
    try prepare(rows: 3)
    #expect(try migrate("apply").code == 0)
    try tool.folder.write(
      "<model><entity name=\"Label\"/></model>", to: "3.xcdatamodel/contents")
    let plan = try tool.run("migrate", "plan", "--store", "s.sqlite", "--model", "3.xcdatamodel")
    #expect(plan.out.contains(", REMOVES DATA\n"))
    #expect(plan.out.contains("  REMOVES objects of 'File': 3\n"))
    let apply = try tool.run("migrate", "apply", "--store", "s.sqlite", "--model", "3.xcdatamodel")
    #expect(apply.code == 73)
    #expect(apply.err.contains("would remove data: objects of 'File': 3. Write it"))
  }

  @Test func `a step that says too much is refused with the number of rows`() throws {
    try prepare(rows: 3)
    try tool.folder.write(
      Documents.first.replacing(
        "<attribute name=\"name\"",
        with: "<attribute name=\"more\" attributeType=\"String\"/>\n    <attribute name=\"name\""),
      to: "3.xcdatamodel/contents")
    let plan = try tool.run(
      "migrate", "plan", "--store", "s.sqlite", "--model", "3.xcdatamodel")
    #expect(plan.code == 73)
    #expect(
      plan.err.contains("was refused: objects of 'File' that would have no value for the new"))
  }

  @Test func `eight processes race, and one applies`() throws {
    try prepare(rows: 2000)
    let runs = try (0..<8).map { _ in
      try tool.process(["migrate", "apply", "--wait", "60"] + Self.store)
    }
    for run in runs { try run.0.run() }
    var outputs: [String] = []
    for run in runs {
      outputs.append(
        String(decoding: run.out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self))
      run.0.waitUntilExit()
      let err = String(decoding: run.err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      #expect(run.0.terminationStatus == 0, "\(err)")
    }
    #expect(outputs.filter { $0.hasPrefix("applied 0003 labels\n") }.count == 1)
    #expect(outputs.filter { $0 == "nothing to do\n" }.count == 7)
    #expect(try history() == ["0001", "0002", "0003"])
  }

  @Test func `killed in the middle, the store is as before`() throws {
    try prepare(rows: 200_000)
    for _ in 0..<3 {
      let (process, out, err) = try tool.process(["migrate", "apply"] + Self.store)
      try process.run()
      // This line is written inside the transaction, before the tables change.
      let line = err.fileHandleForReading.availableData
      #expect(String(decoding: line, as: UTF8.self).hasPrefix("[1/1] 0003_labels.xml"))
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      _ = out
      #expect(process.terminationReason == .uncaughtSignal)
      #expect(try history() == ["0001", "0002"])
      let status = try migrate("status")
      #expect(status.out.contains("pending   0003_labels.xml\n"), "\(status.err)")
    }
    #expect(try migrate("apply").code == 0)
    #expect(try history() == ["0001", "0002", "0003"])
    let info = try tool.json("store", "info", "s.sqlite")["result"] as? [String: Any]
    let entities = info?["entities"] as? [[String: Any]]
    #expect(entities?.first?["rows"] as? Int == 200_000)
  }

  func history() throws -> [String] {
    let info = try tool.json("store", "info", "s.sqlite")["result"] as? [String: Any]
    let history = info?["history"] as? [[String: Any]]
    return history?.compactMap { $0["id"] as? String } ?? []
  }

  @Test func `a step is taken back, after a copy`() throws {
    try prepare(rows: 3)
    #expect(try migrate("apply").code == 0)
    let refused = try migrate("undo", "--backup", "copy.sqlite")
    #expect(refused.code == 73)
    #expect(!FileManager.default.fileExists(atPath: tool.folder.file("copy.sqlite")))
    #expect(
      refused.err.hasPrefix(
        "error: taking back 0003_labels.xml would remove data: values of 'File.rank': 3."))
    let undone = try migrate("undo", "--allow-loss", "--backup", "copy.sqlite")
    #expect(undone.code == 0)
    #expect(undone.out.hasPrefix("took back 0003 labels\nmodel "))
    #expect(undone.err == "copied 's.sqlite' to 'copy.sqlite'\n")
    let status = try migrate("status")
    #expect(status.out.contains("pending   0003_labels.xml\n"))
    #expect(status.out.contains("0003 labels: undone "))
    #expect(try tool.run("store", "check", "copy.sqlite").code == 0)
  }

  @Test func `S: all steps behind a number are taken back`() throws {
    try prepare(rows: 3)
    try tool.folder.write("-- up\nSELECT 1;\n-- down\nSELECT 1;\n", to: "M/0004_none.sql")
    #expect(try migrate("apply").code == 0)
    let late = try migrate("undo", "--to", "9")
    #expect(late.code == 73)
    #expect(
      late.err.hasPrefix(
        "error: the store has not had a step 9, so it cannot be taken back to it; it has had "))
    let undone = try tool.json(
      "migrate", "undo", "--to", "2", "--allow-loss", "--store", "s.sqlite", "--migrations", "M")
    let steps = (undone["result"] as? [String: Any])?["steps"] as? [[String: Any]]
    #expect(steps?.compactMap { $0["name"] as? String } == ["none", "labels"])
    #expect(try migrate("apply").code == 0)
    let text = try migrate("undo", "--to", "2", "--allow-loss").out
    #expect(text.hasPrefix("took back 0004 none\ntook back 0003 labels\nmodel "))
  }

  @Test func `S: a plan that counts nothing says so, and is applied as it was looked at`() throws {
    try prepare(rows: 3)
    let counted = try migrate("plan").out
    let text = try migrate("plan", "--no-count").out
    #expect(counted.contains("  -- rebuild File, 3 rows\n"))
    #expect(text.contains("  -- rebuild File, rows not counted\n"))
    #expect(text.contains("  writes anew: File, keeps all data\n"))
    #expect(!text.contains("the steps need"))
    let plan = try tool.run(["migrate", "plan", "--no-count", "--json"] + Self.store)
    try tool.folder.write(plan.out, to: "plan.json")
    let document = try JSONSerialization.jsonObject(with: Data(plan.out.utf8))
    let fields = (document as? [String: Any])?["result"] as? [String: Any]
    #expect(fields?["countsRows"] as? Bool == false)
    let step = (fields?["steps"] as? [[String: Any]])?.first
    #expect(step?["rows"] == nil && step?["bytes"] == nil)
    // Rows that come since are no difference; another history is one.
    try tool.folder.write(
      """
      -- oxbow: model unchanged
      SELECT 1;
      """, to: "M/0004_more.sql")
    let moved = try migrate("apply", "--plan", "plan.json")
    #expect(moved.code == 73)
    #expect(moved.err.contains("difference: the steps are '0003 labels', '0004 more'"))
    try FileManager.default.removeItem(atPath: tool.folder.file("M/0004_more.sql"))
    #expect(try migrate("apply", "--plan", "plan.json", "--dry-run").out.contains("not counted"))
    #expect(try migrate("apply", "--plan", "plan.json").code == 0)
  }

  @Test func `S: a plan that counts nothing names what may go, and reads no damaged row`() throws {
    try prepare(rows: 3)
    #expect(try migrate("apply").code == 0)
    try tool.folder.write(
      "<model><entity name=\"Label\"/></model>", to: "3.xcdatamodel/contents")
    try step("less", "3.xcdatamodel")
    #expect(try migrate("plan").out.contains("  REMOVES objects of 'File': 3\n"))
    let text = try migrate("plan", "--no-count").out
    #expect(text.contains("  REMOVES objects of 'File': not counted\n"))
    #expect(text.contains("  REMOVES values of 'Label.title': not counted\n"))
    #expect(try migrate("apply").code == 73)
  }

  @Test func `the way back is tried on a copy, and the store stays`() throws {
    try prepare(rows: 3)
    let before = try history()
    let verified = try migrate("verify")
    #expect(verified.code == 0)
    #expect(verified.out == "0003_labels.xml: can be taken back without loss\n")
    #expect(try history() == before)
    try tool.folder.write(
      "-- up\nUPDATE \"File\" SET \"rank\" = \"rank\" + 1;\n-- down\nSELECT 1;\n",
      to: "M/0004_rank.sql")
    let differs = try migrate("verify")
    #expect(differs.code == 2)
    #expect(
      differs.out.hasSuffix(
        "0004_rank.sql: DIFFERS\n  applied again: the table 'File' has other values\n"))
  }

  @Test func `new writes a script and a stub, and a step with consent`() throws {
    try step("initial", "1.xcdatamodel")
    let new = ["migrate", "new"]
    let script = try tool.run(new + ["fill", "--sql", "--migrations", "M"])
    #expect(script.out == "wrote M/0002_fill.sql\n")
    #expect(try migrate("apply").code == 0)
    let stub = try tool.run(
      new + ["split", "--code", "--run", "swift run shop migrate apply", "--migrations", "M"])
    #expect(stub.out == "wrote M/0003_split.code.xml\n")
    #expect(
      stub.err
        == "note: the folder has no oxbow.sum, and none was written; to have one: oxbowctl migrate "
        + "sum --migrations M\nnext: give OxbowTool.main(steps:) a step .plain(\"split\") "
        + "{ rows in … }\n")
    let plan = try migrate("plan")
    #expect(plan.out.contains("  in Swift, what it removes is not known\n  undo: none\n"))
    #expect(
      plan.out.contains("  this program does not have the step; run: swift run shop migrate apply"))
    #expect(try migrate("apply").code == 73)
    try tool.folder.write(
      "<model><entity name=\"File\"/></model>", to: "3.xcdatamodel/contents")
    let lossy = try tool.run(new + ["less", "--model", "3.xcdatamodel", "--migrations", "M"])
    #expect(lossy.out.contains("  removes values of 'File.name', where there are any\n"))
    #expect(
      lossy.out.contains("  apply refuses that in stores that have some, unless --allow-loss"))
    #expect(try tool.run(new + ["x", "--migrations", "M"]).code == 64)
    #expect(try tool.run(new + ["x", "--sql", "--code", "--migrations", "M"]).code == 64)
  }

  @Test func `lint, drift, repair and baseline have their codes`() throws {
    try prepare(rows: 3)
    let lint = try tool.run("migrate", "lint", "--migrations", "M")
    #expect(lint.code == 0)
    #expect(
      lint.out == """
        0002_rows.sql: note: the script has no section "down", so that it cannot be taken back \
        (OX205)
          add a line "-- down" with statements that restore what was before, or leave it

        """)
    try tool.folder.write("DROP TABLE x;\n", to: "M/0004_x.sql")
    let found = try tool.run("migrate", "lint", "--migrations", "M", "--from", "4")
    #expect(found.code == 2)
    #expect(
      found.out.hasPrefix("0004_x.sql:1: note: the table 'x' is dropped with all its rows"))
    let json = try tool.json("migrate", "lint", "--migrations", "M", "--from", "4")
    let findings = (json["result"] as? [String: Any])?["findings"] as? [[String: Any]]
    #expect(findings?.map { $0["rule"] as? String } == ["OX217", "OX209", "OX205"])
    try FileManager.default.removeItem(atPath: tool.folder.file("M/0004_x.sql"))

    #expect(try migrate("drift").out == "the tables are those of the model\n")
    #expect(try migrate("baseline").out == "nothing to do: the store has a history\n")
    #expect(try migrate("repair").out == "no applied file was changed\n")
    let text = try tool.folder.text(of: "M/0002_rows.sql")
    try tool.folder.write("-- more\n" + text, to: "M/0002_rows.sql")
    let repair = try migrate("repair")
    #expect(repair.code == 2)
    #expect(repair.err.hasSuffix("migrate repair --store s.sqlite --migrations M --accept\n"))
    #expect(try migrate("repair", "--accept").out == "accepted 0002_rows.sql\n")
    #expect(try migrate("apply").code == 0)
    let doctor = try tool.run("store", "doctor", "s.sqlite")
    #expect(doctor.code == 0)
    #expect(doctor.out.hasPrefix("'s.sqlite' is well\n"))
  }

  @Test func `the first step writes the checksums, and a text that is not theirs is refused`()
    throws
  {
    let first = try tool.run(
      "migrate", "new", "initial", "--model", "1.xcdatamodel", "--migrations", "M")
    #expect(first.out.hasPrefix("wrote M/0001_initial.xml\nwrote M/oxbow.sum\n"))
    let script = try tool.run("migrate", "new", "fill", "--sql", "--migrations", "M")
    #expect(script.out == "wrote M/0002_fill.sql\n")
    #expect(
      try tool.folder.text(of: "M/oxbow.sum").split(separator: "\n").map {
        $0.split(separator: " ")[1]
      }
        == ["0001_initial.xml", "0002_fill.sql"])
    #expect(try migrate("apply").code == 0)
    try tool.folder.write("-- up\nSELECT 1;\n", to: "M/0002_fill.sql")
    let refused = try migrate("apply")
    #expect(refused.code == 65)
    #expect(
      refused.err.contains("when the change is meant, run 'oxbowctl migrate sum --migrations M'"))
  }

  @Test func `steps are put together when a new store stays the same`() throws {
    try prepare(rows: 3)
    let squash = ["migrate", "squash", "--migrations", "M", "--up-to"]
    let refused = try tool.run(squash + ["3"])
    #expect(refused.code == 73)
    #expect(refused.err.contains("difference: the table 'File' has 0 rows, not 3"))
    try tool.folder.write("SELECT 1;", to: "M/0002_rows.sql")
    let done = try tool.run(squash + ["3"])
    #expect(done.out == "put 3 steps together as M/0003_squashed.xml\n")
    #expect(try tool.run("migrate", "apply", "--store", "n.sqlite", "--migrations", "M").code == 0)
  }

  @Test func `a plan up to a step names the command that applies up to there`() throws {
    try prepare(rows: 3)
    let plan = try tool.run(
      "migrate", "plan", "--store", "n.sqlite", "--migrations", "M", "--up-to", "2")
    #expect(
      plan.err == "next: oxbowctl migrate apply --store n.sqlite --migrations M --up-to 2\n")
  }

  @Test func `a command that does not exist is named, and not its options (review M35)`() throws {
    let typo = try tool.run("migrate", "aply", "--store", "x")
    #expect(typo.code == 64)
    #expect(typo.err.contains("'migrate' has no command 'aply'; did you mean 'apply'?"))
    #expect(
      try tool.run("stroe").err.contains("there is no command 'stroe'; did you mean 'store'?"))
    #expect(try tool.run("migrate", "zzzz").err.contains("there are 'apply', 'baseline', 'drift'"))
    #expect(try tool.run("help", "migrate").code == 0)
    #expect(try tool.run("migrate", "--help").code == 0)
  }

  @Test func `a mistyped option is named, and not the store that it was to name`() throws {
    for (mistake, text) in [
      (["--stor", "x"], "Unknown option '--stor'. Did you mean '--store'?"),
      (["--store", "x", "--migration", "M"], "Unknown option '--migration'"),
      (["x"], "Unexpected argument 'x'"),
      ([], "Give --store FILE, or set OXBOW_STORE."),
    ] {
      let typo = try tool.run(["migrate", "apply"] + mistake)
      #expect(typo.code == 64)
      #expect(typo.err.contains(text), "\(typo.err)")
    }
  }

  @Test func `new names what may be a rename`() throws {
    try step("initial", "1.xcdatamodel")
    try tool.folder.write(
      Documents.first.replacing("name=\"size\"", with: "name=\"length\""),
      to: "3.xcdatamodel/contents")
    let output = try tool.run(
      "migrate", "new", "length", "--model", "3.xcdatamodel", "--migrations", "M")
    #expect(
      output.out.contains(
        "  'File.size' goes, and 'File.length' of the same type is new; if it is a rename, give the "
          + "new one the renaming identifier 'size' (elementID=\"size\"), so that it keeps the data"
      ))
  }

  @Test func `a store is described for people`() throws {
    try prepare(rows: 3)
    let output = try tool.run("store", "info", "s.sqlite")
    #expect(output.code == 0)
    #expect(output.out.contains("layout      plain 1\n"))
    #expect(output.out.contains("journal     "))
    #expect(output.out.contains("sqlite      SQLite 3."))
    #expect(output.out.contains("entities\n  File  3 objects\n"))
    #expect(output.out.contains("history     0001 initial: applied "))
  }
}
