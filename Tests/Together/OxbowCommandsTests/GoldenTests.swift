import Foundation
import OxbowTestSupport
import Testing

@testable import OxbowCommands

@Suite struct GoldenTests {
  let tool: Tool
  let lab: MigrateCommandTests

  init() throws {
    lab = try MigrateCommandTests()
    tool = lab.tool
    try lab.prepare(rows: 3)
    try tool.folder.write(
      """
      -- up
      WITH big AS (SELECT 1) UPDATE main."File" SET "name" = 'x';
      INSERT OR REPLACE INTO "File" ("_id", "_version", "name") VALUES (1, 1, 'one');
      CREATE TABLE notes (file REFERENCES "File" ("_id"));
      DROP TABLE notes;
      """, to: "M/0004_slips.sql")
    try tool.folder.write(
      "<code name=\"tidy\" version=\"1\" model=\"unchanged\" run=\"swift run shop migrate apply\"/>",
      to: "M/0005_tidy.code.xml")
    try tool.folder.write(
      "<model><entity name=\"Label\"/></model>", to: "3.xcdatamodel/contents")
    try lab.step("less", "3.xcdatamodel")
  }

  private static let verbs: [(name: String, arguments: [String])] = [
    ("plan", ["migrate", "plan"] + MigrateCommandTests.store),
    ("status", ["migrate", "status"] + MigrateCommandTests.store),
    ("lint", ["migrate", "lint", "--migrations", "M"]),
  ]

  @Test func `plan, status and lint, as text and as JSON`() throws {
    for (name, arguments) in Self.verbs {
      let text = try tool.run(arguments)
      try Golden.expect(text.out, "\(name).txt")
      try Golden.expect(text.err, "\(name).err.txt")
      let json = try tool.run(arguments + ["--json"])
      try Golden.expect(json.out, "\(name).json")
      #expect(json.code == text.code)
      let terminal = try tool.inTerminal(arguments)
      #expect(Golden.steady(terminal.text) == Golden.steady(text.out + text.err), "\(name)")
      #expect(terminal.code == text.code)
    }
  }

  @Test func `help of the commands, and of one that does not exist`() throws {
    for words in [
      [], ["migrate"], ["migrate", "plan"], ["migrate", "apply"], ["migrate", "lint"],
    ] {
      let help = try tool.run(words + ["--help"])
      #expect(help.code == 0)
      try Golden.expect(help.out, (["help"] + words).joined(separator: "-") + ".txt")
    }
    try Golden.expect(try tool.run("migrate", "aply").err, "unknown.txt")
  }

  @Test func `apply and its refusals`() throws {
    let refused = try lab.migrate("apply")
    #expect(refused.code == 73)
    try Golden.expect(refused.err, "apply-code.txt")
    try Golden.expect(try lab.migrate("apply", "--json").out, "apply-code.json")
    try FileManager.default.removeItem(atPath: tool.folder.file("M/0005_tidy.code.xml"))
    try FileManager.default.removeItem(atPath: tool.folder.file("M/0004_slips.sql"))
    let lost = try lab.migrate("apply")
    #expect(lost.code == 73)
    try Golden.expect(lost.out + lost.err, "apply-loss.txt")
    try Golden.expect(try lab.migrate("apply", "--allow-loss", "--json").out, "apply.json")
    try Golden.expect(try lab.migrate("status").out, "status-done.txt")
  }

  @Test func `an error is red in a terminal, and nowhere else`() throws {
    let arguments = ["migrate", "status", "--store", "s.sqlite", "--migrations", "none"]
    let plain = try tool.run(arguments).err
    #expect(plain.hasPrefix("error: "))
    let red = plain.replacing("error: ", with: "\u{1B}[1;31merror:\u{1B}[0m ", maxReplacements: 1)
    #expect(try tool.inTerminal(arguments).text == red)
    #expect(try tool.inTerminal(arguments + ["--no-color"]).text == plain)
    #expect(try tool.inTerminal(arguments, environment: ["NO_COLOR": "1"]).text == plain)
    #expect(try tool.inTerminal(arguments, environment: ["TERM": "dumb"]).text == plain)
  }

