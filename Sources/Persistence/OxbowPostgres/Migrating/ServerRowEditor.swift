#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// Reads and writes rows for a step in Swift, under the rules of scripts.
  final class ServerRowEditor: RowEditing {
    private let session: StoreSession
    private var known: Set<String> = []
    private(set) var changes = 0

    /// What ended the transaction and is not the fault of a statement, whatever became of it.
    private var failure: ServerFailure?

    /// Runs `body`; returns what it wrote.
    static func run(
      _ session: StoreSession, _ body: (any RowEditing) throws -> Void
    ) throws -> WrittenColumns {
      let before = try session.counters()
      let editor = ServerRowEditor(session)
      do { try body(editor) } catch { throw editor.failure ?? error }
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

    private func ask(_ statement: String, _ values: [SQLValue]) throws -> ServerResult {
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
        throw PersistenceError(
          .migration,
          "a statement of the step in Swift failed and the step was rolled back: \(error.message)"
        ).adding("statement", statement)
      }
    }

    private static func refused(_ reason: String) -> PersistenceError {
      PersistenceError(.migrationRefused, "\(reason); the step in Swift was rolled back")
    }
  }
#endif
