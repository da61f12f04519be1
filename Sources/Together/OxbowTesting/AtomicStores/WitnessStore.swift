internal import OxbowPlatform
internal import OxbowRuntime

/// A store around another one that remembers what was saved.
final class WitnessStore: AtomicStore {
  private struct State {
    var saved: AtomicStoreContents?
    var isInterrupting = false
    var wasInterrupted = false
  }

  private let store: any AtomicStore
  private let state = Lock(State())

  /// What the contract throws in the middle of a save.
  struct Interruption: Error, CustomStringConvertible {
    var description: String { "the save was interrupted by the contract" }
  }

  init(_ store: any AtomicStore) { self.store = store }

  var name: String { store.name }
  var isReadOnly: Bool { store.isReadOnly }

  /// What the store had after its last save.
  var contents: AtomicStoreContents? { state.withLock(\.saved) }

  /// Interrupts the saves from now on, where the store asks for all contents.
  func interrupt() { state.withLock { $0.isInterrupting = true } }

  /// Whether a save was interrupted.
  var hasInterrupted: Bool { state.withLock(\.wasInterrupted) }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? { try store.load(model) }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    let interrupts = state.withLock(\.isInterrupting)
    try store.save(changes) {
      guard !interrupts else {
        state.withLock { $0.wasInterrupted = true }
        throw Interruption()
      }
      return try contents()
    }
    let all = try contents()
    state.withLock { $0.saved = all }
  }

  func close() { store.close() }
}

/// A store that has what it is given, so that contents can be seen as Oxbow sees them.
final class GivenStore: AtomicStore {
  private let given: AtomicStoreContents

  init(_ contents: AtomicStoreContents) { given = contents }

  var name: String { "what was loaded" }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? { given }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {}
}
