internal import OxbowPlatform
internal import Synchronization

/// Where the objects of threads (``ThreadStorage``) or tasks (``TaskStorage``) are kept.
package protocol ConfinedStorage: Sendable {
  /// The objects of the thread or task that asks.
  ///
  /// - Parameter name: What is asked for, for messages.
  /// - Returns: The objects.
  /// - Throws: `unboundTask` where the task has none; `containerReleased` when the storage was
  ///   closed.
  func objects(for name: String) throws -> LocalObjects

  /// Returns the number of a new slot, which each thread or task has.
  func reserveSlot() -> Int
}

/// The objects of one thread or task, in numbered slots.
///
/// Sendable by argument: touched by their own thread or task alone, until nobody can ask for them
/// any more. Then whoever calls `end` first drops them.
package final class LocalObjects: @unchecked Sendable {
  typealias Registry = Lock<[ObjectIdentifier: LocalObjects]>

  // Not checked for exclusivity, which costs more than the access: no access lasts while code of
  // others runs, see `subscript`.
  @exclusivity(unchecked) private var boxes: [AnyObjectBox?] = []
  private var order: [Int] = []
  private var inProgress: Set<Int> = []
  private let isEnded = Atomic<Bool>(false)
  /// Where the objects of all threads are listed.
  private let registry: Registry?

  init(in registry: Registry? = nil) {
    self.registry = registry
    registry?.withLock { $0[ObjectIdentifier(self)] = self }
  }

  /// The box in a slot, not retained.
  func unretainedBox(in slot: Int) -> Unmanaged<AnyObjectBox>? {
    guard slot < boxes.count else { return nil }
    return boxes.withUnsafeBufferPointer { $0[slot].map(Unmanaged.passUnretained) }
  }

  /// The box in a slot.
  package subscript(slot: Int) -> AnyObjectBox? {
    get { slot < boxes.count ? boxes[slot] : nil }
    set {
      while boxes.count <= slot { boxes.append(nil) }
      // The one before ends when the array is whole again: what ends with it may come back here.
      let old = boxes[slot]
      boxes[slot] = newValue
      order.append(slot)
      withExtendedLifetime(old) { old?.retire() }
    }
  }

  /// Runs `body`, which fills a slot.
  ///
  /// - Throws: `constructionDeadlock` when the slot is being filled already: its constructor asks
  ///   for what it makes.
  package func building<R>(_ slot: Int, _ name: String, _ body: () throws -> R) throws -> R {
    guard inProgress.insert(slot).inserted else {
      let step = "this thread asks for \"\(name)\" while it builds \"\(name)\""
      throw ContainerError(.waitLoop(name, steps: [step]), task: "get object \"\(name)\"")
    }
    defer { inProgress.remove(slot) }
    return try body()
  }

  /// Runs `body` with empty slots, drops what it leaves there, and brings back the objects before.
  func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let outer = (boxes, order, inProgress)
    (boxes, order, inProgress) = ([], [], [])
    defer {
      // Before the others are back: the last calls of the objects may ask for each other.
      dropAll()
      (boxes, order, inProgress) = outer
    }
    return try body()
  }

  /// Drops all objects, the newest first.
  func dropAll() {
    while let slot = order.popLast() {
      guard let box = boxes[slot] else { continue }
      boxes[slot] = nil
      box.willDrop()
      withExtendedLifetime(box) { box.retire() }
    }
  }

  /// Drops the objects for good, when their thread ends or nobody can ask for one any more:
  /// whichever is first.
  func end() {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    dropAll()
    // The caller holds them: nothing ends under the lock.
    registry?.withLock { $0[ObjectIdentifier(self)] = nil }
  }
}
