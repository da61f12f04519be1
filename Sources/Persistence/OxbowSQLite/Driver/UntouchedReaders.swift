internal import Logging
internal import OxbowModel
internal import OxbowPlatform

/// The connections that fetches borrow from a database.
protocol Readers: Sendable {
  /// Lends a reader to `body`, which may run again if the file has changed meanwhile.
  func withReader<R>(_ body: (Connection) throws -> R) throws -> R
  func close()

  /// How many callers wait for a reader, for tests.
  var waitingCount: Int { get }
}

extension ReaderPool: Readers {}

/// The readers of another program's database that stays open: no file beside it is made, changed or
/// removed (`UntouchedFile` has the ways, and why).
///
/// Before each read, and after one that takes no locks, the files are looked at; once they have
/// changed, the database is opened anew, in the way that is right then, and the read repeated.
final class UntouchedReaders: Readers {
  /// One opening of the database.
  private final class Place: Sendable {
    let pool: ReaderPool
    let way: UntouchedFile.Way
    let seen: [System.Sight?]
    let copy: UntouchedFile.Copy?

    init(
      _ pool: ReaderPool, _ way: UntouchedFile.Way, _ seen: [System.Sight?],
      _ copy: UntouchedFile.Copy? = nil
    ) { (self.pool, self.way, self.seen, self.copy) = (pool, way, seen, copy) }

    // A reader that is borrowed still reads the files of a folder that is gone.
    deinit {
      pool.close()
      copy?.remove()
    }
  }

  private let path: String
  private let configuration: Connection.Configuration
  private let limit: Int
  private let place = Lock<Place?>(nil)
  private let isOpen = Lock(true)

  init(path: String, configuration: Connection.Configuration, limit: Int) throws {
    (self.path, self.configuration, self.limit) = (path, configuration, limit)
    _ = try current()
  }

  func withReader<R>(_ body: (Connection) throws -> R) throws -> R {
    for _ in 0..<UntouchedFile.attempts {
      let place = try current()
      let result = Result { try place.pool.withReader(body) }
      if isValid(place, result) { return try named(result, place).get() }
      self.place.withLock { if $0 === place { $0 = nil } }
    }
    throw PersistenceError.changesAlways(path)
  }

  func close() {
    isOpen.withLock { $0 = false }
    let last = place.withLock { place in
      defer { place = nil }
      return place
    }
    last?.pool.close()
  }

  var waitingCount: Int { place.withLock { $0?.pool.waitingCount ?? 0 } }

  /// Whether a result is that of the files as they are.
  private func isValid<R>(_ place: Place, _ result: Result<R, any Error>) -> Bool {
    switch place.way {
    case .unchanging: return UntouchedFile.sights(path) == place.seen
    case .copied: return true
    case .shared:
      guard case .failure(let error) = result else { return true }
      // A program may have ended in the middle of a change since.
      if let error = error as? SQLiteError { return !UntouchedFile.needsCopy(error) }
      return !(error is Connection.LogIsGone)
    }
  }

  /// Messages name the store, not a copy of it.
  private func named<R>(_ result: Result<R, any Error>, _ place: Place) -> Result<R, any Error> {
    guard place.copy != nil else { return result }
    return result.mapError { ($0 as? SQLiteError)?.at(path) ?? $0 }
  }

  /// The opening that fits the files now.
  private func current() throws -> Place {
    try place.withLock { place in
      guard isOpen.withLock({ $0 }) else { throw Database.Closed(path: path) }
      if let place, place.way.sees(path) == place.seen { return place }
      let new = try open()
      place = new
      return new
    }
  }

  private func open() throws -> Place {
    for _ in 0..<UntouchedFile.attempts {
      do { return try openNow() } catch is Connection.LogIsGone {}
    }
    throw PersistenceError.changesAlways(path)
  }

  private func openNow() throws -> Place {
    let way = try UntouchedFile.way(to: path)
    guard way != .copied else { return try openCopy() }
    let seen = way.sees(path)
    var configuration = configuration
    configuration.isImmutable = way == .unchanging
    configuration.leavesNoTrace = way == .shared
    let pool = ReaderPool(path: path, configuration: configuration, limit: limit)
    do {
      if way == .shared { try LogHeader.checkShared(path) }
      _ = try pool.withReader { try $0.integer("SELECT count(*) FROM sqlite_schema") }
      return Place(pool, way, seen)
    } catch let error as SQLiteError where way == .shared && UntouchedFile.needsCopy(error) {
      pool.close()
      return try openCopy()
    }
  }

  private func openCopy() throws -> Place {
    let seen = UntouchedFile.Way.copied.sees(path)
    let copy = try UntouchedFile.Copy(of: path)
    configuration.logger?.notice(
      "the store '\(path)' is read from a copy, because reading it would change the files beside it",
      metadata: ["copy": "\(copy.path)"])
    var configuration = configuration
    (configuration.role, configuration.isReadOnly) = (.sole, false)
    return Place(
      ReaderPool(path: copy.path, configuration: configuration, limit: limit), .copied, seen, copy)
  }
}