  @Test func `the pace of a long step`() {
    #expect(
      Pace.text(20_000, of: 100_000, since: 0, after: .seconds(2))
        == "20000 of 100000 objects, 10000 in a second, 8 s left")
    #expect(Pace.text(5000, of: 100_000, since: 5000, after: .zero) == "5000 of 100000 objects")
  }

  // MARK: - The fields of JSON

  @Test func `every field of every result is in the document`() throws {
    let folder = ["--migrations", "M"]
    let store = MigrateCommandTests.store
    try tool.folder.write(
      "<objects><object name=\"a\" class=\"B\"/></objects>", to: "wiring.xml")
    try CoreDataFixture.store(
      tool.folder.file("c.sqlite"),
      CoreDataFixture.properties(["Author": [UInt8](repeating: 9, count: 32)]),
      model: CoreDataFixture.deflated(CoreDataFixture.model()))
    let runs: [(String, [String])] = [
      ("store info", ["c.sqlite"]), ("model hashes", ["c.sqlite"]),
      ("store create", ["n.sqlite", "--model", "1.xcdatamodel"]),
      ("store convert", ["n.sqlite", "d.sqlite", "--layout", "coreData"]),
      ("migrate status", store), ("migrate plan", store), ("migrate lint", folder),
      ("migrate apply", store + ["--up-to", "4"]), ("migrate drift", store),
      ("migrate apply", store + ["--up-to", "4", "--dry-run"]),
      ("migrate repair", store), ("migrate baseline", store),
      ("migrate new", ["more", "--model", "2.xcdatamodel"] + folder),
      ("migrate sum", folder), ("model show", ["2.xcdatamodel"]),
      ("model graph", ["2.xcdatamodel"]),
      ("model check", ["2.xcdatamodel"]), ("model diff", ["1.xcdatamodel", "2.xcdatamodel"]),
      ("store info", ["s.sqlite"]), ("store doctor", ["s.sqlite"]), ("store check", ["s.sqlite"]),
      ("store backup", ["s.sqlite", "b.sqlite"]), ("store compact", ["s.sqlite"]),
      ("store history on", ["s.sqlite"]), ("store history show", ["s.sqlite"]),
      ("store history consumers", ["s.sqlite"]), ("store undo", ["s.sqlite", "1"]),
      ("store history purge", ["s.sqlite", "--before", "1"]),
      ("store history forget", ["s.sqlite", "mailer"]), ("store history off", ["s.sqlite"]),
      ("store restore", ["b.sqlite", "s.sqlite", "--replace"]),
      ("container check", ["wiring.xml", "--structure-only"]),
      ("container graph", ["wiring.xml"]), ("container explain", ["a", "wiring.xml"]),
      ("migrate verify", store + ["--up-to", "4"]),
    ]
    for (words, arguments) in runs { _ = try compare(words, arguments) }
    let document = try CommandDocument()
    for command in CommandDocument.commands where !command.isGroup {
      #expect(document.fields(of: command.words) != nil, "\(command.words)")
    }
  }

  /// Compares what a command writes with the documented fields; whether it was a result.
  private func compare(_ words: String, _ arguments: [String]) throws -> Bool {
    let output = try tool.run(
      words.split(separator: " ").map(String.init) + arguments + ["--json"])
    let value = try JSONSerialization.jsonObject(with: Data(output.out.utf8))
    let document = try #require(value as? [String: Any], "\(words): \(output.err)")
    #expect(document["format"] as? Int == 1)
    #expect(document["command"] as? String == words)
    let isPlan = words == "migrate apply" && arguments.contains("--dry-run")
    let result = isPlan ? "migrate plan" : words
    let page = try CommandDocument()
    let fields = document["result"] == nil ? page.failureFields : page.fields(of: result)
    let known = try #require(fields, "\(words)")
    let found = document["result"] ?? document["error"] ?? [:]
    #expect(Self.paths(found).subtracting(known).sorted() == [], "\(words)")
    return document["result"] != nil
  }

  @Test(.enabled(if: Shell.hasSQLite))
  func `what writes files and takes back has the fields of the document too`() throws {
    try tool.folder.write(
      Documents.second.replacing(
        "<entity name=\"Label\">",
        with: """
          <entity name="Label"><relationship name="odd" destinationEntity="Label" maxCount="1"/>
          """), to: "odd.xcdatamodel/contents")
    try Shell.sqlite(tool.folder.file("f.sqlite"), ConversionCommandTests.statements)
    let line = ["--store", "t.sqlite", "--migrations", "N"]
    func new(_ name: String, _ model: String) throws {
      #expect(
        try compare("migrate new", [name, "--model", model, "--migrations", "N"]), "\(name)")
    }
    try new("initial", "1.xcdatamodel")
    try new("second", "2.xcdatamodel")
    let runs: [(String, [String])] = [
      ("model export", ["2.xcdatamodel", "--output", "E.xcdatamodel"]),
      ("model export", ["f.sqlite", "--output", "F.xcdatamodel"]),
      ("model generate", ["odd.xcdatamodel"]),
      ("model generate", ["odd.xcdatamodel", "--output", "Classes"]),
      ("migrate apply", line), ("migrate undo", line), ("migrate apply", line),
      ("migrate verify", line), ("migrate squash", ["--migrations", "N", "--up-to", "2"]),
      ("migrate baseline", ["--store", "f.sqlite", "--show"]),
      (
        "migrate baseline",
        ["--store", "f.sqlite", "--model", "F.xcdatamodel", "--convert", "--dry-run"]
      ),
      (
        "migrate baseline",
        ["--store", "f.sqlite", "--model", "F.xcdatamodel", "--convert", "--allow-loss"]
      ),
    ]
    for (words, arguments) in runs {
      #expect(try compare(words, arguments), "\(words) \(arguments)")
    }
  }

  /// The paths of a value's fields.
  private static func paths(_ value: Any, _ path: String = "") -> Set<String> {
    switch value {
    case let list as [Any]:
      return list.isEmpty
        ? [] : Set(list.flatMap { paths($0, path + "[]") })
    case let object as [String: Any]:
      return Set(
        object.flatMap { name, value -> Set<String> in
          let isByName = path.hasSuffix(".indexes")
          let next = isByName ? path + "{}" : path.isEmpty ? name : "\(path).\(name)"
          return paths(value, next)
        })
    default: return [path]
    }
  }
}
