#if PostgreSQL
  internal import OxbowFoundation
  internal import OxbowPlatform

  /// The connections of a store, each lent to one thread at a time.
  final class ConnectionPool: Sendable {
    let address: ServerAddress
    let limit: Int
    let waitMilliseconds: Int
    private let preparing: Preparing
    private let answerMilliseconds: Int
    private let state = Monitor(State())

    /// A connection that was idle for so long is looked at before it is lent.
    private static let longIdle = 30_000

    private struct State {
      var idle: [ServerConnection] = []
      var count = 0
      var generation = 0
      var isClosed = false
      var counts = Counts()

      /// The saves of which no server has said whether they are there, and whether one is asked.
      var undecided: [(fence: SaveFence, save: Int64)] = []
      var isDeciding = false
    }

    /// What all connections have done.
    struct Counts: Sendable {
      var roundTrips = 0
      var statements = 0
      var rows = 0
      var saves = 0
      var connects = 0

      fileprivate mutating func add(_ connection: ServerConnection, since before: (Int, Int)) {
        roundTrips += connection.roundTrips - before.0
        statements += connection.statements - before.1
      }
    }

    /// Why no connection was lent.
    enum Refusal: Error {
      case closed
      case exhausted
      case unreachable(ServerFailure)
    }

    init(_ address: ServerAddress, _ options: PostgresStoreOptions) {
      self.address = address
      limit = max(1, options.connections)
      waitMilliseconds = options.waitMilliseconds
      preparing = Preparing(options.preparesStatements)
      answerMilliseconds = max(1, options.answerMilliseconds)
    }

    var counts: Counts { state.update { $0.counts } }

    func count(rows: Int = 0, saves: Int = 0) {
      state.update {
        $0.counts.rows += rows
        $0.counts.saves += saves
      }
    }

    /// Counts what `body` does on a connection beside the pool.
    func counting<R>(
      _ connection: ServerConnection, _ body: (ServerConnection) throws -> R
    ) rethrows -> R {
      let before = (connection.roundTrips, connection.statements)
      defer { state.update { $0.counts.add(connection, since: before) } }
      return try body(connection)
    }

    var isClosed: Bool { state.update { $0.isClosed } }

    /// Runs `body` with a connection that nothing else uses.
    ///
    /// A connection whose transaction `body` leaves open is rolled back; one that is lost goes, and
    /// those that are idle with it, since a server that fails ends them all.
    func withConnection<R>(_ body: (ServerConnection) throws -> R) throws -> R {
      let connection = try take()
      let before = (connection.roundTrips, connection.statements)
      defer { giveBack(connection, before) }
      return try body(connection)
    }

    /// Closes all connections; waits for those that are lent.
    func close() {
      let idle = state.update { state in
        state.isClosed = true
        state.count -= state.idle.count
        defer { state.idle = [] }
        return state.idle
      }
      // Where one is not answered, the others are not either.
      for connection in idle { guard SaveSession.end(connection) else { break } }
      _ = state.wait { $0.count == 0 ? true : nil }
    }

    /// A connection beside the pool, which is the caller's own.
    ///
    /// - Throws: ``Refusal``.
    func connectBeside() throws -> ServerConnection {
      guard !isClosed else { throw Refusal.closed }
      do { return try connect() } catch { throw Refusal.unreachable(error) }
    }

    /// The same, with the reason as libpq says it.
    func connect() throws(ServerFailure) -> ServerConnection {
      state.update { $0.counts.connects += 1 }
      return try ServerConnection(
        address, preparing, answerMilliseconds: answerMilliseconds)
    }
  }

  // MARK: - What is saved

  extension ConnectionPool {
    /// What has changed in the store, as far as the program knows: a place in the server's log that
    /// was asked for before other news may be too early.
    struct News: Equatable {
      let saves: Int
      /// Grows when a server has ended connections, and another one may have taken over.
      let generation: Int
      let undecided: Int

      var isAny: Bool { saves > 0 || undecided > 0 }
    }

    var news: News {
      state.update {
        News(
          saves: $0.counts.saves, generation: $0.generation, undecided: $0.undecided.count)
      }
    }

    func noteUndecided(_ fence: SaveFence, _ save: Int64) {
      state.update { $0.undecided.append((fence, save)) }
    }

    /// Asks again what became of the saves of which no server has said it, on a thread of its own:
    /// the answer may wait for the locks of others.
    ///
    /// `found` is called when one of them is there, which nothing has announced.
    func decide(_ found: @escaping @Sendable () -> Void) {
      let begins = state.update { state in
        guard !state.undecided.isEmpty, !state.isDeciding, !state.isClosed else { return false }
        state.isDeciding = true
        return true
      }
      guard begins, !runInBackground({ self.askAll(found) }) else { return }
      // The next save tries again.
      state.update { $0.isDeciding = false }
    }

    private func askAll(_ found: () -> Void) {
      for (fence, save) in state.update({ $0.undecided }) where !isClosed {
        let outcome = try? fence.ask(save, self, milliseconds: Self.decideMilliseconds)
        guard let outcome, outcome != .unknown else { continue }
        state.update { state in
          state.undecided.removeAll { $0.fence.id == fence.id && $0.save == save }
          if outcome == .saved { state.counts.saves += 1 }
        }
        if outcome == .saved { found() }
      }
      state.update { $0.isDeciding = false }
    }

    private static let decideMilliseconds = 2000
  }

  // MARK: - Lending

  extension ConnectionPool {
    private enum Lent {
      case idle(ServerConnection)
      case new(generation: Int)
      case closed
    }

    private func take() throws -> ServerConnection {
      var refusal = Refusal.exhausted
      var limit = limit
      while true {
        let lent = state.wait(milliseconds: waitMilliseconds) { state in
          Self.next(&state, limit)
        }
        switch lent {
        case nil: throw refusal
        case .closed: throw Refusal.closed
        case .new(let generation):
          do { return try connect(generation) } catch {
            // A server that gives no more has given some: one of them comes back.
            guard error.isOfFullServer, state.update({ $0.count > 0 }) else {
              throw Refusal.unreachable(error)
            }
            (refusal, limit) = (.unreachable(error), 0)
          }
        case .idle(let connection):
          let isOld = System.milliseconds - connection.idleSince > Self.longIdle
          guard isOld, connection.isClosedByServer else { return connection }
          state.update { state in
            Self.noteLost(connection, &state)
            state.count -= 1
          }
        }
      }
    }

    private static func next(_ state: inout State, _ limit: Int) -> Lent? {
      if state.isClosed { return .closed }
      if let connection = state.idle.popLast() { return .idle(connection) }
      // Where all that were lent are gone, a server that was full is asked again.
      guard state.count < max(limit, state.count == 0 ? 1 : 0) else { return nil }
      state.count += 1
      return .new(generation: state.generation)
    }

    private func connect(_ generation: Int) throws(ServerFailure) -> ServerConnection {
      do {
        let connection = try connect()
        connection.generation = generation
        return connection
      } catch {
        drop()
        throw error
      }
    }

    private func drop() { state.update { $0.count -= 1 } }

    private func giveBack(_ connection: ServerConnection, _ before: (Int, Int)) {
      if connection.isUsable, connection.isInTransaction {
        _ = try? connection.run([.rollback])
      }
      connection.idleSince = System.milliseconds
      let isKept = state.update { state in
        state.counts.add(connection, since: before)
        return Self.keeps(connection, &state)
      }
      guard !isKept else { return }
      if connection.isUsable { SaveSession.end(connection) }
      drop()
    }

    /// The first that is lost says it of all others of its generation.
    private static func noteLost(_ connection: ServerConnection, _ state: inout State) {
      guard connection.generation == state.generation else { return }
      state.generation += 1
      state.count -= state.idle.count
      state.idle = []
    }

    private static func keeps(_ connection: ServerConnection, _ state: inout State) -> Bool {
      guard connection.isUsable else {
        noteLost(connection, &state)
        return false
      }
      guard connection.generation == state.generation, !state.isClosed else { return false }
      state.idle.append(connection)
      return true
    }
  }

  /// The clock.
  enum System {
    static var milliseconds: Int { monotonicMilliseconds() }

    /// The time at which a limit is over; of `.max`, never.
    static func deadline(in milliseconds: Int) -> Int {
      let (end, isBeyond) = self.milliseconds.addingReportingOverflow(milliseconds)
      return isBeyond ? .max : end
    }

    static func sleep(milliseconds: Int) { usleep(UInt32(clamping: milliseconds * 1000)) }
  }
#endif
