import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// A program that is killed in a batch: the batches before it are there, the next start goes on.
@Suite struct CodeStepKillTests {
  let lab: Lab

  init() throws {
    lab = try Lab()
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    try lab.run(
      """
      INSERT INTO "Folder" ("_id", "_version", "path") VALUES (1, 1, '/a');
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      INSERT INTO "File" ("_id", "_version", "name", "size", "folder")
      SELECT i, 1, 'file', i, 1 FROM n;
      """)
    _ = try MigrationSequence(folder: lab.migrations).addCodeStep(named: "tidy", run: "x")
  }

  /// Writes each object, and ends the process at one of them; 0 for none.
  static func apply(_ store: String, _ migrations: String, killedAt key: Int64) throws {
    let step = CodeStep.batched("tidy", over: "File", size: 100) { file, _ in
      if file.key == key { kill(getpid(), SIGKILL) }
      try file.setValue(.string("\(file.key)"), for: "kind")
    }
    _ = try Migrator(
      SQLiteMigrationBackend(path: store), folder: migrations, target: nil, code: [step]
    ).apply()
  }

  @Test(arguments: ["wal", "delete"])
  func `a killed step continues behind its last batch, in both journal modes`(
    mode: String
  ) async throws {
    try lab.run("PRAGMA journal_mode = \(mode)")
    for key in [50, 450, 450, 1000] as [Int64] {
      let result = await #expect(processExitsWith: .signal(SIGKILL)) {
        [store = lab.store as String, migrations = lab.migrations as String, key = key as Int64] in
        try CodeStepKillTests.apply(store, migrations, killedAt: key)
      }
      #expect(result != nil)
      #expect(try lab.rows("PRAGMA integrity_check") == ["'ok'"])
      let done = (key - 1) / 100 * 100
      #expect(try lab.rows("SELECT count(*) FROM \"File\" WHERE \"kind\" <> ''") == ["\(done)"])
      #expect(try lab.migrator().status().pending == ["0002_tidy.code.xml"])
    }
    try Self.apply(lab.store, lab.migrations, killedAt: 0)
    #expect(
      try lab.rows(
        "SELECT count(*) FROM \"File\" WHERE \"kind\" = CAST(\"_id\" AS TEXT) AND \"_version\" = 2")
        == ["1000"])
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_history WHERE id = '0002'") == ["1"])
  }
}
