import Foundation
import Testing

// The catalog's tool, ended in the middle of its step in Swift.
@Suite struct StoppedStepTests {
  /// A way to write names, with the kind that version 1 found and the one that is right.
  private struct Form {
    let first: [UInt8]
    let last: String
    let before: String
    let after: String

    /// The name for people, and the bytes, of the file with the number `i`.
    var columns: String {
      let shown = first.map { "\\x" + String($0, radix: 16, uppercase: true) }.joined()
      let bytes = first.map { String($0, radix: 16) }.joined()
      let end = last.utf8.map { String($0, radix: 16) }.joined()
      return "'\(shown)' || i || '\(last)', CAST(x'\(bytes)' || i || x'\(end)' AS BLOB)"
    }
  }

  private static let forms = [
    Form(first: [], last: ".txt", before: "txt", after: "txt"),
    Form(first: [], last: ".TXT", before: "TXT", after: "txt"),
    Form(first: [0xFF], last: ".txt", before: "txt", after: ""),
    Form(first: [], last: "", before: "", after: ""),
    Form(first: [], last: ".2 final", before: "2 final", after: ""),
    Form(first: [], last: ".ÄÖ", before: "ÄÖ", after: "äö"),
  ]

  private static let count = 120_000

  /// A condition for the rows in a state: before or after the step.
  private static func isRow(_ kind: KeyPath<Form, String>, written: Bool) -> String {
    "(kind, _version) = "
      + forms.enumerated().reduce("(CASE _id % \(forms.count)") { text, form in
        text + " WHEN \(form.offset) THEN '\(form.element[keyPath: kind])'"
      } + " END, CASE WHEN _id % \(forms.count) IN (0, 3) OR \(written ? 0 : 1) THEN 1 ELSE 2 END)"
  }

  /// A store of version 1 with enough files for many batches, which is at the step.
  private func tree(_ mode: String) throws -> VersionOneTree {
    let old = try VersionOneTree()
    try old.execute("PRAGMA journal_mode = \(mode)")
    for (offset, form) in Self.forms.enumerated() {
      try old.execute(
        """
        WITH RECURSIVE n (i) AS (
          SELECT \(1200 + offset) UNION ALL
          SELECT i + \(Self.forms.count) FROM n WHERE i + \(Self.forms.count) < \(1200 + Self.count))
        INSERT INTO File (_id, _version, date, kind, size, folder, name, rawName)
        SELECT i, 1, 0.0, '\(form.before)', i % 10, (SELECT min(_id) FROM Folder), \(form.columns)
        FROM n
        """)
    }
    #expect(try old.store.count("File") == 25 + Self.count)
    #expect(try old.apply("--up-to", "3").status == 0)
    return old
  }

  /// How far the step is, by the store's history.
  private func cursor(_ store: StoreReader) throws -> Int? {
    try store.rows("SELECT CAST(cursor AS INTEGER) FROM _oxbow_history WHERE event = 'progressed'")
      .first
      .flatMap { Int($0) }
  }

  @Test(arguments: [(SIGKILL, "wal"), (SIGKILL, "delete"), (SIGINT, "wal"), (SIGINT, "delete")])
  func `ended in the middle, the step goes on behind its last batch`(
    signal: Int32, mode: String
  ) throws {
    let old = try tree(mode)
    var last = Int.min
    for place in [1, 20_000, 40_000, 60_000] {
      let running = try RunningProgram("catalogctl", old.arguments("apply"))
      while running.process.isRunning {
        // The other program may have the file for itself just now.
        if let cursor = try? cursor(old.store), cursor >= place { break }
        sched_yield()
      }
      kill(running.process.processIdentifier, signal)
      let run = try running.wait()
      if signal == SIGINT {
        #expect(run.status == 130, "\(run.errors)")
        #expect(run.errors.contains("error: interrupted; no step was applied\n  stopped: 0004_"))
      } else {
        #expect(run.status == signal)
      }
      let cursor = try #require(try cursor(old.store))
      #expect(cursor >= place)
      #expect(cursor > last)
      last = cursor
      try checkHalf(old, cursor)
    }
    try checkEnd(old, mode)
  }

  /// Checks that rows up to the cursor are done, and those behind it as before.
  private func checkHalf(_ old: VersionOneTree, _ cursor: Int) throws {
    let rows = old.store.rows
    #expect(try rows("PRAGMA integrity_check") == ["ok"])
    #expect(try rows("PRAGMA foreign_key_check") == [])
    let done = Self.isRow(\.after, written: true)
    let open = Self.isRow(\.before, written: false)
    #expect(
      try rows(
        "SELECT count(*) FROM File WHERE _id >= 1200 AND NOT CASE WHEN _id <= \(cursor) THEN \(done) "
          + "ELSE \(open) END") == ["0"])
    #expect(
      try rows(Self.history) == [
        "0001 baselined", "0002 applied", "0003 applied", "0004 progressed",
      ])
    let status = try old.migrate("status").output
    #expect(status.contains("pending    0004_kinds-of-raw-names.code.xml\n"), "\(status)")
    #expect(try old.migrate("apply", by: "oxbowctl").status == 73)
  }

  private static let history = "SELECT id || ' ' || event FROM _oxbow_history ORDER BY id"

  /// Finishes the line, and checks that the store is as if nothing had ended the program.
  private func checkEnd(_ old: VersionOneTree, _ mode: String) throws {
    let finished = try old.apply()
    #expect(finished.output == VersionOneTree.applied(4...5), "\(finished.errors)")
    let rows = old.store.rows
    let done = Self.isRow(\.after, written: true)
    #expect(try rows("SELECT count(*) FROM File WHERE _id >= 1200 AND NOT \(done)") == ["0"])
    #expect(try old.store.count("File") == 25 + Self.count)
    #expect(try old.store.contradictions() == [])
    #expect(
      try rows("SELECT name FROM Kind WHERE fileCount > 0 ORDER BY 1") == ["", "md", "txt", "äö"])
    #expect(
      try rows(Self.history) == [
        "0001 baselined", "0002 applied", "0003 applied", "0004 applied", "0005 applied",
      ])
    #expect(try rows("PRAGMA journal_mode") == [mode])
    #expect(try old.migrate("status", "--exit-code").status == 0)
    #expect(try old.apply().output == "nothing to do\n")
  }
}
