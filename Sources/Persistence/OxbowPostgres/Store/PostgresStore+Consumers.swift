#if PostgreSQL
  internal import OxbowFoundation
  package import OxbowModel
  internal import OxbowPlatform
  internal import OxbowRelational
  package import OxbowStore

  extension PostgresStore {
    package func consumers() throws(PersistenceError) -> [HistoryConsumerState] {
      try readHistory([HistoryStatements(names).readConsumers]) { state, results in
        results[0].rows.compactMap { row in
          guard let name = row[0].textValue, let number = row[1].integerValue else { return nil }
          return HistoryConsumerState(
            name: name, token: HistoryToken([state.last.at(number)]), since: Self.date(row[2]),
            seen: Self.date(row[3]), lag: Int(clamping: state.last.number - number))
        }
      }
    }

    private static func date(_ value: SQLValue) -> Date {
      Date(timeIntervalSince1970: Double(value.integerValue ?? 0) / 1000)
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

    package func own(_ consumer: String) throws(PersistenceError) -> any Sendable & AnyObject {
      do {
        guard !pool.isClosed else { throw ConnectionPool.Refusal.closed }
        let session = StoreSession(connection: try pool.connect(), names: names, path: place)
        guard let right = try ConsumerRight(consumer, session) else {
          throw try inUse(consumer, session)
        }
        return right
      } catch { throw PersistenceError(error, "taking a consumer's right in", place) }
    }

    private func inUse(_ consumer: String, _ session: StoreSession) throws -> PersistenceError {
      let holders = try session.holders(of: ConsumerRight.key(consumer, names))
      let error = PersistenceError(
        .consumerInUse,
        "the consumer '\(consumer)' is already at work on the store '\(place)'; a batch is for one of "
          + "them: wait until it ends, or register a consumer of another name")
      return holders.reduce(error) { $0.adding("at work", $1) }
    }
  }

  /// The right to work as a consumer, among all programs: a lock of a connection of its own, which
  /// ends with the value, or with the connection.
  private final class ConsumerRight: Sendable {
    private let connection: ServerConnection

    /// The number by which the server knows the lock is a hash of this text.
    static func key(_ consumer: String, _ names: ServerNames) -> String {
      "oxbow consumer \(names.schema) \(consumer)"
    }

    /// Takes the right; `nil` if it is taken.
    init?(_ consumer: String, _ session: StoreSession) throws {
      guard try session.takeLock(Self.key(consumer, session.names)) else { return nil }
      connection = session.connection
    }

    // The server may notice the end of a connection a moment later.
    deinit { _ = try? connection.run("SELECT pg_advisory_unlock_all()") }
  }
#endif
