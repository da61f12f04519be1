#if PostgreSQL
  internal import Logging
  internal import OxbowFoundation
  internal import OxbowModel
  internal import OxbowPlatform
  internal import OxbowStore

  /// The replicas of a store's server, which are opened when something is first read from them.
  final class Replica: Sendable {
    private let location: PostgresLocation
    private let options: PostgresStoreOptions
    private let state = Lock(State())

    /// After a failure, the primary server is read for so long before a replica is tried again.
    private static let pause = 5000

    private struct State {
      var store: PostgresStore?
      var isOpening = false
      var isClosed = false
      var retry = Int.min

      /// The end of the primary server's log, which it was asked for after so many saves.
      var (saves, position): (Int, LogPosition?) = (0, nil)
    }

    init(_ connection: String, _ schema: String, _ options: PostgresStoreOptions) {
      location = PostgresLocation(connection, schema: schema)
      var options = options
      (options.isReadOnly, options.createsStore, options.replica) = (true, false, nil)
      (options.history, options.followsOtherProcesses) = (.off, false)
      self.options = options
    }

    /// The store on a replica; `nil` while there is none that can be used, or while another thread
    /// opens it.
    ///
    /// - Throws: ``PersistenceError`` with code `notAStore` for another store than the primary's.
    func store(of primary: PostgresStore) throws(PersistenceError) -> PostgresStore? {
      let (known, opens) = state.withLock { state -> (PostgresStore?, Bool) in
        guard state.store == nil, !state.isOpening, !state.isClosed,
          state.retry < System.milliseconds
        else { return (state.store, false) }
        state.isOpening = true
        return (nil, true)
      }
      return opens ? try open(primary) : known
    }

    private func open(_ primary: PostgresStore) throws(PersistenceError) -> PostgresStore? {
      var found: PostgresStore?
      do throws(PersistenceError) {
        found = try PostgresStore(primary.model, at: location, options: options)
      } catch { pause(after: error) }
      let isOther = found.map { $0.identifier != primary.identifier } ?? false
      let kept = state.withLock { state in
        state.isOpening = false
        if !isOther, !state.isClosed { state.store = found }
        return state.store
      }
      guard isOther else { return kept }
      throw PersistenceError(
        .notAStore,
        "'\(location.shown)' is not a replica of the store '\(primary.place)', but another store; "
          + "correct 'replica' in the options of the store")
    }

    /// Reads from the primary server for some time.
    func pause(after error: PersistenceError) {
      let isFirst = state.withLock { state in
        defer { state.retry = System.milliseconds + Self.pause }
        return state.retry == .min
      }
      guard isFirst else { return }
      options.logger?.warning(
        "the replica '\(location.shown)' cannot be used, and the primary server is read: \(error)")
    }

    /// A place in the log behind all saves of the store; `nil` if it has saved nothing.
    ///
    /// The primary server is asked once after a save.
    func position(behind primary: PostgresStore) throws -> LogPosition? {
      let saves = primary.pool.counts.saves
      let known = state.withLock { ($0.saves, $0.position) }
      guard known.0 < saves else { return known.1 }
      let position = try primary.pool.withConnection { try $0.logPosition() }
      return state.withLock { state in
        if state.saves < saves { (state.saves, state.position) = (saves, position) }
        return position
      }
    }

    func close() {
      let store = state.withLock { state in
        state.isClosed = true
        return state.store
      }
      store?.close()
    }
  }

  // MARK: - Positions

  /// A place in the log of a server.
  struct LogPosition: Comparable {
    /// The place that a replica has to have reached before a read.
    @TaskLocal static var awaited: LogPosition?

    private let value: UInt64

    init(_ value: UInt64) { self.value = value }

    /// The place as the server's functions take it.
    var text: String {
      String(value >> 32, radix: 16) + "/" + String(value & 0xFFFF_FFFF, radix: 16)
    }

    static func < (one: LogPosition, other: LogPosition) -> Bool { one.value < other.value }
  }

  extension ServerConnection {
    /// The end of the log of a primary server.
    fileprivate func logPosition() throws(ServerFailure) -> LogPosition? {
      let result = try run("SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::int8", [])
      return result.count == 1 ? LogPosition(UInt64(bitPattern: result.integer(0, 0))) : nil
    }

    /// Waits until a replica has replayed the log up to a place; a server that is not one any more
    /// has all of it.
    ///
    /// - Throws: ``PersistenceError`` with code `storeLocked` when it takes too long.
    func wait(for position: LogPosition, milliseconds: Int) throws {
      guard replayed.map({ $0 < position }) ?? true else { return }
      let deadline = System.milliseconds + milliseconds
      var pause = 1
      while try !hasReplayed(position) {
        guard System.milliseconds < deadline else {
          throw PersistenceError(
            .storeLocked,
            "the replica does not have the last saves of the program after \(milliseconds) ms")
        }
        System.sleep(milliseconds: pause)
        pause = min(2 * pause, 16)
      }
      replayed = position
    }

    private func hasReplayed(_ position: LogPosition) throws(ServerFailure) -> Bool {
      let result = try run(
        "SELECT CASE WHEN pg_is_in_recovery() AND pg_last_wal_replay_lsn() < $1::text::pg_lsn "
          + "THEN 0 ELSE 1 END::int8", [.text(position.text)])
      return result.integer(0, 0) == 1
    }
  }
#endif
