import Foundation
import OxbowContext
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

/// Contexts of several threads whose saves share a commit, with hooks, undo and other processes.
@Suite struct SharedSaveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func open(_ folder: String, log: Bool = true) throws -> SQLiteStore {
    let model = ManagedObjectModel(types: [Meter.self])
    return try SQLiteStore(
      CompiledModel(model, classes: [Meter.self]), at: .file(folder + "/store.sqlite"),
      options: SQLiteStoreOptions(usesWriteAheadLog: log))
  }

  /// Lets threads save while the writer is busy, until all of them wait for it.
  private func together(_ store: SQLiteStore, _ threads: [MeterThread]) throws {
    try store.database.write { _ in
      for thread in threads { thread.go() }
      while store.waitingSaves + threads.count(where: \.hasEnded) < threads.count { sched_yield() }
    }
    for thread in threads { thread.wait() }
  }

  @Test func `hooks and undo do the same in saves that share a commit (PS-06, PG-06, PG-09)`()
    throws
  {
    let store = try Self.open(folder.path)
    let coordinator = PersistentStoreCoordinator(store: store)
    let threads = (1...4).map { MeterThread(coordinator, $0) }
    func stored() throws -> [[Int]] {
      try ManagedObjectContext(coordinator: coordinator)
        .fetch(Meter.self, sortedBy: [.ascending(\.reading)])
        .map { [$0.reading, $0.doubled, $0.seen] }
    }
    for expected in [
      // What `willSave` sets is saved with it, what `didSave` sets with the next save.
      (1...4).map { [$0, 2 * $0, 0] }, (1...4).map { [$0, 2 * $0, $0] }, [],
      (1...4).map { [$0, 2 * $0, $0] },
    ] {
      for thread in threads { thread.wait() }
      let before = coordinator.statistics.commits
      try together(store, threads)
      #expect(coordinator.statistics.commits == before + 1)
      #expect(try stored() == expected)
    }
    for thread in threads { thread.finish() }
    #expect(threads.flatMap(\.errors) == [])
    coordinator.close()
  }

  @Test(arguments: [true, false])
  func `threads that share commits and another process lose no save (PS-06, PS-02)`(_ log: Bool)
    async throws
  {
    let coordinator = PersistentStoreCoordinator(store: try Self.open(folder.path, log: log))
    let errors = Lock<[String]>([])
    let threads = (0..<4).map { thread in
      ThreadRunner {
        do {
          try Self.save(30, from: 1000 * thread, coordinator)
        } catch {
          errors.withLock { $0.append("\(error)") }
        }
      }
    }
    await #expect(processExitsWith: .success) {
      [folder = folder.path as String, log = log as Bool] in
      let coordinator = PersistentStoreCoordinator(store: try Self.open(folder, log: log))
      try Self.save(60, from: 5000, coordinator)
      coordinator.close()
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for thread in threads { thread.join() }
        continuation.resume()
      }
    }
    #expect(errors.withLock(\.self) == [])
    let meters = try ManagedObjectContext(coordinator: coordinator)
      .fetch(Meter.self, sortedBy: [.ascending(\.reading)])
    let expected = (0..<4).flatMap { thread in (0..<30).map { 1000 * thread + $0 } }
    #expect(meters.map(\.reading) == expected + (5000..<5060))
    #expect(meters.allSatisfy { $0.doubled == 2 * $0.reading && $0.seen == $0.reading })
    coordinator.close()
  }

  /// Saves meters, each for itself, and again with what `didSave` has set.
  private static func save(
    _ count: Int, from first: Int, _ coordinator: PersistentStoreCoordinator
  ) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    for number in first..<first + count {
      _ = try context.insert(Meter.self) { $0.reading = number }
      try context.save()
      try context.save()
    }
  }
}

/// A thread with a context that saves when it has to.
private final class MeterThread: Sendable {
  private let start = DispatchSemaphore(value: 0)
  private let isReady = DispatchSemaphore(value: 0)
  private let state = Lock((hasEnded: false, errors: [String]()))

  var hasEnded: Bool { state.withLock(\.hasEnded) }
  var errors: [String] { state.withLock(\.errors) }

  init(_ coordinator: PersistentStoreCoordinator, _ number: Int) {
    Thread.detachNewThread {
      do {
        try self.work(coordinator, number)
      } catch {
        self.state.withLock { $0.errors.append("\(error)") }
      }
      self.state.withLock { $0.hasEnded = true }
      for _ in 0..<10 { self.isReady.signal() }
    }
  }

  private func work(_ coordinator: PersistentStoreCoordinator, _ number: Int) throws {
    let context = ManagedObjectContext(coordinator: coordinator)
    context.isUndoEnabled = true
    try context.beginUndoGroup()
    let meter = try context.insert(Meter.self)
    meter.reading = number
    try context.endUndoGroup()
    try saveWhenTold(context)
    try saveWhenTold(context)
    while context.canUndo { try context.undo() }
    try saveWhenTold(context)
    while context.canRedo { try context.redo() }
    try saveWhenTold(context)
  }

  private func saveWhenTold(_ context: ManagedObjectContext) throws {
    isReady.signal()
    start.wait()
    let result = Result { try context.save() }
    isReady.signal()
    try result.get()
  }

  func go() { start.signal() }
  func wait() { isReady.wait() }
  func finish() { while !hasEnded { sched_yield() } }
}

/// An object whose hooks change it.
private final class Meter: ManagedObject, ModelObject, WillSaveHook, DidSaveHook {
  var reading: Int {
    get { _value(0) }
    set { _setValue(0, newValue) }
  }
  var doubled: Int {
    get { _value(1) }
    set { _setValue(1, newValue) }
  }
  var seen: Int {
    get { _value(2) }
    set { _setValue(2, newValue) }
  }

  func willSave() { if !isDeleted { doubled = 2 * reading } }
  func didSave() { if context != nil, seen != reading { seen = reading } }

  class var entityName: String { "Meter" }

  class var entityDescription: EntityDescription {
    EntityDescription(
      "Meter", className: "Meter",
      attributes: _propertyNames.map {
        AttributeDescription($0, .integer64, isOptional: false, defaultValue: .integer(0))
      })
  }

  class var _propertyNames: [String] { ["reading", "doubled", "seen"] }
  class var _propertyCount: Int { 3 }
  class var _keyPaths: [(keyPath: AnyKeyPath, name: String)] {
    [(\Meter.reading, "reading"), (\Meter.doubled, "doubled"), (\Meter.seen, "seen")]
  }
}
