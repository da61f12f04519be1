internal import CSQLite
internal import OxbowRelational

extension Connection {
  /// How a transaction begins.
  package enum TransactionKind: String, Sendable {
    /// The view is fixed by the first read.
    case read = "BEGIN DEFERRED"
    /// The write lock is taken at once, so that no read has to be upgraded later.
    case write = "BEGIN IMMEDIATE"
  }

  /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
  ///
  /// On a connection that keeps one moment, a read is part of the transaction that does. While the
  /// database is lent, it is a savepoint (`StoreScope`).
  ///
  /// SQLite itself ends the transaction on some errors (disk full, I/O, interrupt), and a statement
  /// sent after that would commit on its own. So the first thing after any error is to ask whether
  /// there still is a transaction.
  package func transaction<R>(_ kind: TransactionKind, _ body: () throws -> R) throws -> R {
    if kind == .read, isInTransaction { return try body() }
    if let scope { return try change(in: scope, body) }
    try run(kind == .write ? .beginWriting : .beginReading)
    if kind == .write { provideLogSpace() }
    do {
      let result = try body()
      try synchronizeFiles()
      do { try run(.commit) } catch var error as SQLiteError {
        error.isCommit = true
        if error.isOutcomeUnknown { leaveFiles() }
        throw error
      }
      if kind == .write { configuration.counters?.addCommit() }
      if wakes != nil { wakeOthers() }
      return result
    } catch {
      wakes = nil
      // A failed ROLLBACK leaves nothing to do: SQLite has ended the transaction itself.
      if isInTransaction { try? run("ROLLBACK") }
      throw error
    }
  }

  // Not before COMMIT has returned: what is written before can be seen, but not read.
  private func wakeOthers() {
    wakes?.touch()
    wakes = nil
  }
}

/// A statement that each save runs.
enum FrequentStatement: Int, CaseIterable {
  case beginReading
  case beginWriting
  case commit
  case schemaVersion
  case countNextSave

  var text: String {
    switch self {
    case .beginReading: Connection.TransactionKind.read.rawValue
    case .beginWriting: Connection.TransactionKind.write.rawValue
    case .commit: "COMMIT"
    case .schemaVersion: "PRAGMA schema_version"
    case .countNextSave: MetadataTables.countNextSave
    }
  }
}

extension Connection: PinnableConnection {
  /// Begins a transaction that reads what is there now; closes the connection when it cannot.
  func pin() throws {
    do {
      try execute(TransactionKind.read.rawValue)
      // SQLite fixes the moment with the first read.
      _ = try integer("SELECT count(*) FROM sqlite_schema")
    } catch {
      close()
      throw error
    }
  }

  package func recover() -> Bool { true }
}
