internal import OxbowPlatform

/// The readers of one database: opened when needed, kept, and at most so many at a time.
///
/// A fetch borrows one reader for one read transaction and gives it back. Nobody holds two.
final class ReaderPool: Sendable {
  private struct State {
    var idle: [Connection] = []
    var count = 0
    var isClosed = false
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

  /// Closes the idle readers now and the borrowed ones when they come back.
  func close() {
    let idle = monitor.update { state in
      state.isClosed = true
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
    let milliseconds = max(configuration.busyMilliseconds, 1000)
    let turn = monitor.wait(milliseconds: milliseconds) { state -> Turn? in
      if state.isClosed { return .closed }
      if let reader = state.idle.popLast() { return .reader(reader) }
      guard state.count < limit else { return nil }
      state.count += 1
      return .open
    }
    switch turn {
    case .reader(let reader): return reader
    case .open: return try open()
    case .closed: throw Database.Closed(path: path)
    case nil: throw Exhausted(path: path, limit: limit, milliseconds: milliseconds)
    }
  }

  private func open() throws -> Connection {
    do { return try Connection(path: path, configuration: configuration) } catch {
      monitor.update { $0.count -= 1 }
      throw error
    }
  }

  private func giveBack(_ reader: Connection) {
    let isClosed = monitor.update { state in
      if !state.isClosed { state.idle.append(reader) }
      return state.isClosed
    }
    if isClosed { reader.close() }
  }
}
