internal import OxbowFoundation
package import OxbowModel
internal import OxbowPlatform
internal import OxbowRelational
package import OxbowStore

extension SQLiteStore {
  package func consumers() throws(PersistenceError) -> [HistoryConsumerState] {
    try read { connection, _ in
      try connection.transaction(.read) { try connection.historyConsumers() }
    }
  }

  package func register(
    _ name: String, at start: HistoryStart
  ) throws(PersistenceError) -> HistoryConsumerState {
    guard !name.isEmpty else { throw PersistenceError.namelessConsumer }
    if let known = try consumers().first(where: { $0.name == name }) { return known }
    return try writeHistory("registering a consumer in") { connection in
      let now = SQLValue.integer(HistoryRecord.now)
      let number = try connection.number(of: start)
      try connection.run(
        HistoryTables.addConsumer, [.text(name), .integer(number), now, now])
      guard let known = try connection.historyConsumers().first(where: { $0.name == name }) else {
        throw PersistenceError.unknownConsumer(name, self.path)
      }
      return known
    }
  }

  package func own(
    _ consumer: String
  ) throws(PersistenceError) -> any ConsumerRight {
    let database = self.database
    do { try requirePlace(database) } catch { throw PersistenceError(error, "reading") }
    guard let ownership = HistoryOwnership(of: consumer, database) else {
      let others = database.lockFile?.others() ?? []
      throw PersistenceError(
        .consumerInUse,
        "the consumer '\(consumer)' is already at work on the store '\(path)': "
          + (database.historyOwners.has(consumer)
            ? "this process does"
            : "open in " + others.map(\.description).joined(separator: ", "))
          + "; a batch is for one of them: wait until it ends, or register a consumer of another name"
      )
    }
    return ownership
  }

  package func acknowledge(
    _ acknowledgments: [HistoryAcknowledgment]
  ) throws(PersistenceError) {
    guard let last = acknowledgments.last else { return }
    do {
      try requireHistoryWritable()
      try using { database in
        try database.commit { connection in
          try self.requirePlace(database)
          for acknowledgment in acknowledgments { try connection.acknowledge(acknowledgment) }
        } isDurable: { connection in
          (try? connection.integer(HistoryTables.readConsumer, [.text(last.consumer)]))
            .map { $0 >= last.new.place(in: self.identifier)?.number ?? 0 }
        }
      }
    } catch { throw PersistenceError(error, "acknowledging history of") }
  }

  package func forget(_ consumer: String) throws(PersistenceError) {
    try writeHistory("forgetting a consumer of") { connection in
      _ = try connection.historyPlace(at: 0)
      try connection.run(HistoryTables.removeConsumer, [.text(consumer)])
      guard connection.changes > 0 else {
        throw PersistenceError.unknownConsumer(consumer, self.path)
      }
    }
  }

  private func requireHistoryWritable() throws(PersistenceError) {
    if isReadOnly { throw PersistenceError.readOnly(path) }
  }

  /// Changes what is said of consumers, which is not a save.
  private func writeHistory<R>(
    _ task: String, _ body: (Connection) throws -> R
  ) throws(PersistenceError) -> R {
    do {
      try requireHistoryWritable()
      return try using { database in
        try database.write { connection in
          try connection.transaction(.write) {
            try requirePlace(database)
            return try body(connection)
          }
        }
      }
    } catch { throw PersistenceError(error, task) }
  }
}

extension Connection {
  /// The last save that a new consumer does not want to see.
  fileprivate func number(of start: HistoryStart) throws -> Int64 {
    switch start {
    case .now: return try lastSave()
    case .beginning: return try firstOfHistory() - 1
    case .token(let token): return try place(of: token).number
    }
  }

  fileprivate func historyConsumers() throws -> [HistoryConsumerState] {
    let here = try historyPlace(at: try lastSave())
    return try rows(HistoryTables.readConsumers).compactMap {
      HistoryConsumerState(row: $0, last: here)
    }
  }
}

/// The right to work as a consumer, in this process and among others; it ends with the value.
private final class HistoryOwnership: ConsumerRight {
  private let consumer: String
  private let database: Database
  private let right: Int

  /// Takes the right; `nil` if it is taken.
  init?(of consumer: String, _ database: Database) {
    guard let right = database.historyOwners.take(consumer) else { return nil }
    if let lockFile = database.lockFile, !lockFile.takeConsumer(consumer) {
      database.historyOwners.release(consumer, right)
      return nil
    }
    (self.consumer, self.database, self.right) = (consumer, database, right)
  }

  /// Nothing takes a lock of this process away.
  func renew() {}

  deinit {
    database.lockFile?.releaseConsumer(consumer)
    database.historyOwners.release(consumer, right)
  }
}
