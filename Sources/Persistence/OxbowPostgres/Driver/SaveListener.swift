#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowPlatform
  internal import OxbowRelational

  /// Looks for the saves of others in a store, as long as there are some who wait for them.
  ///
  /// It has a connection and a thread of its own, which go some time after the last one who waits.
  /// The connection listens; it also looks each second, because a notification may be lost, and
  /// behind a pooler none comes. A connection that is lost is made again, and what was saved
  /// meanwhile is found then; if it is one to another server by now, anything may have happened.
  final class SaveListener: Sendable {
    typealias Body = @Sendable (_ isForeign: Bool) -> Bool

    fileprivate struct State {
      var bodies: [ObjectIdentifier: Body] = [:]
      /// What wakes the thread that runs.
      var waking: WakingPipe?
      /// Whether all are called at the next look, and whether they hear that anything may have
      /// happened.
      var (callsAll, isForeign) = (false, false)
      /// Since when nothing waits, in milliseconds.
      var idleSince = 0
    }

    /// What the thread has seen last.
    private struct Seen {
      var number: Int64?
      /// What a server that takes over from another one has of its own.
      var timeline: String?
    }

    private let state = Lock(State())
    private let pool: ConnectionPool
    private let listen: ServerStatement
    private let look: [ServerStatement]

    /// The most time between two looks, and between two attempts to connect; in milliseconds.
    private static let (interval, longestPause) = (1000, 5000)

    /// After so many milliseconds in which nothing waits, the thread and the connection go.
    private static let longestIdle = 10_000

    /// After so many milliseconds those who ask for it are called again.
    private static let again = 20

    /// Creates a listener; the last statement of `look` says the number of the last save.
    init(_ pool: ConnectionPool, channel: String, look: [ServerStatement]) {
      self.pool = pool
      listen = ServerStatement("LISTEN \(channel)", isKept: false)
      self.look = look
    }

    /// Calls `body` from now on, until the value that is returned is gone.
    func watch(_ body: @escaping Body) -> any Sendable & AnyObject {
      let watching = SaveWatching(self)
      let pipe = state.withLock { state -> WakingPipe? in
        state.bodies[ObjectIdentifier(watching)] = body
        state.callsAll = true
        state.waking?.wake()
        guard state.waking == nil else { return nil }
        let pipe = WakingPipe()
        state.waking = pipe
        return pipe
      }
      guard let pipe, !runInBackground({ self.run(pipe) }) else { return watching }
      // The next one tries again.
      state.withLock { $0.waking = nil }
      return watching
    }

    fileprivate func remove(_ id: ObjectIdentifier) {
      // Released after the lock.
      let removed = state.withLock { state in
        state.idleSince = System.milliseconds
        return state.bodies.removeValue(forKey: id)
      }
      withExtendedLifetime(removed) {}
    }

    /// Lets those who wait hear at the next look that anything may have happened.
    func noteUnknown() {
      state.withLock { if !$0.bodies.isEmpty { $0.isForeign = true } }
    }

    /// Calls all who wait for the last time: the store is closed.
    func end() {
      let bodies = state.withLock { state in
        defer {
          state.bodies = [:]
          state.endThread()
        }
        return state.bodies
      }
      for body in bodies.values { _ = body(false) }
    }
  }

  extension SaveListener.State {
    /// Lets the thread end, which no longer finds its pipe here.
    fileprivate mutating func endThread() {
      waking?.wake()
      waking = nil
    }
  }

  // MARK: - The thread

  extension SaveListener {
    private func run(_ pipe: WakingPipe) {
      var connection: ServerConnection?
      var seen = Seen()
      var pause = 100
      while isNeeded(pipe) {
        do throws(ServerFailure) {
          let listening = try listeningConnection(unless: connection, &seen)
          connection = listening
          let wait = try call(listening, &seen) ? Self.again : Self.interval
          pause = 100
          try listening.waitForNotification(milliseconds: wait, orFor: pipe.reader)
          pipe.drain()
        } catch {
          if connection?.isUsable != true || (try? connection?.rollBack()) == nil {
            connection = nil
          }
          // Those who wait find out by reading.
          if error.isOfStore { _ = call(isForeign: false) }
          pipe.wait(milliseconds: pause)
          pause = min(2 * pause, Self.longestPause)
        }
      }
    }

    private func isNeeded(_ pipe: WakingPipe) -> Bool {
      state.withLock { state in
        guard state.waking === pipe else { return false }
        let idle = System.milliseconds - state.idleSince
        guard state.bodies.isEmpty, idle > Self.longestIdle else { return true }
        state.waking = nil
        return false
      }
    }

    private func listeningConnection(
      unless known: ServerConnection?, _ seen: inout Seen
    ) throws(ServerFailure) -> ServerConnection {
      if let known { return known }
      let connection = try pool.connect()
      // What listens behind a pooler belongs to others; a replica lets no one listen. Looking is
      // enough.
      let direct = try connection.run([.isDirect(connection)])[0]
      if direct.rows == [[.integer(1)]] { try connection.attempt(listen) }
      let timeline = try connection.attempt(Self.timeline)?.text(0, 0)
      if let old = seen.timeline, let timeline, old != timeline { noteUnknown() }
      seen.timeline = timeline ?? seen.timeline
      return connection
    }

    /// Changes when another server takes over, which may not have the last saves of the one before,
    /// and gives their numbers to others.
    private static let timeline = ServerStatement(
      "SELECT CASE WHEN NOT pg_is_in_recovery() THEN \(ServerConnection.timeline) END",
      isKept: false)

    /// Looks, and calls those who wait if there is something new.
    ///
    /// - Returns: Whether one of them asks to be called again soon.
    private func call(
      _ connection: ServerConnection, _ seen: inout Seen
    ) throws(ServerFailure) -> Bool {
      guard state.withLock({ !$0.bodies.isEmpty }) else { return false }
      pool.decide { [weak self] in self?.noteUnknown() }
      let results = try connection.run(look)
      let number = results[results.count - 1].integer(0, 0)
      let (isDue, isForeign) = state.withLock { state in
        defer { (state.callsAll, state.isForeign) = (false, false) }
        return (state.callsAll || state.isForeign || number != seen.number, state.isForeign)
      }
      seen.number = number
      guard isDue, call(isForeign: isForeign) else { return false }
      state.withLock { $0.callsAll = true }
      return true
    }

    /// Calls those who wait; returns whether one of them asks to be called again soon.
    private func call(isForeign: Bool) -> Bool {
      state.withLock { Array($0.bodies.values) }.map { $0(isForeign) }.contains(true)
    }
  }

  /// The right to be called; it ends with the value.
  private final class SaveWatching: Sendable {
    private let listener: SaveListener

    init(_ listener: SaveListener) { self.listener = listener }

    deinit { listener.remove(ObjectIdentifier(self)) }
  }

  /// What one thread waits for beside its connection, and another one writes to.
  private final class WakingPipe: Sendable {
    let reader: Int32
    private let writer: Int32

    init() {
      var ends: [Int32] = [-1, -1]
      if pipe(&ends) == 0 {
        for end in ends {
          _ = fcntl(end, F_SETFD, FD_CLOEXEC)
          _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
      }
      (reader, writer) = (ends[0], ends[1])
    }

    deinit {
      for end in [reader, writer] where end >= 0 { close(end) }
    }

    func wake() {
      var byte: UInt8 = 1
      _ = write(writer, &byte, 1)
    }

    func drain() {
      var bytes = [UInt8](repeating: 0, count: 64)
      while read(reader, &bytes, bytes.count) > 0 {}
    }

    func wait(milliseconds: Int) {
      var descriptor = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, Int32(clamping: milliseconds))
      drain()
    }
  }
#endif
