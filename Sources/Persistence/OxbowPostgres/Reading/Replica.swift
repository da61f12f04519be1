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
      /// When the replica is tried again after a failure; `nil` before the first one.
      var pauseEnd: Int?

      /// The end of the primary server's log, which it was asked for after this news.
      var (news, position): (ConnectionPool.News?, LogPosition?) = (nil, nil)
    }

    init(_ connection: String, _ schema: String, _ options: PostgresStoreOptions) {
      location = PostgresLocation(connection, schema: schema)
      var options = options
      (options.isReadOnly, options.createsStore, options.replica) = (true, false, nil)
      (options.history, options.followsOtherProcesses) = (.off, false)
      self.options = options
    }

    /// The store on a replica; `nil` while there is none, for some time after a failure, and while
    /// another thread opens it.
    ///
    /// - Throws: ``PersistenceError`` with code `notAStore` for another store than the primary's.
    func store(of primary: PostgresStore) throws(PersistenceError) -> PostgresStore? {
      let (known, opens) = state.withLock { state -> (PostgresStore?, Bool) in
        if let end = state.pauseEnd, System.milliseconds < end { return (nil, false) }
        guard state.store == nil, !state.isOpening, !state.isClosed else {
          return (state.store, false)
        }
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
      state.withLock { $0.pauseEnd = System.milliseconds + Self.pause }
      options.logger?.warning(
        "the replica '\(location.shown)' cannot be used, and the primary server is read: \(error)")
    }

    /// A place in the log behind all saves of the store; `nil` if it has saved nothing.
    ///
    /// The primary server is asked once after a save, and again when another server has taken over.
    func position(behind primary: PostgresStore) throws -> LogPosition? {
      let news = primary.pool.news
      guard news.isAny else { return nil }
      let known = state.withLock { $0.news == news ? $0.position : nil }
      if let known, news.undecided == 0 { return known }
      let position = try Self.end(of: primary)
      state.withLock { ($0.news, $0.position) = (news, position) }
      return position
    }

    /// The end of the primary server's log.
    static func end(of primary: PostgresStore) throws -> LogPosition? {
      try primary.pool.withConnection { try $0.logPosition() }
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

  /// A place in the log of a primary server.
  struct LogPosition {
    /// The place that a replica has to have reached before a read.
    @TaskLocal static var awaited: LogPosition?

    private let value: UInt64

    /// What the server that has taken over from another one counts anew from.
    let timeline: String

    init(_ value: UInt64, _ timeline: String) { (self.value, self.timeline) = (value, timeline) }

    /// The place as the server's functions take it.
    var text: String {
      String(value >> 32, radix: 16) + "/" + String(value & 0xFFFF_FFFF, radix: 16)
    }

    /// Whether a server that has reached this place has reached the other one, too.
    func includes(_ other: LogPosition) -> Bool {
      timeline == other.timeline && value >= other.value
    }

    /// The later one of two of the same log; otherwise the one that was asked for last.
    static func later(_ one: LogPosition?, _ last: LogPosition?) -> LogPosition? {
      guard let one, let last else { return last ?? one }
      return one.includes(last) ? one : last
    }
  }

  extension ServerConnection {
    /// The end of what a primary server has written of its log, as each commit that it acknowledges
    /// is, unless it acknowledges commits before.
    fileprivate func logPosition() throws(ServerFailure) -> LogPosition? {
      let result = try run(
        "SELECT ((CASE WHEN current_setting('synchronous_commit') = 'off' "
          + "THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END) "
          + "- '0/0'::pg_lsn)::int8, \(Self.timeline)", [])
      guard result.count == 1, let timeline = result.text(0, 1) else { return nil }
      return LogPosition(UInt64(bitPattern: result.integer(0, 0)), timeline)
    }

    /// The timeline of a primary server.
    static let timeline = "substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)"

    /// Waits until a replica has replayed the log up to a place.
    ///
    /// - Throws: ``PersistenceError`` with code `storeLocked` when it takes too long, and
    ///   `storeUnreachable` for a server that is no longer a replica, and has not taken over.
    func wait(for position: LogPosition, milliseconds: Int) throws {
      guard replayed?.includes(position) != true else { return }
      let deadline = System.deadline(in: milliseconds)
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

    private func hasReplayed(_ position: LogPosition) throws -> Bool {
      let result = try run(
        "SELECT CASE WHEN pg_is_in_recovery() "
          + "THEN (pg_last_wal_replay_lsn() >= $1::text::pg_lsn)::int "
          + "WHEN \(Self.timeline) = $2::text THEN 1 ELSE 2 END::int8",
        [.text(position.text), .text(position.timeline)])
      guard result.integer(0, 0) != 2 else {
        throw PersistenceError(
          .storeUnreachable,
          "the server is no longer a replica, and saves go to another one; "
            + "correct 'replica' in the options of the store")
      }
      return result.integer(0, 0) == 1
    }
  }
#endif
