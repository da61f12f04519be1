internal import OxbowPlatform
internal import Synchronization

/// Where the objects of threads (``ThreadStorage``) or tasks (``TaskStorage``) are kept.
protocol ConfinedStorage: Sendable {
  /// The objects of the thread or task that asks for the one of a name.
  ///
  /// - Throws: `unboundTask` where the task has none; `containerReleased` when the storage was
  ///   closed.
  func objects(for name: String) throws -> LocalObjects

  /// Returns the number of a new slot, which each thread or task has.
  func reserveSlot() -> Int
}

/// The objects of one thread or task, in numbered slots.
///
/// Sendable by argument: touched by their own thread or task alone, until no caller can ask for
/// them any more. Then the first that calls `end` drops them.
package final class LocalObjects: @unchecked Sendable {
  typealias Registry = Lock<[ObjectIdentifier: LocalObjects]>

  // Not checked for exclusivity, which costs more than the access: no access lasts while code of
  // others runs, see `subscript`.
  @exclusivity(unchecked) private var boxes: [AnyObjectBox?] = []
  private var order: [Int] = []
  private var inProgress: Set<Int> = []
  /// How often each slot was dropped since the present end began; nil while nothing ends.
  private var drops: [Int: Int]?
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
  /// What was dropped may be made again, for the last calls of an older object, but not for ever:
  /// two objects that ask for each other when they are disposed of would never end.
  ///
  /// - Throws: `constructionDeadlock` when the slot is being filled already: its constructor asks
  ///   for what it makes; `containerReleased` when the slot was dropped twice by the present end.
  func building<R>(_ slot: Int, _ name: String, _ body: () throws -> R) throws -> R {
    if let drops, drops[slot, default: 0] > 1 {
      throw ContainerError(.endsForEver(name), getting: name)
    }
    guard inProgress.insert(slot).inserted else {
      let step = "this thread asks for \"\(name)\" while it builds \"\(name)\""
      throw ContainerError(.waitLoop(name, steps: [step]), getting: name)
    }
    defer { inProgress.remove(slot) }
    return try body()
  }

  /// Runs `body` with empty slots, drops what it leaves there, and brings back the objects before.
  func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let outer = (boxes, order, inProgress, drops)
    (boxes, order, inProgress, drops) = ([], [], [], nil)
    defer {
      // Before the others are back: the last calls of the objects may ask for each other.
      dropAll()
      (boxes, order, inProgress, drops) = outer
    }
    return try body()
  }

  /// Runs `body` with one slot empty, drops what it leaves there, and brings back the object
  /// before.
  func scope<R, E: Error>(of slot: Int, _ body: () throws(E) -> R) throws(E) -> R {
    let outer = unretainedBox(in: slot)?.takeUnretainedValue()
    let isInProgress = inProgress.remove(slot) != nil
    if outer != nil { boxes[slot] = nil }
    defer {
      if let box = unretainedBox(in: slot)?.takeUnretainedValue() {
        if let place = order.lastIndex(of: slot) { order.remove(at: place) }
        drop(box, in: slot)
      }
      if let outer {
        boxes[slot] = outer
        // The end of the container inside of `body` has dropped all.
        if !order.contains(slot) { order.append(slot) }
      }
      if isInProgress { inProgress.insert(slot) }
    }
    return try body()
  }

  /// Drops all objects, the newest first.
  func dropAll() {
    let isOutermost = drops == nil
    if isOutermost { drops = [:] }
    defer { if isOutermost { drops = nil } }
    while let slot = order.popLast() {
      guard let box = boxes[slot] else { continue }
      drops?[slot, default: 0] += 1
      drop(box, in: slot)
    }
  }

  private func drop(_ box: AnyObjectBox, in slot: Int) {
    // The object is still there: what it calls when it is disposed of may call it.
    box.willDrop()
    if boxes[slot] === box { boxes[slot] = nil }
    withExtendedLifetime(box) { box.retire() }
  }

  /// Whether an object is disposed of already when its slot is dropped: others hand it on.
  func disposes(of object: Any) -> Bool {
    guard type(of: object) is AnyClass else { return false }
    return boxes.contains { $0?.disposes(of: object as AnyObject) == true }
  }

  /// Lets the caller, and no other, drop the objects for good: their thread ends, or their
  /// storage; both may at once.
  ///
  /// - Returns: Whether no other caller does it.
  func claim() -> Bool { !isEnded.exchange(true, ordering: .acquiringAndReleasing) }

  /// Drops the objects for good, unless somebody else does.
  func end() { if claim() { finish() } }

  /// Drops the objects for good.
  ///
  /// - Precondition: The caller has claimed them.
  func finish() {
    dropAll()
    // The caller holds them: nothing ends under the lock.
    registry?.withLock { $0[ObjectIdentifier(self)] = nil }
  }
}

/// The objects that tasks have for themselves: those of one `withTaskScope` body each.
final class TaskStorage: ConfinedStorage {
  /// The objects of a scope, and the task that they belong to.
  ///
  /// Child tasks inherit the reference; `objects` is for the owning task alone, while its body
  /// runs.
  private final class OpenScope: Sendable {
    let storage: ObjectIdentifier
    let owner: Int
    let outer: OpenScope?
    let objects = LocalObjects()
    let isOver = Atomic<Bool>(false)

    init(of storage: TaskStorage, owner: Int, outer: OpenScope?) {
      self.storage = ObjectIdentifier(storage)
      self.owner = owner
      self.outer = outer
    }
  }

  @TaskLocal private static var current: OpenScope?
  private let slots = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)

  func reserveSlot() -> Int { slots.add(1, ordering: .relaxed).oldValue }

  /// Answers no more requests; each task drops its objects at the end of its scope.
  func close() { isClosed.store(true, ordering: .releasing) }

  func objects(for name: String) throws -> LocalObjects {
    guard !isClosed.load(ordering: .acquiring) else {
      throw ContainerError(.containerReleased(name), getting: name)
    }
    guard let scope = innermost() else {
      throw ContainerError(.noTaskScope(name), getting: name)
    }
    guard Self.isOwn(scope) else {
      throw ContainerError(.foreignTask(name), getting: name)
    }
    return scope.objects
  }

  /// Whether the calling task has a scope of its own.
  var isOpen: Bool {
    guard !isClosed.load(ordering: .acquiring), let scope = innermost() else { return false }
    return Self.isOwn(scope)
  }

  /// Runs `body` with no objects for the calling task, and drops those that it leaves.
  func scope<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async rethrows -> R {
    let scope = OpenScope(of: self, owner: Self.task(), outer: Self.current)
    defer { scope.isOver.store(true, ordering: .relaxed) }
    return try await Self.$current.withValue(
      scope,
      operation: {
        // Inside: the last calls of the objects may ask for each other.
        defer { scope.objects.dropAll() }
        return try await body()
      }, isolation: isolation)
  }

  /// The innermost scope of this storage that the task has opened or inherited.
  private func innermost() -> OpenScope? {
    var step = Self.current
    while let scope = step {
      if scope.storage == ObjectIdentifier(self) { return scope }
      step = scope.outer
    }
    return nil
  }

  private static func isOwn(_ scope: OpenScope) -> Bool {
    scope.owner == task() && !scope.isOver.load(ordering: .relaxed)
  }

  /// What tells the current task from others that live; 0 outside of tasks.
  private static func task() -> Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }
}
