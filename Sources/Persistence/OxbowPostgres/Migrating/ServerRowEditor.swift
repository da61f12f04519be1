#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// Reads and writes rows for a step in Swift, under the rules of scripts.
  final class ServerRowEditor: RowEditing {
    private let session: StoreSession
    private var known: Set<String> = []
    private(set) var changes = 0

    /// What ended the transaction: the server does nothing more in it.
    private var failure: (any Error)?

    /// Runs `body`; returns what it wrote.
    static func run(
      _ session: StoreSession, _ body: (any RowEditing) throws -> Void
    ) throws -> WrittenColumns {
      let before = try session.counters()
      let editor = ServerRowEditor(session)
      // What is not the fault of a statement is thrown whatever became of it.
      do { try body(editor) } catch { throw editor.failure as? ServerFailure ?? error }
      try editor.requireTransaction()
      let after = try session.counters()
      guard let table = after.ownChange(since: before) else {
        return after.written(since: before)
      }
      throw refused(ServerScriptRules.refusal(writing: table))
    }

    private init(_ session: StoreSession) { self.session = session }

    func rows(_ statement: String, _ values: [SQLValue]) throws -> [[SQLValue]] {
      try ask(statement, values).rows
    }

    func run(_ statement: String, _ values: [SQLValue]) throws -> Int {
      let count = try ask(statement, values).changes
      changes += count
      return count
    }

    private func requireTransaction() throws {
      guard let failure else { return }
      throw (failure as? PersistenceError)?.adding(
        "then", "the step went on; let the error of the statement end the step") ?? failure
    }

    private func ask(_ statement: String, _ values: [SQLValue]) throws -> ServerResult {
      try requireTransaction()
      if known.insert(statement).inserted,
        let refusal = ServerScript(statement).statements.lazy
          .compactMap({ ServerScriptRules.refusal($0.words) }).first
      {
        throw Self.refused(refusal).adding("statement", statement)
      }
      do { return try session.send(statement, values) } catch {
        guard error.isOfStatement else {
          failure = error
          throw error
        }
        let wrong = PersistenceError(
          .migration,
          "a statement of the step in Swift failed and the step was rolled back: \(error.message)"
        ).adding("statement", statement)
        failure = wrong
        throw wrong
      }
    }

    private static func refused(_ reason: String) -> PersistenceError {
      PersistenceError(.migrationRefused, "\(reason); the step in Swift was rolled back")
    }
  }
#endif
