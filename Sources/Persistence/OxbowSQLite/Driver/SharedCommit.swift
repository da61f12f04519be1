internal import OxbowPlatform
internal import OxbowStore

/// One of the changes that are committed together with those of other threads.
///
/// A commit waits for the disk. The first change leads: when it has the writer, its thread runs all
/// that wait in one transaction, each in a savepoint of its own, and tells the others how it went;
/// then what was asked for meanwhile. After a few transactions another one leads: decision 0136.
final class SharedCommit: Sendable {
  /// Changes the database inside a transaction; called again when that was rolled back.
  private let body: @Sendable (Connection) throws -> Void

  /// Whether what `body` did last is durable, asked after a commit whose outcome is unknown; `nil`
  /// when that cannot be known.
  let isDurable: @Sendable (Connection) -> Bool?

  /// Where the statements of `body` are noted, whichever thread runs it.
  private let record = StatementRecord.isNeeded ? StatementRecord.current : nil

  private let phase = Monitor(Phase.waiting)
  private let start = System.milliseconds

  private enum Phase {
    case waiting
    case leads
    case ended(Result<Void, any Error>)
  }

  init(
    _ body: @escaping @Sendable (Connection) throws -> Void,
    isDurable: @escaping @Sendable (Connection) -> Bool?
  ) {
    self.body = body
    self.isDurable = isDurable
  }

  /// Waits until another thread has run the change, or wants this one to lead.
  ///
  /// - Returns: `nil` when this thread leads.
  func outcome() -> Result<Void, any Error>? {
    if let outcome = phase.wait(milliseconds: WorkThreads.patience, for: Self.outcome) {
      return outcome
    }
    return WorkThreads.whileBlocked { phase.wait(for: Self.outcome) }
  }

  private static func outcome(_ phase: inout Phase) -> Result<Void, any Error>?? {
    switch phase {
    case .waiting: nil
    case .leads: .some(nil)
    case .ended(let outcome): .some(outcome)
    }
  }

  /// Whether it has waited for so long already.
  func hasWaited(milliseconds: Int) -> Bool { System.milliseconds - start >= milliseconds }

  func lead() { phase.update { $0 = .leads } }

  func end(_ outcome: Result<Void, any Error>) { phase.update { $0 = .ended(outcome) } }

  func run(_ connection: Connection) throws {
    try StatementRecord.noting(for: record) { try body(connection) }
  }

  /// How it went when the commit reported an I/O error.
  func outcome(after error: SQLiteError, _ connection: Connection) -> Result<Void, any Error> {
    error.outcome(isDurable(connection))
  }
}
