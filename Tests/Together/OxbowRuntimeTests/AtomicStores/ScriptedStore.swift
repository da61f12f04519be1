import Foundation
import OxbowRuntime
import Testing

/// A store in memory that fails when it has to, and remembers what it was given.
final class ScriptedStore: AtomicStore, @unchecked Sendable {
  // Sendable by argument: the properties are touched under the lock.

  struct Refusal: Error, Equatable { var reason = "no paper" }

  let name = "scripted"
  let isReadOnly: Bool

  private let lock = NSLock()
  private var kept: AtomicStoreContents?
  private var given: [AtomicStoreChanges] = []
  private var isRefusing = false
  private var closings = 0
  private var whileSaving: (@Sendable () -> Void)?

  init(_ contents: AtomicStoreContents? = nil, isReadOnly: Bool = false) {
    kept = contents
    self.isReadOnly = isReadOnly
  }

  var contents: AtomicStoreContents? { lock.withLock { kept } }
  var saves: [AtomicStoreChanges] { lock.withLock { given } }
  var closeCount: Int { lock.withLock { closings } }

  /// Refuses saves from now on, or no longer.
  func refuse(_ refuses: Bool = true) { lock.withLock { isRefusing = refuses } }

  /// Calls `body` in each save.
  func whileSaving(_ body: @escaping @Sendable () -> Void) { lock.withLock { whileSaving = body } }

  func load(_ model: ManagedObjectModel) throws -> AtomicStoreContents? { contents }

  func save(_ changes: AtomicStoreChanges, contents: () throws -> AtomicStoreContents) throws {
    lock.withLock { whileSaving }?()
    if lock.withLock({ isRefusing }) { throw Refusal() }
    let all = try contents()
    lock.withLock {
      kept = all
      given.append(changes)
    }
  }

  func close() { lock.withLock { closings += 1 } }
}

/// Expects an error with a code.
func expectFailure(
  _ code: PersistenceError.Code, sourceLocation: Testing.SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  let error = #expect(throws: PersistenceError.self, sourceLocation: sourceLocation) { try body() }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}
