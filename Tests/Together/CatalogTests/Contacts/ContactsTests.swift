import CSQLite
import Foundation
import OxbowTestSupport
import Testing

// The example `contacts`: a tool with a class and a step in Swift, over a folder of migrations.
@Suite final class ContactsTests {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.path + "/oxbow-contacts-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: Self.migrations, toPath: folder + "/Migrations")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The folder of migrations of the example.
  private static let migrations = PackageFolder.path("Examples/Contacts/Migrations")

  private var store: StoreReader { StoreReader(path: folder + "/s.sqlite") }

  private static let options = ["--store", "s.sqlite", "--migrations", "Migrations"]

  private func run(_ program: String, _ verb: String, _ more: String...) throws -> ProgramRun {
    try ProgramRun(program, ["migrate", verb] + Self.options + more, in: folder)
  }

  /// Adds people with names of two words, as the store has them before the step in Swift.
  private func fill(_ count: Int) throws {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    try #require(sqlite3_open(folder + "/s.sqlite", &database) == SQLITE_OK)
    let statement = """
      WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < \(count + 9))
      INSERT INTO Person (_id, _version, name) SELECT i, 1, 'First Last' || i FROM n
      """
    try #require(sqlite3_exec(database, statement, nil, nil, nil) == SQLITE_OK)
  }

  @Test func `the folder leads to the class of the program`() throws {
    let new = try ProgramRun(
      "contacts", ["migrate", "new", "more", "--migrations", "Migrations"], in: folder)
    #expect(new.status == 0, "\(new.errors)")
    #expect(new.output.hasPrefix("nothing to do: the migrations lead to the model "))
    let lint = try ProgramRun(
      "contacts", ["migrate", "lint", "--migrations", "Migrations"], in: folder)
    #expect(lint.status == 0, "\(lint.output)")
    #expect(try run("contacts", "verify").status == 0)
  }

  @Test func `oxbowctl plans the folder, and does not start what it cannot finish`() throws {
    let plan = try run("oxbowctl", "plan")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("step 0004 split-name (code): "))
    let command = "run: swift run contacts migrate apply --store STORE"
    #expect(plan.output.contains("  this program does not have the step; \(command)"))
    let apply = try run("oxbowctl", "apply")
    #expect(apply.status == 73)
    #expect(apply.errors.contains("and this program does not have it; \(command)"))
    #expect(!FileManager.default.fileExists(atPath: folder + "/s.sqlite"))
    #expect(try run("oxbowctl", "apply", "--up-to", "3").status == 0)
    let pending = try run("oxbowctl", "status", "--exit-code")
    #expect(pending.status == 2)
    #expect(pending.output.contains("pending   0004_split-name.code.xml\n"))
  }

  @Test func `the program's own tool applies the step`() throws {
    let apply = try run("contacts", "apply")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(apply.output.contains("applied 0004 split-name\napplied 0005 no-whole-name\n"))
    #expect(
      try store.rows("SELECT ifnull(firstName, '-') || '|' || lastName FROM Person ORDER BY _id")
        == ["Ada|Lovelace", "Augusta Ada|King", "-|Hypatia"])
    #expect(try run("contacts", "status", "--exit-code").status == 0)
    #expect(try run("contacts", "drift").status == 0)
  }

  @Test(arguments: [SIGKILL, SIGINT])
  func `stopped in the middle, the step goes on where it was`(signal: Int32) throws {
    #expect(try run("contacts", "apply", "--up-to", "3").status == 0)
    try fill(200_000)
    for start in 1...3 {
      let running = try RunningProgram(
        "contacts", ["migrate", "apply", "--up-to", "4"] + Self.options, in: folder)
      // The cursor moves with each batch that is durable.
      let before = try cursor()
      while running.process.isRunning, ((try? cursor()) ?? before) == before { sched_yield() }
      kill(running.process.processIdentifier, signal)
      let run = try running.wait()
      #expect(try store.rows("PRAGMA integrity_check") == ["ok"])
      if signal == SIGINT {
        #expect(run.status == 130, "start \(start): \(run.errors)")
        #expect(run.errors.contains("error: interrupted; no step was applied\n  stopped: 0004_"))
        #expect(run.errors.contains(" objects are done and stay so\n  next: "))
      }
      // Every object is as before or done, those up to the cursor are.
      #expect(
        try store.rows("SELECT count(*) FROM Person WHERE (_version = 2) <> (lastName IS NOT NULL)")
          == ["0"])
      #expect(
        try store.rows(
          "SELECT count(*) FROM Person WHERE _version = 1 AND _id <= \(cursor() ?? "0")")
          == ["0"])
    }
    let refused = try run("oxbowctl", "apply")
    #expect(refused.status == 73)
    let finished = try run("contacts", "apply")
    #expect(finished.status == 0, "\(finished.errors)")
    #expect(try cursor() == nil)
    #expect(
      try store.rows(
        "SELECT count(*) || '|' || min(_version) || '|' || max(_version) FROM Person") == [
          "200003|2|2"
        ])
    #expect(
      try store.rows(
        "SELECT count(*) FROM Person WHERE _id > 9 AND (firstName, lastName) <> ('First', 'Last' || _id)"
      ) == ["0"])
    #expect(try run("contacts", "status", "--exit-code").status == 0)
  }

  /// How far the step in Swift is, by the store's history.
  private func cursor() throws -> String? {
    try store.rows("SELECT cursor FROM _oxbow_history WHERE event = 'progressed'").first
  }
}
