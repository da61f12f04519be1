package import OxbowModel
internal import OxbowPlatform
package import OxbowStore

/// A connection in a transaction that reads one moment of a store.
package protocol PinnableConnection: AnyObject, Sendable {
  /// Goes on after a read that has failed.
  ///
  /// - Returns: Whether the moment is still kept.
  func recover() -> Bool

  /// Ends the transaction; safe to call twice.
  func close()
}

/// A reader that keeps one moment of a store, until it is closed or reaches a limit.
///
/// While it does, a file's log cannot begin again, and a server keeps the rows of before. So
/// readers that are over their limits are ended (``PinnedReaders``).
package final class PinnedReader<Kept: PinnableConnection>: Sendable {
  /// Why a reader has ended.
  private enum Ending {
    case age(Duration)
    case logSize(Int)
    case lost
    case closed
  }

  private struct State {
    /// The connection, in its transaction; `nil` once it is closed.
    var connection: Kept?
    var isBusy = false
    var ending: Ending?
  }

  private let place: String
  private let limits: PinnedViewLimits
  private let start = ContinuousClock.now
  private let turns = FairLock()
  private let state: Lock<State>

  fileprivate init(_ connection: Kept, _ place: String, _ limits: PinnedViewLimits) {
    (self.place, self.limits) = (place, limits)
    state = Lock(State(connection: connection))
  }

  deinit { end(.closed) }

  /// Lends the connection.
  ///
  /// - Throws: ``PersistenceError``: `viewEnded`; and what `body` throws.
  package func read<R>(_ body: (Kept) throws -> R) throws -> R {
    endIfOld()
    return try turns.withLock {
      let connection = try borrow()
      defer { giveBack() }
      do { return try body(connection) } catch {
        if !connection.recover() { end(.lost) }
        throw error
      }
    }
  }

  private func borrow() throws(PersistenceError) -> Kept {
    try state.withLock { state throws(PersistenceError) in
      guard let connection = state.connection, state.ending == nil else {
        throw over(state.ending ?? .closed)
      }
      state.isBusy = true
      return connection
    }
  }

  private func over(_ ending: Ending) -> PersistenceError {
    let reason =
      switch ending {
      case .age(let age): "it is older than \(age)"
      case .logSize(let bytes): "the write-ahead log that it kept has grown to \(bytes) bytes"
      case .lost: "its connection to the server was lost"
      case .closed: "it was closed, or its store was"
      }
    return PersistenceError(
      .viewEnded,
      "the pinned view of the store '\(place)' has ended: \(reason); read again in a new context, or "
        + "give the view other limits")
  }

  private func giveBack() {
    state.withLock { state in
      state.isBusy = false
      if state.ending != nil { Self.close(&state) }
    }
  }

  /// Ends the reader: at once, or when the read that is under way is over.
  private func end(_ ending: Ending) {
    state.withLock { state in
      guard state.ending == nil else { return }
      state.ending = ending
      if !state.isBusy { Self.close(&state) }
    }
  }

  fileprivate func close() { end(.closed) }

  // Closing ends the transaction.
  private static func close(_ state: inout State) {
    state.connection?.close()
    state.connection = nil
  }

  /// Ends the reader if it is over a limit; `logBytes` is the size of the log.
  fileprivate func endIfOver(logBytes: Int) {
    endIfOld()
    if logBytes > limits.logBytes { end(.logSize(logBytes)) }
  }

  fileprivate func endIfOld() {
    if start.duration(to: .now) >= limits.age { end(.age(limits.age)) }
  }

  fileprivate var hasEnded: Bool { state.withLock { $0.ending != nil } }
}

/// The pinned readers of one store: at most so many, and none over its limits.
package final class PinnedReaders<Kept: PinnableConnection>: Sendable {
  package typealias Reader = PinnedReader<Kept>

  private struct State {
    var readers: [Reader] = []
    /// How many are being opened.
    var opening = 0
    var isClosed = false
  }

  private let place: String
  private let limit: Int
  private let state = Lock(State())

  package init(_ place: String, limit: Int) { (self.place, self.limit) = (place, limit) }

  /// Makes a reader of a connection that `open` opens, at its moment; `nil` once they are closed.
  ///
  /// - Throws: ``PersistenceError`` with code `viewEnded` if there are as many as there may be: no
  ///   caller waits, for a view may be held for long.
  package func pin(_ limits: PinnedViewLimits, _ open: () throws -> Kept) throws -> Reader? {
    guard try takePlace() else { return nil }
    var reader: Reader?
    defer {
      let isKept = state.withLock { state in
        state.opening -= 1
        guard let reader, !state.isClosed else { return false }
        state.readers.append(reader)
        return true
      }
      if !isKept { reader?.close() }
    }
    // Opening may take long, and nothing else waits for it.
    reader = try Reader(open(), place, limits)
    return reader
  }

  /// Takes the place of a reader that is being opened; `false` once they are closed.
  private func takePlace() throws -> Bool {
    try state.withLock { state in
      guard !state.isClosed else { return false }
      for reader in state.readers { reader.endIfOld() }
      state.readers.removeAll(where: \.hasEnded)
      guard state.readers.count + state.opening < limit else {
        throw PersistenceError(
          .viewEnded,
          "the store '\(place)' has \(limit) pinned views already; let go of a context that reads "
            + "one, or raise 'maximumPinnedViews'")
      }
      state.opening += 1
      return true
    }
  }

  /// Ends the readers that keep more of the log than they may.
  package func enforce(logBytes: () -> Int) {
    state.withLock { state in
      guard !state.readers.isEmpty else { return }
      let bytes = logBytes()
      for reader in state.readers { reader.endIfOver(logBytes: bytes) }
      state.readers.removeAll(where: \.hasEnded)
    }
  }

  /// Ends a reader that is not needed.
  package func release(_ reader: Reader) {
    reader.close()
    state.withLock { $0.readers.removeAll { $0 === reader } }
  }

  package func close() {
    let readers = state.withLock { state in
      state.isClosed = true
      defer { state.readers = [] }
      return state.readers
    }
    for reader in readers { reader.close() }
  }
}

extension PersistenceError {
  /// What a save through a view is answered with.
  package static func writesThroughView(_ place: String) -> PersistenceError {
    PersistenceError(
      .storeReadOnly,
      "nothing was saved: the context reads one moment of the store '\(place)', in which nothing can "
        + "be changed; change the objects in a context without a pinned view")
  }
}
