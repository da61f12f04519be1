import Foundation
import OxbowTestSupport
import Testing

// Arguments that no command takes, and what a run says of them.
@Suite struct UsageTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  /// Runs the tool through a shell: only there can an argument have any bytes.
  func shell(_ command: String) throws -> Tool.Output {
    let path = try #require(Tool.path, "oxbowctl was not built")
    let (process, out, err) = try tool.process([])
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command.replacing("oxbowctl", with: "'\(path)'")]
    try process.run()
    let outData = out.fileHandleForReading.readDataToEndOfFile()
    let errData = err.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Tool.Output(
      code: process.terminationStatus, out: String(decoding: outData, as: UTF8.self),
      err: String(decoding: errData, as: UTF8.self))
  }

  @Test(arguments: [
    "migrate apply --model M.xcdatamodel --store", "migrate status --store", "store info",
    "migrate status --migrations M --store=s.sqlite --model",
  ])
  func `W2: an argument that is not UTF-8 is refused, and no other file is touched`(
    words: String
  ) throws {
    try tool.folder.write(Documents.first, to: "M.xcdatamodel/contents")
    let before = try tool.folder.names()
    let output = try shell("oxbowctl \(words) \"$(printf 'caf\\351.sqlite')\"")
    #expect(output.code == 64)
    #expect(output.out == "")
    #expect(output.err.contains("'caf\\xE9.sqlite', is not UTF-8; rename the file"))
    #expect(try tool.folder.names() == before)
  }

  @Test(arguments: [
    (["migrate", "apply"], "migrate apply"), (["migrate", "aply"], "migrate"),
    (["model", "export", "x", "--output", "y"], "model export"), (["--wrong"], ""),
    (["migrate", "verify", "--store", "s"], "migrate verify"),
    (["migrate", "plan", "--store", "s.sqlite"], "migrate plan"),
  ])
  func `E3: a usage error with --json is one document on the standard output`(
    arguments: [String], command: String
  ) throws {
    let output = try tool.run(arguments + ["--json"])
    #expect(output.code == 64, "\(output.err)")
    let value = try JSONSerialization.jsonObject(with: Data(output.out.utf8)) as? [String: Any]
    #expect(value?["format"] as? Int == 1)
    #expect(value?["command"] as? String == command)
    let error = value?["error"] as? [String: Any]
    #expect(error?["code"] as? String == "usage")
    let message = try #require(error?["message"] as? String)
    #expect(!message.isEmpty)
    #expect(output.err.contains(message))
    #expect(try tool.run(arguments).out == "")
  }

  @Test(arguments: [
    ("model export M.xcdatamodel --output N.xcdatamodel --model-version V", "--model-version"),
    ("migrate new a --model M.xcdatamodel --migrations M --run x", "--run"),
    ("migrate new a --sql --migrations M --allow-loss", "--allow-loss"),
    ("migrate new a --code --migrations M --allow-loss", "--allow-loss"),
    ("store fetch postgres://localhost/x Author --model M.xcdatamodel", "--model"),
    ("migrate baseline --store s.sqlite --migrations M --ignore-space", "--ignore-space"),
  ])
  func `an option that would do nothing is refused`(words: String, option: String) throws {
    let refused = try tool.run(words.split(separator: " ").map(String.init))
    #expect(refused.code == 64)
    #expect(refused.err.contains("\(option) "), "\(refused.err)")
    #expect(refused.err.contains(" for "), "\(refused.err)")
    #expect(try tool.folder.names() == [])
  }

  @Test func `OXBOW_STORE is looked at by commands that take it`() throws {
    let store = "OXBOW_STORE=file:///geheim/s.sqlite oxbowctl"
    for words in ["--help", "migrate apply --help", "migrate status --store s.sqlite"] {
      #expect(try !shell("\(store) \(words)").err.contains("is a URI"), "\(words)")
    }
    #expect(try shell("\(store) migrate status").err.contains("is a URI"))
  }

  // MARK: - Exit codes and reasons

  private func apply(_ script: String) throws -> Tool.Output {
    try tool.folder.write(Documents.first, to: "M.xcdatamodel/contents")
    let new = ["migrate", "new", "first", "--model", "M.xcdatamodel", "--migrations", "M"]
    #expect(try tool.run(new).code == 0)
    try tool.folder.write("-- oxbow: model unchanged\n\(script)\n", to: "M/0002_script.sql")
    #expect(try tool.run("migrate", "sum", "--migrations", "M").code == 0)
    return try tool.run("migrate", "apply", "--store", "s.sqlite", "--migrations", "M")
  }

  @Test(arguments: [
    ("UPDTE File SET size = 1;", 65), ("UPDATE Fil SET size = 1;", 65), ("VACUUM;", 65),
    ("UPDATE File SET siz = 1;", 65), ("BEGIN;", 65),
    ("INSERT INTO File (_id, _version, size) VALUES (1, 1, 'a');", 1),
  ])
  func `E4: a script that SQLite does not understand is a bad file, and rows are none`(
    script: String, code: Int32
  ) throws {
    let output = try apply(script)
    #expect(output.code == code, "\(output.err)")
    #expect(output.err.contains("0002_script.sql:2:1: "))
  }

  @Test func `E4: what cannot be written says why, and is no bad migration file`() throws {
    try tool.folder.write(Documents.first, to: "M.xcdatamodel/contents")
    try tool.folder.write("", to: "file")
    for words in [
      ["migrate", "new", "first", "--model", "M.xcdatamodel", "--migrations", "file/M"],
      ["model", "export", "M.xcdatamodel", "--output", "file/N.xcdatamodel"],
    ] {
      let output = try tool.run(words)
      #expect(output.code == 1, "\(output.err)")
      #expect(output.err.contains("cannot be made: Not a directory"), "\(output.err)")
    }
  }

  @Test func `E9: restore leaves nothing beside the backup, and a store with a log`() throws {
    #expect(try apply("SELECT 1;").code == 0)
    #expect(try tool.run("store", "backup", "s.sqlite", "b.sqlite").code == 0)
    let before = try tool.folder.names()
    #expect(try tool.run("store", "restore", "b.sqlite", "r.sqlite").code == 0)
    #expect(
      Set(try tool.folder.names()).subtracting(before) == ["r.sqlite", "r.sqlite-lock"])
    let info = try tool.json("store", "info", "r.sqlite")
    #expect((info["result"] as? [String: Any])?["journalMode"] as? String == "wal")
    #expect(try tool.run("store", "check", "b.sqlite").code == 0)
    #expect(!FileManager.default.fileExists(atPath: tool.folder.file("b.sqlite-lock")))
  }

  @Test func `E9: a store with a rollback journal has one when it is restored`() throws {
    #expect(try apply("SELECT 1;").code == 0)
    #expect(try tool.run("store", "backup", "s.sqlite", "b.sqlite").code == 0)
    #expect(try tool.run("store", "backup", "s.sqlite", "t.sqlite").code == 0)
    #expect(try tool.run("store", "restore", "b.sqlite", "t.sqlite", "--replace").code == 0)
    let info = try tool.json("store", "info", "t.sqlite")
    #expect((info["result"] as? [String: Any])?["journalMode"] as? String == "delete")
  }

  // MARK: - Environment, quiet, help

  @Test func `the environment names store and folder where options do not`() throws {
    #expect(try apply("SELECT 1;").code == 0)
    let named = "OXBOW_STORE=s.sqlite OXBOW_MIGRATIONS=M oxbowctl migrate"
    #expect(try shell("\(named) status --json").out.contains("\"last\" : \"0002_script.sql\""))
    #expect(try shell("\(named) lint --from 3").code == 0)
    let other = try shell("\(named) status --store t.sqlite")
    #expect(other.out.contains("there is no store yet"))
    #expect(try shell("OXBOW_STORE= oxbowctl migrate status").code == 64)
    let missing = try tool.run("migrate", "sum")
    #expect(missing.code == 64)
    #expect(missing.err.contains("Give --migrations DIR, or set OXBOW_MIGRATIONS."))
  }

  @Test func `-q leaves out what is not a result or an error`() throws {
    let loud = try apply("SELECT 1;")
    #expect(!loud.err.isEmpty)
    let words = ["migrate", "apply", "--migrations", "M", "-q", "--store"]
    let quiet = try tool.run(words + ["t.sqlite"])
    #expect(quiet.code == 0)
    #expect(quiet.err == "")
    #expect(!(try tool.run(words + ["no/t.sqlite"]).err).isEmpty)
  }

  @Test(arguments: [["migrate"], ["migrate", "plan"], ["migrate", "lint"]])
  func `E6: an example of the help can be copied from a terminal of 80 columns`(
    words: [String]
  ) throws {
    let output = try shell("COLUMNS=80 oxbowctl \(words.joined(separator: " ")) --help")
    let lines = output.out.split(separator: "\n")
    let examples = lines.indices.filter { lines[$0].hasPrefix("oxbowctl migrate") }
    #expect(!examples.isEmpty)
    for index in examples where lines[index].hasSuffix("\\") {
      #expect(lines[index + 1].hasPrefix("  --"), "\(lines[index + 1])")
    }
    let rest = lines.indices.filter { index in
      lines[index].hasPrefix("Migrations") || lines[index].hasPrefix("plan.json")
        || lines[index].hasPrefix("--")
    }
    #expect(rest.isEmpty)
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash")),
    arguments: [
      ["store", "info", ""], ["migrate", "apply", "--store", ""],
      ["migrate", "new", "--model", ""],
      ["migrate", "plan", "--migrations", ""], ["model", "diff", ""],
    ])
  func `E2: bash completes the names of files`(words: [String]) throws {
    try tool.folder.write("", to: "some/file")
    let script = try tool.run("--generate-completion-script", "bash").out
    try tool.folder.write(script, to: "complete.bash")
    let line = "oxbowctl " + words.joined(separator: " ")
    let list = (["oxbowctl"] + words).map { "'\($0)'" }.joined(separator: " ")
    let found = try Shell.run(
      "source complete.bash; COMP_WORDS=(\(list)); COMP_CWORD=\(words.count); "
        + "COMP_LINE='\(line)'; COMP_POINT=\(line.utf8.count); "
        + "_oxbowctl oxbowctl '' '\(words.dropLast().last ?? "")'; echo \"${COMPREPLY[@]}\"",
      in: tool.folder.path)
    #expect(found.split(whereSeparator: \.isWhitespace).contains("some"), "\(found)")
  }

  @Test(.enabled(if: Shell.hasSQLite))
  func `E5: the doctor lists rows that refer to nothing, with the statement that mends them`()
    throws
  {
    let model = """
      <model>
        <entity name="Person">
          <relationship name="pets" toMany="YES" destinationEntity="Pet" inverseName="owner"/>
        </entity>
        <entity name="Pet">
          <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" \
        inverseName="pets"/>
        </entity>
      </model>
      """
    try tool.folder.write(model, to: "P.xcdatamodel/contents")
    let store = tool.folder.file("p.sqlite")
    #expect(
      try tool.run("migrate", "apply", "--store", "p.sqlite", "--model", "P.xcdatamodel").code == 0)
    try Shell.sqlite(store, "INSERT INTO Pet (_id, _version, owner) VALUES (3, 1, 7), (4, 1, 8)")
    let output = try tool.run("store", "doctor", "p.sqlite")
    #expect(output.code == 2)
    let statement =
      "UPDATE \"Pet\" SET \"owner\" = NULL, \"_version\" = \"_version\" + 1 WHERE \"owner\" NOT IN "
      + "(SELECT \"_id\" FROM \"Person\");"
    #expect(
      output.out.contains(
        "'Pet.owner' of 2 rows refers to rows of 'Person' that are not there\n"
          + "  the rows 3, 4; put back what they refer to, or write a script with: \(statement)\n"))
    #expect(!output.out.contains("stop writing"))
    try Shell.sqlite(store, statement.replacing("\"", with: "\\\""))
    #expect(try tool.run("store", "doctor", "p.sqlite").code == 0)
  }
}
