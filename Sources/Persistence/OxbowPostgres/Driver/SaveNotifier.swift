#if PostgreSQL
  internal import OxbowPlatform

  /// Says to listeners of other programs that something was saved, some milliseconds after saves.
  ///
  /// A notification in a save would make all saves of the server take turns, so it has a connection
  /// and a thread of its own. Both begin with a save and end after a time without one. It may be
  /// lost with the program: those who wait look from time to time, too.
  final class SaveNotifier: Sendable {
    private struct State {
      var isPending = false
      var isRunning = false
      var isOver = false
    }

    private let state = Monitor(State())
    private let pool: ConnectionPool
    private let statements: [ServerStatement]

    /// What saves within so many milliseconds share.
    private static let pause = 5

    /// So long it pauses after a failure, and twice as long after the next, up to a limit: a server
    /// that is full must not be asked for a connection at each save.
    private static let (firstPause, longestPause) = (100, 5000)

    /// After so many milliseconds without a save, the connection goes.
    private static let longestIdle = 10_000

    init(_ pool: ConnectionPool, channel: String) {
      self.pool = pool
      statements = [
        .begin, ServerStatement("SET LOCAL synchronous_commit = off", isKept: false),
        ServerStatement("NOTIFY \(channel)", isKept: false), .commit,
      ]
    }

    /// Notes that something was saved; `upkeep` is what else is done on the connection.
    func wake(_ upkeep: @escaping @Sendable (ServerConnection) -> Void) {
      let begins = state.update { state in
        state.isPending = true
        guard !state.isRunning, !state.isOver else { return false }
        state.isRunning = true
        return true
      }
      guard begins, !runInBackground({ self.run(upkeep) }) else { return }
      // The next save tries again.
      state.update { $0.isRunning = false }
    }

    /// Ends the thread after what is pending.
    func end() { state.update { $0.isOver = true } }

    private func run(_ upkeep: (ServerConnection) -> Void) {
      var connection: ServerConnection?
      var failurePause = Self.firstPause
      while isNeeded() {
        System.sleep(milliseconds: Self.pause)
        state.update { $0.isPending = false }
        if connection?.isUsable != true { connection = try? pool.connect() }
        guard let notifying = connection, (try? notifying.run(statements)) != nil else {
          // A transaction that has failed would take no further statement.
          connection = nil
          _ = state.wait(milliseconds: failurePause) { $0.isOver ? true : nil }
          failurePause = min(2 * failurePause, Self.longestPause)
          continue
        }
        failurePause = Self.firstPause
        upkeep(notifying)
      }
    }

    /// Waits for a save; `false` once the thread ends.
    private func isNeeded() -> Bool {
      let isPending = state.wait(milliseconds: Self.longestIdle) { state -> Bool? in
        state.isPending ? true : state.isOver ? false : nil
      }
      return state.update { state in
        // One that has come since the wait is not left alone.
        guard isPending != true, !state.isPending || state.isOver else { return true }
        state.isRunning = false
        return false
      }
    }
  }
#endif
