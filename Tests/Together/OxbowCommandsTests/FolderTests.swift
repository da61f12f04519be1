import Foundation
import OxbowRelational
import OxbowTestSupport
import Testing

@testable import OxbowCommands

// What is written into a folder of migrations, by whom, and what of it can be pasted.
@Suite struct FolderTests {
  let tool: Tool
  let lab: MigrateCommandTests

  init() throws {
    lab = try MigrateCommandTests()
    tool = lab.tool
  }

  func names(in folder: String = "M") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tool.folder.file(folder)).sorted()
  }

  /// A folder of which three steps cannot be put together, as the second one writes a row.
  func prepareScripts() throws {
    try lab.step("initial", "1.xcdatamodel")
    try lab.rows(1, "0002_rows.sql")
    try tool.folder.write("-- up\nSELECT 1;\n", to: "M/0003_more.sql")
  }

  @Test(arguments: [true, false])
  func `a folder that is a link is put together only when that was proved`(isAbsolute: Bool) throws
  {
    try prepareScripts()
    let before = try names()
    try FileManager.default.createSymbolicLink(
      atPath: tool.folder.file("L"),
      withDestinationPath: isAbsolute ? tool.folder.file("M") : "M")
    let refused = try tool.run("migrate", "squash", "--migrations", "L", "--up-to", "3")
    #expect(refused.code == 73)
    #expect(refused.err.contains("the table 'File' has 0 rows, not 1"))
    #expect(try names() == before)
    try tool.folder.write("-- up\nSELECT 2;\n", to: "M/0002_rows.sql")
    #expect(try tool.run("migrate", "squash", "--migrations", "L", "--up-to", "3").code == 0)
    #expect(try names() == ["0003_squashed.xml"])
  }

  @Test func `a step that is a link is put together as what it leads to`() throws {
    try prepareScripts()
    try FileManager.default.moveItem(
      atPath: tool.folder.file("M/0003_more.sql"), toPath: tool.folder.file("shared.sql"))
    try FileManager.default.createSymbolicLink(
      atPath: tool.folder.file("M/0003_more.sql"), withDestinationPath: "../shared.sql")
    #expect(try tool.run("migrate", "squash", "--migrations", "M", "--up-to", "3").code == 73)
    try tool.folder.write("-- up\nSELECT 2;\n", to: "M/0002_rows.sql")
    #expect(try tool.run("migrate", "squash", "--migrations", "M", "--up-to", "3").code == 0)
    #expect(try tool.folder.text(of: "shared.sql") == "-- up\nSELECT 1;\n")
  }

  @Test func `tools that write steps at the same time write one each`() throws {
    try lab.step("initial", "1.xcdatamodel")
    let arguments = ["migrate", "new", "same", "--sql", "--migrations", "M"]
    let tools = try (0..<8).map { _ in try tool.process(arguments).0 }
    for process in tools { try process.run() }
    for process in tools { process.waitUntilExit() }
    #expect(tools.map(\.terminationStatus) == Array(repeating: 0, count: 8))
    #expect(try names() == ["0001_initial.xml"] + (2...9).map { "000\($0)_same.sql" })
  }

  @Test func `what is wrong with a new step leaves no folder behind`() throws {
    #expect(try tool.run("migrate", "new", "a b", "--sql", "--migrations", "N").code == 65)
    let model = ["--model", "none.xcdatamodel"]
    #expect(try tool.run(["migrate", "new", "a", "--migrations", "N"] + model).code != 0)
    let nowhere = "<relationship name='r' maxCount='1' destinationEntity='B' optional='YES'/>"
    try tool.folder.write(
      "<model><entity name='A'>\(nowhere)</entity></model>", to: "C.xcdatamodel/contents")
    let invalid = ["migrate", "new", "a", "--migrations", "N", "--model", "C.xcdatamodel"]
    #expect(try tool.run(invalid).code == 1)
    #expect(!FileManager.default.fileExists(atPath: tool.folder.file("N")))
  }

  @Test func `the largest number has no next one and is none`() throws {
    try tool.folder.write("-- up\n", to: "M/9223372036854775807_last.sql")
    let refused = try tool.run("migrate", "new", "next", "--sql", "--migrations", "M")
    #expect(refused.code == 65)
    #expect(
      refused.err.contains("'9223372036854775807_last.sql' in 'M' is not that of a migration"))
  }

  @Test func `commands to be pasted are words for a shell`() throws {
    try lab.prepare(rows: 1)
    for (name, new) in [("s.sqlite", "my store.sqlite"), ("M", "it's")] {
      try FileManager.default.moveItem(
        atPath: tool.folder.file(name), toPath: tool.folder.file(new))
    }
    let status = try tool.run(
      "migrate", "status", "--store", "my store.sqlite", "--migrations", "it's")
    #expect(
      status.err
        == "next: oxbowctl migrate plan --store 'my store.sqlite' --migrations 'it'\\''s'\n")
    #expect("Größe/a-b_1.sqlite".shellWord == "Größe/a-b_1.sqlite")
    // A mark and an accent behind it are two characters for a shell.
    #expect("it'\u{301}; x".shellWord == "'it'\\''\u{301}; x'")
    #expect(["", "$x", "~", "a;b"].map(\.shellWord) == ["''", "'$x'", "'~'", "'a;b'"])
  }

  @Test func `the tabs of a script are there in what plan and lint write`() throws {
    try lab.prepare(rows: 1)
    try tool.folder.write(
      "-- up\nDROP\tTABLE\tIF\tEXISTS\tOld;\n-- down\n", to: "M/0004_tabs.sql")
    #expect(try lab.migrate("plan").out.contains("\n  DROP\tTABLE\tIF\tEXISTS\tOld;\n"))
    let lint = try tool.run("migrate", "lint", "--migrations", "M", "--from", "4")
    #expect(lint.out.hasSuffix("\n    DROP\tTABLE\tIF\tEXISTS\tOld;\n"))
  }

  @Test func `an output that does not wait gets the whole result`() throws {
    try lab.step("initial", "1.xcdatamodel")
    let drops = (0..<2000).map { "DROP TABLE IF EXISTS t\($0);\n" }.joined()
    try tool.folder.write("-- up\n\(drops)-- down\n", to: "M/0002_drops.sql")
    let (process, out, _) = try tool.process(["migrate", "lint", "--migrations", "M"])
    let descriptor = out.fileHandleForWriting.fileDescriptor
    let flags = fcntl(descriptor, F_GETFL)
    #expect(fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0)
    try process.run()
    let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.utf8.count > 1 << 17)
    #expect(text.hasSuffix("DROP TABLE IF EXISTS t1999;\n"))
  }

  @Test(arguments: ["file:s.sqlite", "file:s.sqlite?mode=memory", ":memory:"])
  func `a path that SQLite knows another meaning of is the path of a file`(path: String) throws {
    try lab.step("initial", "1.xcdatamodel")
    #expect(try tool.run("migrate", "apply", "--store", path, "--migrations", "M").code == 0)
    let status = try tool.run("migrate", "status", "--store", path, "--migrations", "M")
    #expect(status.out.contains("after 0001_initial.xml, by its history"))
    #expect(try tool.run("store", "backup", path, path + "2").code == 0)
    #expect(try tool.run("store", "check", path + "2").out == "'\(path)2' is sound\n")
    let others = try names(in: ".").filter { !$0.contains("xcdatamodel") && $0 != "M" }
    #expect(others.allSatisfy { $0.hasPrefix(path) })
  }

  @Test func `a limit of the size of files is an error, and the store stays whole`() throws {
    try lab.step("initial", "1.xcdatamodel")
    try lab.rows(100_000, "0002_rows.sql")
    let path = try #require(Tool.path)
    let apply = "'\(path)' migrate apply --store s.sqlite --migrations M"
    let output = try Shell.run("ulimit -f 1000; \(apply) 2>&1; echo $?", in: tool.folder.path)
    #expect(output.contains("run the migration again: it continues from what is there"))
    #expect(output.hasSuffix("\n1\n"))
    #expect(try tool.run("store", "check", "s.sqlite").code == 0)
    #expect(try lab.migrate("apply").code == 0)
    #expect(try lab.history() == ["0001", "0002"])
  }

  @Test func `no number of bytes is too large to be written`() {
    #expect(byteCount(.max) == "9223.3 PB")
    #expect(byteCount(999) == "999 bytes")
    #expect(byteCount(1000) == "1.0 kB")
    #expect(byteCount(999_999) == "999.9 kB")
    #expect(byteCount(1_000_000) == "1.0 MB")
  }
}
