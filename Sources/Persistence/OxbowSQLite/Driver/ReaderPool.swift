internal import OxbowPlatform

/// The readers of one database: opened when needed, kept, and at most so many at a time.
///
/// Callers are served in the order in which they came: with a lock that any of them may win, one
/// would wait in vain while others come back again and again. A fetch borrows one reader for one
/// read transaction and gives it back. No caller holds two.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    var count = 0
    var waiting: [Waiter] = []
    var isClosed = false

    /// Gives a turn to the caller that has waited longest.
    mutating func pass(_ turn: Turn) {
      guard waiting.isEmpty else { return waiting.removeFirst().turn.update { $0 = turn } }
      switch turn {
      case .reader(let reader): idle.append(reader)
      case .open: count -= 1
      case .closed: break
      }
    }
  }

  /// A caller that waits for its turn, which it is given while the pool is locked.
  private final class Waiter {
    let turn = Monitor<Turn?>(nil)
  }

  /// All readers were busy for longer than a caller may wait.
  struct Exhausted: Error, Hashable, Sendable {
    let path: String
    let limit: Int
    let milliseconds: Int
  }

  private let path: String
  private let configuration: Connection.Configuration
  private let limit: Int
  private let monitor = Monitor(State())

  init(path: String, configuration: Connection.Configuration, limit: Int) {
    precondition(limit > 0, "a pool has at least one reader")
    self.path = path
    self.configuration = configuration
    self.limit = limit
  }

  /// Lends a reader to `body`.
  func withReader<R>(_ body: (Connection) throws -> R) throws -> R {
    let reader = try borrow()
    defer { giveBack(reader) }
    return try body(reader)
  }

  /// How many callers wait, for tests.
  var waitingCount: Int { monitor.wait { .some($0.waiting.count) } }

  /// Closes the idle readers now and the borrowed ones when they come back.
  func close() {
    let idle = monitor.update { state in
      state.isClosed = true
      while !state.waiting.isEmpty { state.pass(.closed) }
      defer { state.idle = [] }
      return state.idle
    }
    for reader in idle { reader.close() }
  }

  private enum Turn {
    case reader(Connection)
    case open
    case closed
  }

  private func borrow() throws -> Connection {
    switch try turn() {
    case .reader(let reader): return reader
    case .open: return try open()
    case .closed: throw Database.Closed(path: path)
    }
  }

  private func turn() throws -> Turn {
    var waiter: Waiter?
    let turn = monitor.update { state -> Turn? in
      if state.isClosed { return .closed }
      if let reader = state.idle.popLast() { return .reader(reader) }
      guard state.count == limit else {
        state.count += 1
        return .open
      }
      let last = Waiter()
      state.waiting.append(last)
      waiter = last
      return nil
    }
    return try turn ?? waiter.map(wait) ?? .closed
  }

  private func wait(_ waiter: Waiter) throws -> Turn {
    let milliseconds = max(configuration.busyMilliseconds, 1000)
    if let turn = waiter.turn.wait(milliseconds: milliseconds, for: \.self) { return turn }
    // Its turn may have come since.
    let last = monitor.update { state in
      state.waiting.removeAll { $0 === waiter }
      return waiter.turn.update(\.self)
    }
    guard let last else { throw Exhausted(path: path, limit: limit, milliseconds: milliseconds) }
    return last
  }

  private func open() throws -> Connection {
    do { return try Connection(path: path, configuration: configuration) } catch {
      monitor.update { $0.pass(.open) }
      throw error
    }
  }

  private func giveBack(_ reader: Connection) {
    let isClosed = monitor.update { state in
      if !state.isClosed { state.pass(.reader(reader)) }
      return state.isClosed
    }
    if isClosed { reader.close() }
  }
}
