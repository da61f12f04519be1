internal import OxbowPlatform

/// A reader that keeps one moment of the database, until it is closed or reaches a limit.
///
/// SQLite fixes a transaction's moment with its first read. It keeps the log from beginning again
/// meanwhile, so the writer ends readers that are over their limits (``PinnedReaders``).
package final class PinnedReader: Sendable {
  /// How far a reader may go.
  package struct Limits: Sendable {
    let age: Duration
    let logBytes: Int

    package init(age: Duration, logBytes: Int) {
      self.age = age
      self.logBytes = logBytes
    }
  }

  /// Why a reader has ended.
  package enum Ending: Hashable, Sendable {
    case age(Duration)
    case logSize(Int)
    case closed
  }

  /// A reader that has ended was asked.
  package struct Ended: Error, Hashable, Sendable {
    package let path: String
    package let ending: Ending
  }

  private struct State {
    /// The connection, in its transaction; `nil` once it is closed.
    var connection: Connection?
    var isBusy = false
    var ending: Ending?
  }

  private let path: String
  private let limits: Limits
  private let start = ContinuousClock.now
  private let turns = FairLock()
  private let state: Lock<State>

  /// Takes over a connection, and fixes the moment that it reads.
  init(_ connection: Connection, _ limits: Limits) throws {
    path = connection.path
    self.limits = limits
    do {
      try connection.execute(Connection.TransactionKind.read.rawValue)
      _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    } catch {
      connection.close()
      throw error
    }
    state = Lock(State(connection: connection))
  }

  deinit { end(.closed) }

  /// Lends the connection.
  ///
  /// - Throws: ``Ended``.
  func read<R>(_ body: (Connection) throws -> R) throws -> R {
    endIfOld()
    return try turns.withLock {
      let connection = try borrow()
      defer { giveBack() }
      return try body(connection)
    }
  }

  private func borrow() throws -> Connection {
    try state.withLock { state in
      guard let connection = state.connection, state.ending == nil else {
        throw Ended(path: path, ending: state.ending ?? .closed)
      }
      state.isBusy = true
      return connection
    }
  }

  private func giveBack() {
    state.withLock { state in
      state.isBusy = false
      if state.ending != nil { Self.close(&state) }
    }
  }

  /// Ends the reader: at once, or when the read that is under way is over.
  func end(_ ending: Ending) {
    state.withLock { state in
      guard state.ending == nil else { return }
      state.ending = ending
      if !state.isBusy { Self.close(&state) }
    }
  }

  // Closing ends the transaction.
  private static func close(_ state: inout State) {
    state.connection?.close()
    state.connection = nil
  }

  /// Ends the reader if it is over a limit; `logBytes` is the size of the log.
  func endIfOver(logBytes: Int) {
    endIfOld()
    if logBytes > limits.logBytes { end(.logSize(logBytes)) }
  }

  func endIfOld() {
    if start.duration(to: .now) >= limits.age { end(.age(limits.age)) }
  }

  var hasEnded: Bool { state.withLock { $0.ending != nil } }
}

/// The pinned readers of one database: at most so many, and none over its limits.
final class PinnedReaders: Sendable {
  /// There are as many as there may be.
  struct Exhausted: Error, Hashable, Sendable {
    let path: String
    let limit: Int
  }

  private struct State {
    var readers: [PinnedReader] = []
    var isClosed = false
  }

  private let path: String
  private let limit: Int
  private let state = Lock(State())

  init(path: String, limit: Int) {
    self.path = path
    self.limit = limit
  }

  /// Makes a reader of a connection that `open` opens.
  ///
  /// - Throws: ``Exhausted``: no caller waits, for a view may be held for long.
  func pin(_ limits: PinnedReader.Limits, _ open: () throws -> Connection) throws -> PinnedReader {
    try state.withLock { state in
      guard !state.isClosed else { throw Database.Closed(path: path) }
      for reader in state.readers { reader.endIfOld() }
      state.readers.removeAll(where: \.hasEnded)
      guard state.readers.count < limit else { throw Exhausted(path: path, limit: limit) }
      let reader = try PinnedReader(open(), limits)
      state.readers.append(reader)
      return reader
    }
  }

  /// Ends the readers that keep more of the log than they may.
  func enforce(logBytes: () -> Int) {
    state.withLock { state in
      guard !state.readers.isEmpty else { return }
      let bytes = logBytes()
      for reader in state.readers { reader.endIfOver(logBytes: bytes) }
      state.readers.removeAll(where: \.hasEnded)
    }
  }

  /// Ends a reader that is not needed.
  func release(_ reader: PinnedReader) {
    reader.end(.closed)
    state.withLock { $0.readers.removeAll { $0 === reader } }
  }

  func close() {
    let readers = state.withLock { state in
      state.isClosed = true
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.end(.closed) }
  }
}
