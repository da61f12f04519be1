internal import Foundation
internal import OxbowRuntime

/// A store around another one that remembers what was saved.
final class WitnessStore: AtomicStore, @unchecked Sendable {
  // Sendable by argument: the properties are touched under the lock.

  private let store: any AtomicStore
  private let lock = NSLock()
  private var saved: AtomicStoreContents?
  private var isInterrupting = false
  private var wasInterrupted = false

  /// What the contract throws in the middle of a save.
  struct Interruption: Error, CustomStringConvertible {
    var description: String { "the save was interrupted by the contract" }
  }

  init(_ store: any AtomicStore) { self.store = store }

  var name: String { store.name }
  var isReadOnly: Bool { store.isReadOnly }

  /// What the store had after its last save.
  var contents: AtomicStoreContents? { lock.withLock { saved } }

  /// Interrupts the saves from now on, where the store asks for all contents.
  func interrupt() { lock.withLock { isInterrupting = true } }

  /// Whether a save was interrupted.
  var hasInterrupted: Bool { lock.withLock { wasInterrupted } }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? { try store.load(model) }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    let interrupts = lock.withLock { isInterrupting }
    try store.save(changes) {
      guard !interrupts else {
        lock.withLock { wasInterrupted = true }
        throw Interruption()
      }
      return try contents()
    }
    let all = try contents()
    lock.withLock { saved = all }
  }

  func close() { store.close() }
}

/// A store that has what it is given, so that contents can be seen as Oxbow sees them.
final class ReplayStore: AtomicStore, @unchecked Sendable {
  // Sendable by argument: the properties are touched under the lock.

  private let lock = NSLock()
  private let given: AtomicStoreContents
  private var seen: AtomicStoreContents?

  init(_ contents: AtomicStoreContents) { given = contents }

  var name: String { "what was loaded" }

  var contents: AtomicStoreContents? { lock.withLock { seen } }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? { given }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    let all = try contents()
    lock.withLock { seen = all }
  }
}
