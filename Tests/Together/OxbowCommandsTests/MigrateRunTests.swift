import Foundation
import OxbowSQLite
import OxbowTestSupport
import Testing

@testable import OxbowCommands
@testable import OxbowMigration

// What a run of the tool must not be surprised by: plans that are old, Ctrl-C, readers that go
// away, files that cannot be written, full disks.
@Suite struct MigrateRunTests {
  let tool: Tool
  let lab: MigrateCommandTests

  init() throws {
    lab = try MigrateCommandTests()
    tool = lab.tool
    try lab.prepare(rows: 3)
  }

  // MARK: - A plan applied exactly

  func writePlan(_ more: String...) throws {
    let plan = try tool.run(["migrate", "plan", "--json"] + MigrateCommandTests.store + more)
    #expect(plan.code == 0, "\(plan.err)")
    try tool.folder.write(plan.out, to: "plan.json")
  }

  /// The differences that `apply --plan` names.
  func differences(_ more: String...) throws -> [String] {
    let arguments = ["migrate", "apply", "--plan", "plan.json"]
    let refused = try tool.run(arguments + MigrateCommandTests.store + more)
    #expect(refused.code == 73)
    #expect(refused.out == "")
    return refused.err.split(separator: "\n").compactMap { line in
      let parts = line.components(separatedBy: "  difference: ")
      return parts.count == 2 ? parts[1] : nil
    }
  }

  @Test func `a plan that was looked at is applied when nothing moved`() throws {
    try writePlan()
    #expect(try lab.migrate("apply", "--plan", "plan.json").code == 0)
    #expect(try differences().first?.hasPrefix("the store's history has 3 events") == true)
    #expect(try lab.migrate("apply", "--plan", "1.xcdatamodel/contents").code == 65)
    try tool.folder.write("{\"format\": 1, \"command\": \"migrate status\"}", to: "plan.json")
    #expect(try lab.migrate("apply", "--plan", "plan.json").code == 65)
  }

