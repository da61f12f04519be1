#if PostgreSQL
  // What happens to a save whose connection is lost in its commit: the server may have committed it
  // or not, or meets it only later. Each connection that saves has a row of its own. A save's first
  // statement writes its number there, if the row has the connection's epoch. To find out, another
  // connection raises the epoch: it waits for a save under way, shuts out one that comes late, and
  // reads the number of the last save that is there.

  /// Where it is decided what became of the saves of a connection: its row.
  struct SaveFence: Sendable {
    let id: Int64
    let names: ServerNames
  }

  /// The saves of a connection.
  final class SaveSession {
    let fence: SaveFence
    private var id: Int64 { fence.id }
    private var names: ServerNames { fence.names }
    private let epoch: Int64 = 0

    /// The number of the last save that was begun.
    private(set) var save: Int64 = 0

    private init(_ names: ServerNames) {
      fence = SaveFence(id: Int64.random(in: .min ... .max), names: names)
    }

    /// Rows of connections that have not saved for so long are removed.
    private static let kept = "30 days"

    /// The session of a connection; its row is written before its first save.
    static func of(
      _ connection: ServerConnection, _ names: ServerNames
    ) throws(ServerFailure) -> SaveSession {
      if let session = connection.session { return session }
      let session = SaveSession(names)
      _ = try connection.run([
        .keepAlive,
        ServerStatement(
          "DELETE FROM \(names.sessions) WHERE \"seen\" < now() - interval '\(kept)'", isKept: false
        ),
        ServerStatement(
          "INSERT INTO \(names.sessions) VALUES ($1, 0, 0, now())", [.integer(session.fence.id)]),
      ])
      connection.session = session
      return session
    }

    /// How long the end of a connection waits for the server.
    private static let endMilliseconds = 2000

    /// Removes the row of a connection that is closed: nothing will ask for it.
    ///
    /// - Returns: Whether the server still answers, as far as it was asked.
    @discardableResult
    static func end(_ connection: ServerConnection) -> Bool {
      guard let session = connection.session else { return true }
      connection.session = nil
      connection.answerMilliseconds = endMilliseconds
      _ = try? connection.run([session.removal])
      return connection.isUsable
    }

    private var removal: ServerStatement {
      ServerStatement(
        "DELETE FROM \(names.sessions) WHERE \"session\" = $1", [.integer(id)], isKept: false)
    }

    /// Begins another save.
    func next() -> Int64 {
      save += 1
      return save
    }

    /// Notes a save in its own transaction, and ends it if the epoch was raised.
    func note(_ save: Int64) -> ServerStatement {
      ServerStatement(
        "WITH s AS (UPDATE \(names.sessions) SET \"save\" = $3, \"seen\" = now() "
          + "WHERE \"session\" = $1 AND \"epoch\" = $2 RETURNING 1) SELECT CASE WHEN count(*) = 1 "
          + "THEN 0 ELSE ('oxbow:fenced:' || count(*))::int4 END FROM s",
        [.integer(id), .integer(epoch), .integer(save)])
    }
  }

  // MARK: - The outcome of a commit

  /// What became of a save.
  enum SaveOutcome {
    case saved, notSaved, unknown
  }

  extension SaveFence {
    /// Finds out whether a save is there, and makes sure that it will not be there later.
    ///
    /// It asks again until there is an answer or the time is over; another connection, and another
    /// server after a failover, may give it.
    func outcome(of save: Int64, _ pool: ConnectionPool, milliseconds: Int) -> SaveOutcome {
      let deadline = System.deadline(in: milliseconds)
      var pause = 20
      while true {
        if let outcome = try? ask(save, pool, milliseconds: deadline - System.milliseconds) {
          return outcome
        }
        guard System.milliseconds + pause < deadline else { return .unknown }
        System.sleep(milliseconds: pause)
        pause = min(2 * pause, 1000)
      }
    }

    /// How long a question waits for the server, at most.
    private static let longestAnswer = 5000

    /// Asks once.
    func ask(
      _ save: Int64, _ pool: ConnectionPool, milliseconds: Int
    ) throws(ServerFailure) -> SaveOutcome {
      let connection = try pool.connect()
      connection.answerMilliseconds = max(1, min(milliseconds, Self.longestAnswer))
      let results = try connection.run([
        .begin, ServerStatement("SET LOCAL lock_timeout = '2s'", isKept: false),
        ServerStatement(
          "UPDATE \(names.sessions) SET \"epoch\" = \"epoch\" + 1 WHERE \"session\" = $1 "
            + "RETURNING \"save\"", [.integer(id)]),
        .commit,
      ])
      // A server that took over without the row has nothing that came after it.
      guard results[2].count == 1 else { return .notSaved }
      return results[2].integer(0, 0) == save ? .saved : .notSaved
    }
  }
#endif
