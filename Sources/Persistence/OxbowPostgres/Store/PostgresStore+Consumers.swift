#if PostgreSQL
  internal import OxbowFoundation
  package import OxbowModel
  internal import OxbowPlatform
  internal import OxbowRelational
  package import OxbowStore

  extension PostgresStore {
    package func consumers() throws(PersistenceError) -> [HistoryConsumerState] {
      try readHistory([HistoryStatements(names).readConsumers]) { state, results in
        results[0].rows.compactMap { HistoryConsumerState(row: $0, last: state.last) }
      }
    }

    package func register(
      _ name: String, at start: HistoryStart
    ) throws(PersistenceError) -> HistoryConsumerState {
      guard !name.isEmpty else { throw .namelessConsumer }
      if let known = try consumer(name) { return known }
      let number = try number(of: start)
      try changeHistory("registering a consumer in") { connection in
        _ = try connection.run([HistoryStatements(names).addConsumer(name, at: number)])
      }
      guard let known = try consumer(name) else { throw .unknownConsumer(name, place) }
      return known
    }

    private func consumer(_ name: String) throws(PersistenceError) -> HistoryConsumerState? {
      try consumers().first { $0.name == name }
    }

    /// The last save that a new consumer does not want to see.
    private func number(of start: HistoryStart) throws(PersistenceError) -> Int64 {
      switch start {
      case .now: return try currentToken().number
      case .beginning: return try firstToken().number
      case .token(let token):
        return try readHistory([]) { state, _ in try state.place(of: token, place).number }
      }
    }

    package func acknowledge(
      _ acknowledgments: [HistoryAcknowledgment]
    ) throws(PersistenceError) {
      var changes = ChangeSet()
      changes.acknowledgments = acknowledgments
      try save(changes)
    }

    package func check(_ acknowledgments: [HistoryAcknowledgment]) throws(PersistenceError) {
      for item in acknowledgments { try requireOwn(item.new) }
      try read(nil) { session in
        for item in acknowledgments { try check(item, session.connection) }
      }
    }

    /// Refuses a place in another history.
    func requireOwn(_ token: HistoryToken) throws(PersistenceError) {
      try requirePlan()
      guard let origin = history.withLock({ $0?.origin }) else { return }
      _ = try token.place(inHistoryOf: origin, place)
    }

    /// Checks that a consumer is where an acknowledgment begins, and does not end beyond the last
    /// save.
    func check(_ item: HistoryAcknowledgment, _ connection: ServerConnection) throws {
      let statements = HistoryStatements(names)
      let results = try connection.run([
        statements.state, statements.number(ofConsumer: item.consumer),
      ])
      let state = try HistoryState(results[0], identifier, place)
      _ = try state.place(of: item.new, place)
      guard results[1].count == 1 else {
        throw PersistenceError.unknownConsumer(item.consumer, place)
      }
      let (number, old) = (
        results[1].integer(0, 0), item.old.place(in: identifier)?.number ?? 0
      )
      guard number != old else { return }
      throw PersistenceError.acknowledged(item.consumer, at: number, notFrom: old, place)
    }

    package func forget(_ consumer: String) throws(PersistenceError) {
      try requirePlan()
      try changeHistory("forgetting a consumer of") { connection in
        let removed = try connection.run([HistoryStatements(names).removeConsumer(consumer)])
        guard removed[0].changes > 0 else {
          throw PersistenceError.unknownConsumer(consumer, place)
        }
      }
    }

    /// Changes what is said of consumers, which is not a save.
    private func changeHistory(
      _ action: String, _ body: (ServerConnection) throws -> Void
    ) throws(PersistenceError) {
      try requireWritable()
      do { try pool.withConnection(body) } catch { throw PersistenceError(error, action, place) }
    }

    package func own(_ consumer: String) throws(PersistenceError) -> any ConsumerRight {
      try ServerConsumerRight(consumer, self)
    }

    package func isAtWork(_ consumer: String) throws(PersistenceError) -> Bool {
      try read(nil) { read in
        let session = StoreSession(connection: read.connection, names: names, path: place)
        return try !session.holders(of: .consumer(consumer, names)).isEmpty
      }
    }

    /// Takes the lock of a consumer on a connection of its own.
    fileprivate func lock(
      _ consumer: String, milliseconds: Int
    ) throws(PersistenceError) -> NamedLock {
      do {
        let session = StoreSession(
          connection: try pool.connectBeside(), names: names, path: place)
        let name = LockName.consumer(consumer, names)
        guard let lock = try NamedLock(name, session, milliseconds: milliseconds) else {
          throw try inUse(consumer, session)
        }
        return lock
      } catch { throw PersistenceError(error, "taking a consumer's right in", place) }
    }

    private func inUse(_ consumer: String, _ session: StoreSession) throws -> PersistenceError {
      let holders = try session.holders(of: .consumer(consumer, names))
      let error = PersistenceError(
        .consumerInUse,
        "the consumer '\(consumer)' is already at work on the store '\(place)'; a batch is for one of "
          + "them: wait until it ends, or register a consumer of another name")
      return holders.reduce(error) { $0.adding("at work", $1) }
    }
  }

  /// The right to work as a consumer, among all programs: a lock by name, which may be lost with
  /// its connection.
  private final class ServerConsumerRight: ConsumerRight {
    private struct State {
      /// `nil` once it was lost, and could not be taken again.
      var lock: NamedLock?
      var lastAsked = System.milliseconds

      mutating func isHeld(askingAfter pause: Int) -> Bool {
        guard let lock, System.milliseconds - lastAsked >= pause else {
          return lock?.isHeld == true
        }
        lastAsked = System.milliseconds
        return lock.ask()
      }
    }

    private let consumer: String
    private let store: PostgresStore
    private let state: Lock<State>

    /// The server is asked after so many milliseconds, and may need as long to notice the end of
    /// the connection before.
    private static let pause = 1000

    init(_ consumer: String, _ store: PostgresStore) throws(PersistenceError) {
      (self.consumer, self.store) = (consumer, store)
      state = Lock(State(lock: try store.lock(consumer, milliseconds: 0)))
    }

    func renew() throws(PersistenceError) {
      try state.withLock { state throws(PersistenceError) in
        guard !state.isHeld(askingAfter: Self.pause) else { return }
        state.lock = nil
        state.lock = try store.lock(consumer, milliseconds: Self.pause)
      }
    }
  }
#endif