  // The file is never written anew: what a build before this one stored has to be read.
  @Test func `a plan that an older build stored is read`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let path = folder.appending(path: "Golden/older-plan.json").path
    let plan = try MigratePlanResult.approved(in: path)
    #expect(plan.store?.events == 2)
    #expect(plan.steps.map(\.label) == ["0003 labels", "0004 slips", "0005 tidy", "0006 less"])
    #expect(plan.steps.map(\.kind) == [.model, .sql, .code, .model])
    #expect(plan.steps.map(\.losses.count) == [0, 0, 0, 2])
    try tool.folder.write(try String(contentsOfFile: path, encoding: .utf8), to: "plan.json")
    #expect(try differences().first?.hasPrefix("it is another store") == true)
  }

  @Test func `a plan pins the steps of the folder and their texts`() throws {
    try tool.folder.write("-- up\nSELECT 1;\n", to: "M/0004_more.sql")
    try writePlan()
    try tool.folder.write("-- up\nSELECT 2;\n", to: "M/0004_more.sql")
    #expect(try differences() == ["step 0004: the text of its file is another one"])
    try FileManager.default.moveItem(
      atPath: tool.folder.file("M/0004_more.sql"), toPath: tool.folder.file("M/0004_less.sql"))
    #expect(
      try differences() == [
        "the steps are '0003 labels', '0004 less', and were '0003 labels', '0004 more'"
      ])
    try FileManager.default.removeItem(atPath: tool.folder.file("M/0004_less.sql"))
    #expect(
      try differences() == [
        "the steps are '0003 labels', and were '0003 labels', '0004 more'"
      ])
  }

  @Test func `a plan up to a step is applied up to there`() throws {
    try tool.folder.write("-- up\nSELECT 1;\n", to: "M/0004_more.sql")
    try writePlan("--up-to", "3")
    #expect(
      try differences("--up-to", "4") == [
        "--up-to is 4, and was 3",
        "the steps are '0003 labels', '0004 more', and were '0003 labels'",
      ])
    #expect(try lab.migrate("apply", "--plan", "plan.json").code == 0)
    #expect(try lab.history() == ["0001", "0002", "0003"])
  }

  @Test(.enabled(if: Shell.hasSQLite)) func `a plan pins the rows of the store`() throws {
    try writePlan()
    try Shell.sqlite(tool.folder.file("s.sqlite"), "DELETE FROM File WHERE _id = 2")
    #expect(try differences() == ["step 0003: rebuild File is for 2 rows, and was for 3 rows"])
    #expect(try lab.history() == ["0001", "0002"])
  }

  @Test(.enabled(if: Shell.hasSQLite)) func `a plan pins what goes`() throws {
    try tool.folder.write("<model><entity name=\"Label\"/></model>", to: "3.xcdatamodel/contents")
    #expect(try lab.migrate("apply").code == 0)
    try lab.step("less", "3.xcdatamodel")
    try writePlan()
    try Shell.sqlite(tool.folder.file("s.sqlite"), "DELETE FROM File WHERE _id = 2")
    let found = try differences("--allow-loss")
    #expect(
      found.contains("step 0004: it would remove objects of 'File': 2, and not 3"), "\(found)")
  }

  @Test func `a plan of one store is not applied to another one`() throws {
    try writePlan()
    try FileManager.default.removeItem(atPath: tool.folder.file("s.sqlite"))
    #expect(try differences().first == "the store no longer exists")
    #expect(try lab.migrate("apply", "--up-to", "2").code == 0)
    #expect(try differences().first?.hasPrefix("it is another store: ") == true)
  }

  // MARK: - Space

  @Test func `a plan tells bytes and free disk, and writes nothing`() throws {
    let before = try Data(contentsOf: URL(filePath: tool.folder.file("s.sqlite")))
    let names = try tool.folder.names()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o444], ofItemAtPath: tool.folder.file("s.sqlite"))
    let plan = try lab.migrate("plan")
    #expect(plan.code == 0, "\(plan.err)")
    #expect(plan.out.contains(", the steps need about 8.1 kB, its disk has "))
    let json = try tool.json("migrate", "plan", "--store", "s.sqlite", "--migrations", "M")
    let space = (json["result"] as? [String: Any])?["space"] as? [String: Any]
    #expect(space?["bytes"] as? Int == before.count)
    #expect(space?["neededBytes"] as? Int == 8192)
    #expect(try #require(space?["freeBytes"] as? Int) > 0)
    #expect(try Data(contentsOf: URL(filePath: tool.folder.file("s.sqlite"))) == before)
    #expect(try tool.folder.names() == names)
  }

  @Test func `the estimate of a rebuild is not below what it takes`() throws {
    try lab.rows(40_000, "0003_rows2.sql")
    try tool.folder.write(
      try tool.folder.text(of: "M/0003_rows2.sql").replacing("SELECT i,", with: "SELECT i + 9,"),
      to: "M/0003_rows2.sql")
    try FileManager.default.moveItem(
      atPath: tool.folder.file("M/0003_labels.xml"), toPath: tool.folder.file("M/0004_labels.xml"))
    #expect(try lab.migrate("apply", "--up-to", "3").code == 0)
    let json = try tool.json("migrate", "plan", "--store", "s.sqlite", "--migrations", "M")
    let result = try #require(json["result"] as? [String: Any])
    let bytes = try #require((result["steps"] as? [[String: Any]])?.first?["bytes"] as? Int)
    let size = try #require((result["space"] as? [String: Any])?["bytes"] as? Int)
    #expect(try lab.migrate("apply").code == 0)
    let after = try FileManager.default.attributesOfItem(
      atPath: tool.folder.file("s.sqlite"))[.size]
    let grown = try #require(after as? Int) - size
    #expect(grown > 500_000)
    #expect(Double(bytes) > 0.8 * Double(grown) && Double(bytes) < 2 * Double(grown))
  }

  @Test func `steps that the disk has no room for are refused before they start`() throws {
    let operations = [
      MigrationPlan.Operation(.rebuild, table: "File", statements: [], rows: 3, bytes: 40_000_000),
      MigrationPlan.Operation(.index, table: "File", statements: [], rows: 3, bytes: 40_000_000),
    ]
    let step = MigrationPlan.Step(
      id: "0003", name: "labels", kind: .model, path: nil, checksum: nil, modelBefore: nil,
      modelAfter: "", changes: [], summary: [], operations: operations, script: nil, run: nil,
      rows: 6, bytes: operations.bytesWritten, isDestructive: false, losses: [], allowsLoss: false,
      replacesValues: false, reversibility: .lossless, refusesUndo: [], checks: [])
    let plan = MigrationPlan(store: nil, upTo: nil, countsRows: true, steps: [step])
    func room(_ free: Int) -> RoomOnDisk {
      RoomOnDisk(plan, .init(bytes: 50_000_000, logBytes: 0, freeBytes: free))
    }
    #expect(room(80_000_000).needed == 80_000_000)
    try room(80_000_000).require(for: "s.sqlite")
    #expect(StoreSpace(bytes: 50, logBytes: 0, freeBytes: 400).isPlenty(for: 3))
    #expect(!StoreSpace(bytes: 50, logBytes: 1, freeBytes: 400).isPlenty(for: 3))
    let error = #expect(throws: (any Error).self) { try room(1_234_567).require(for: "s.sqlite") }
    #expect(
      error.map { "\($0)" } == """
        the disk of 's.sqlite' has 1.2 MB free, and the steps need about 80.0 MB; free space, apply \
        fewer steps with --up-to, or, when you know better, say --ignore-space. Nothing was changed
          0003 labels: writes about 40.0 MB anew
        """)
  }

  // MARK: - Signals

  /// Starts `apply`, waits for the line that announces a step, and sends a signal.
  func interrupt(_ signal: Int32, at line: String) throws -> (code: Int32, out: String, err: String)
  {
    let (process, out, err) = try tool.process(["migrate", "apply"] + MigrateCommandTests.store)
    try process.run()
    var text = ""
    while !text.contains(line) {
      let data = err.fileHandleForReading.availableData
      try #require(!data.isEmpty, "\(text)")
      text += String(decoding: data, as: UTF8.self)
    }
    kill(process.processIdentifier, signal)
    text += String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let result = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    return (process.terminationStatus, result, text)
  }

  /// A script that does not end by itself.
  func writeEndlessScript() throws {
    try tool.folder.write(
      """
      -- up
      UPDATE "File" SET "name" = 'gone', "_version" = "_version" + 1;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n;
      """, to: "M/0004_endless.sql")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `Ctrl-C rolls back the step that runs, and says how to go on`(signal: Int32) throws {
    try writeEndlessScript()
    let run = try interrupt(signal, at: "[2/2] 0004_endless.sql\n")
    #expect(run.code == 130)
    #expect(run.out == "")
    #expect(
      run.err.hasSuffix(
        """
        error: interrupted; applied: 0003_labels.xml
          rolled back: 0004_endless.sql
          next: oxbowctl migrate apply --store s.sqlite --migrations M

        """))
    #expect(try lab.history() == ["0001", "0002", "0003"])
    try tool.folder.write("-- up\nSELECT 1;\n", to: "M/0004_endless.sql")
    #expect(try lab.migrate("apply").code == 0)
    #expect(try lab.migrate("drift").code == 0)
  }

  @Test func `an interrupted run is a failure in JSON too`() throws {
    try writeEndlessScript()
    let (process, out, err) = try tool.process(
      ["migrate", "apply", "--json"] + MigrateCommandTests.store)
    try process.run()
    var text = ""
    while !text.contains("[2/2]") {
      text += String(decoding: err.fileHandleForReading.availableData, as: UTF8.self)
    }
    kill(process.processIdentifier, SIGINT)
    let data = out.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    #expect((document?["error"] as? [String: Any])?["code"] as? String == "interrupted")
  }

  @Test func `a store in use is not copied, and its copy has one step for all that were applied`()
    throws
  {
    try tool.folder.write("-- up\nSELECT 1;\n-- down\nSELECT 1;\n", to: "M/0004_more.sql")
    let copy = tool.folder.file("copy.sqlite")
    let holder = try LockFile(
      besideStore: tool.folder.file("s.sqlite"), usage: .shared, milliseconds: 0)
    let refused = try lab.migrate("apply", "--backup", "copy.sqlite", "--wait", "0")
    holder.close()
    #expect(refused.code == 75, "\(refused.err)")
    #expect(!FileManager.default.fileExists(atPath: copy))
    let applied = try lab.migrate("apply", "--backup", "copy.sqlite")
    #expect(
      applied.err == """
        [1/2] 0003_labels.xml
        copied 's.sqlite' to 'copy.sqlite'
        [2/2] 0004_more.sql

        """)
    let status = try tool.run("migrate", "status", "--store", "copy.sqlite", "--migrations", "M")
    #expect(status.out.contains("position  after 0002_rows.sql"), "\(status.out)")
    // Why there is no copy is said as such.
    #expect(try lab.migrate("undo").code == 0)
    let taken = try lab.migrate("apply", "--backup", "copy.sqlite")
    #expect(taken.code == 69)
    #expect(taken.err.contains("nothing was written to 'copy.sqlite': it exists already"))
    #expect(try lab.migrate("status").out.contains("pending   0004_more.sql"))
  }

  #if os(Linux)
    /// Starts a command, and sends SIGINT as soon as the program has the lock file open.
    func interruptWhenItWaits(
      _ arguments: [String]
    ) throws -> (code: Int32, reason: Process.TerminationReason, err: String) {
      let (process, _, err) = try tool.process(arguments)
      try process.run()
      let path = "/proc/\(process.processIdentifier)/fd"
      var waits = false
      while !waits, process.isRunning {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        waits = files.contains { file in
          let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(path)/\(file)")
          return target?.hasSuffix("s.sqlite-lock") == true
        }
      }
      kill(process.processIdentifier, SIGINT)
      let text = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, process.terminationReason, text)
    }

    @Test func `Ctrl-C ends waiting for a store that is open elsewhere`() throws {
      #expect(try lab.migrate("apply").code == 0)
      let holder = try LockFile(
        besideStore: tool.folder.file("s.sqlite"), usage: .shared, milliseconds: 0)
      defer { holder.close() }
      let undo = try interruptWhenItWaits(
        ["migrate", "undo", "--wait", "86400"] + MigrateCommandTests.store)
      #expect(undo.code == 130, "\(undo.err)")
      #expect(undo.reason == .exit)
      #expect(undo.err.hasPrefix("error: the migration was interrupted; "))
    }

    @Test func `E10: Ctrl-C before a command listens ends with the same exit code`() throws {
      #expect(try Shell.run("mkfifo f", in: tool.folder.path) == "")
      let (process, _, _) = try tool.process(["model", "check", "f"])
      try process.run()
      let path = "/proc/\(process.processIdentifier)/status"
      var catches = false
      while !catches, process.isRunning {
        // Bit by bit the signals that a program catches, in hexadecimal digits.
        let status = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let bits = caught?.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) } ?? 0
        catches = bits & (1 << UInt64(SIGINT - 1)) != 0
      }
      kill(process.processIdentifier, SIGINT)
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 130)
    }

    @Test func `Ctrl-C ends a verification that waits`() throws {
      let holder = try LockFile(
        besideStore: tool.folder.file("s.sqlite"), usage: .alone, milliseconds: 0)
      defer { holder.close() }
      let verify = try interruptWhenItWaits(
        ["migrate", "verify"] + MigrateCommandTests.store)
      #expect(verify.code == 130, "\(verify.err)")
      #expect(verify.reason == .exit)
    }
  #endif

  @Test func `a reader that wants one line only does not end a migration`() throws {
    try tool.folder.write("-- up\nSELECT 1;\n", to: "M/0004_more.sql")
    let path = try #require(Tool.path)
    let run = try Shell.run(
      "'\(path)' migrate apply --store s.sqlite --migrations M 2>&1 | head -1; "
        + "echo \"${PIPESTATUS[0]}\"", in: tool.folder.path)
    #expect(run == "[1/2] 0003_labels.xml\n0\n")
    #expect(try lab.history() == ["0001", "0002", "0003", "0004"])
  }
}

/// Programs of the system.
enum Shell {
  static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  /// Runs statements with the shell of SQLite.
  static func sqlite(_ store: String, _ statements: String) throws {
    _ = try run("/usr/bin/sqlite3 '\(store)' \"\(statements)\"", in: "/")
  }

  /// Runs a command with bash, and returns what it writes.
  static func run(_ command: String, in folder: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: folder)
    let out = Pipe()
    process.standardOutput = out
    try process.run()
    let data = out.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
