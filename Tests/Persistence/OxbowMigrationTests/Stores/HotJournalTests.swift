import OxbowMigration
import OxbowModel
import OxbowSQLite
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What a killed writer has not committed is no step that was applied (review M1).
@Suite struct HotJournalTests {
  /// A store after its first step, with the second one as a killed program leaves it: its history
  /// row and half of its pages are in the file, and the rollback journal beside it.
  private func crash() throws -> Lab {
    let lab = try Lab()
    try lab.add(Models.first)
    try lab.add(sql: "UPDATE File SET name = 'done ' || _id;")
    _ = try lab.migrator().apply(upTo: 1)
    try lab.run("PRAGMA journal_mode = DELETE")
    try lab.run(
      """
      INSERT INTO Folder (_id, _version, path) VALUES (1, 1, '/a');
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
      INSERT INTO File (_id, _version, name, size, folder) SELECT i, 1, 'file', i, 1 FROM n;
      """)
    let writer = try Connection(path: lab.store, configuration: .init(role: .sole))
    try writer.execute("PRAGMA cache_size = 5; PRAGMA cache_spill = 1; BEGIN IMMEDIATE")
    // What comes later pushes the history's page out of the cache.
    try writer.execute(
      """
      INSERT INTO _oxbow_history (seq, id, name, kind, event, model_before, model_after, started,
          finished, tool, engine, host, user)
        SELECT 2, '0002', 'script', 'sql', event, model_after, model_after, started, finished, tool,
          engine, host, user FROM _oxbow_history;
      UPDATE File SET size = size + 1;
      UPDATE File SET size = size + 1
      """)
    let files = FileManager.default
    for suffix in ["", "-journal"] {
      try files.copyItem(atPath: lab.store + suffix, toPath: lab.folder.file("copy" + suffix))
    }
    try writer.execute("ROLLBACK")
    writer.close()
    for suffix in ["", "-journal"] {
      try? files.removeItem(atPath: lab.store + suffix)
      try files.moveItem(atPath: lab.folder.file("copy" + suffix), toPath: lab.store + suffix)
    }
    // The file is what it is for: without its journal the step is in its history.
    var configuration = Connection.Configuration(role: .reader)
    configuration.isReadOnly = true
    configuration.isImmutable = true
    let reader = try Connection(path: lab.store, configuration: configuration)
    defer { reader.close() }
    try #require(try reader.rows("SELECT id FROM _oxbow_history").count == 2)
    return lab
  }

  @Test func `the status is that of what was committed`() throws {
    let lab = try crash()
    let status = try lab.migrator().status()
    #expect(status.pending == ["0002_script.sql"])
    #expect(try lab.rows("SELECT count(*) FROM _oxbow_history") == ["1"])
  }

  @Test func `a step of a killed program is applied`() throws {
    let lab = try crash()
    #expect(try lab.migrator().apply().map(\.id) == ["0002"])
    #expect(try lab.rows("SELECT count(*) FROM File WHERE name = 'done ' || _id") == ["4000"])
    #expect(try lab.rows("PRAGMA integrity_check") == ["'ok'"])
  }

  @Test func `a store that steps make has a write-ahead log from the start (review M1b)`() throws {
    let lab = try Lab()
    try lab.add(Models.first)
    _ = try lab.migrator().apply()
    #expect(try lab.rows("PRAGMA journal_mode") == ["'wal'"])
    #expect(try StoreInspection(path: lab.store).journalMode == "wal")
  }
}
