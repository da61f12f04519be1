internal import CSQLite
internal import Synchronization

/// What the connections of one database have done.
///
/// Each statement adds once, when it is given back.
final class StatementCounters: Sendable {
  private let statements = Atomic(0)
  private let rows = Atomic(0)
  private let scannedRows = Atomic(0)
  private let commits = Atomic(0)
  private let saves = Atomic(0)

  /// What was counted until now.
  struct Counts {
    var (statements, rows, scannedRows, commits, saves) = (0, 0, 0, 0, 0)
  }

  var counts: Counts {
    Counts(
      statements: statements.load(ordering: .relaxed), rows: rows.load(ordering: .relaxed),
      scannedRows: scannedRows.load(ordering: .relaxed),
      commits: commits.load(ordering: .relaxed), saves: saves.load(ordering: .relaxed))
  }

  /// Begins anew.
  func reset() {
    statements.store(0, ordering: .relaxed)
    rows.store(0, ordering: .relaxed)
    scannedRows.store(0, ordering: .relaxed)
    commits.store(0, ordering: .relaxed)
    saves.store(0, ordering: .relaxed)
  }

  /// Adds the runs of a statement since it was lent, and the rows that it gave.
  func add(_ statement: OpaquePointer, rows count: Int) {
    let runs = sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 1)
    statements.wrappingAdd(Int(runs), ordering: .relaxed)
    if count > 0 { rows.wrappingAdd(count, ordering: .relaxed) }
    addScanned(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1))
  }

  func addScanned(_ count: Int32) {
    if count > 0 { scannedRows.wrappingAdd(Int(count), ordering: .relaxed) }
  }

  func addCommit() { commits.wrappingAdd(1, ordering: .relaxed) }

  func addSave() { saves.wrappingAdd(1, ordering: .relaxed) }
}
