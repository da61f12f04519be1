internal import OxbowPlatform

/// The objects that threads have for themselves: one frame of numbered slots for each thread.
///
/// One thread key serves all thread-scoped definitions and thread-local proxies of a container: a read
/// is one `pthread_getspecific` and one array access.
@usableFromInline package final class ThreadStore: Sendable {
  private let current: ThreadLocal<ThreadFrames>
  private let slots = Lock(0)
  private let roster = Roster()

  /// Creates an empty store.
  ///
  /// - Throws: `threadKeysExhausted` when the process has no thread-specific key left.
  package init() throws {
    do {
      current = try ThreadLocal()
    } catch {
      throw ContainerError(.threadKeysExhausted(error), task: "keep objects for each thread")
    }
  }

  // Threads that live on keep their (then empty) frames object until they end.
  deinit {
    current.value = nil
    roster.empty()
  }

  /// Drops the objects of all threads, none of which may be using one.
  package func dropAll() { roster.empty() }

  /// Returns the number of a new slot.
  package func reserveSlot() -> Int {
    slots.withLock { next in
      next += 1
      return next - 1
    }
  }

  /// The calling thread's frame.
  package var frame: ThreadFrame {
    if let frames = current.value { return frames.top }
    return makeFrames().top
  }

  /// What the calling thread keeps in a slot, not retained: its frame holds it.
  ///
  /// The fast path beside `frame[slot]`: counting the references to frames and boxes costs more than
  /// finding them. Guarded by suite K, proxy-thread-local.
  @usableFromInline package func kept(in slot: Int) -> Unmanaged<FrameBox>? {
    guard let frames = current.opaque else { return nil }
    return Unmanaged<ThreadFrames>.fromOpaque(frames)._withUnsafeGuaranteedRef {
      $0.kept(in: slot)
    }
  }

  /// Runs `body` with an empty frame for the calling thread, drops what it leaves there, and brings
  /// back the frame before.
  package func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    let frames = current.value ?? makeFrames()
    let outer = frames.top
    let inner = ThreadFrame()
    frames.top = inner
    defer {
      // The objects end while their frame is still the current one: their last calls may come back.
      inner.dropAll()
      frames.top = outer
    }
    return try body()
  }

  private func makeFrames() -> ThreadFrames {
    let frames = ThreadFrames(roster: roster)
    roster.add(frames)
    current.value = frames
    return frames
  }
}

/// A container's thread store, made when something first needs one: keys are scarce.
package final class ThreadStores: Sendable {
  private let made = Lock<ThreadStore?>(nil)

  package init() {}

  package var existing: ThreadStore? { made.withLock { $0 } }

  package func store() throws -> ThreadStore {
    try made.withLock { made in
      if let made { return made }
      let store = try ThreadStore()
      made = store
      return store
    }
  }
}

/// The frames of one thread, the innermost on top.
///
/// Confined to its thread.
final class ThreadFrames {
  fileprivate(set) var top = ThreadFrame() {
    didSet { current = Unmanaged.passUnretained(top) }
  }
  /// `top`, not retained.
  @exclusivity(unchecked) private var current: Unmanaged<ThreadFrame>
  private let roster: Roster

  fileprivate init(roster: Roster) {
    self.roster = roster
    current = Unmanaged.passUnretained(top)
  }

  fileprivate func kept(in slot: Int) -> Unmanaged<FrameBox>? {
    current._withUnsafeGuaranteedRef { $0.kept(in: slot) }
  }

  deinit {
    roster.remove(ObjectIdentifier(self))
    top.dropAll()
  }
}

/// The frames of all living threads, so that a store can empty them when it ends.
///
/// Sendable by argument: the references are touched under the lock; the frames themselves only when
/// the store ends, which is when no thread can be using it.
private final class Roster: @unchecked Sendable {
  private struct Entry { weak var frames: ThreadFrames? }
  private let entries = Lock<[ObjectIdentifier: Entry]>([:])

  func add(_ frames: ThreadFrames) {
    nonisolated(unsafe) let entry = Entry(frames: frames)  // kept behind the lock, see the type
    entries.withLock { $0[ObjectIdentifier(frames)] = entry }
  }

  func remove(_ id: ObjectIdentifier) { entries.withLock { $0[id] = nil } }

  func empty() {
    // Outside the lock, because the end of a frame removes it here.
    for frames in living() { frames.top.dropAll() }
  }

  private func living() -> [ThreadFrames] {
    entries.withLock { entries in
      nonisolated(unsafe) let all = entries.values.compactMap(\.frames)  // see the type
      return all
    }
  }
}

/// The objects of one thread in one scope of work.
package final class ThreadFrame {
  // Not checked for exclusivity, which costs more than the access: no access lasts while code of others
  // runs, see `subscript`.
  @exclusivity(unchecked) private var boxes: [FrameBox?] = []
  private var order: [Int] = []
  private var inProgress: Set<Int> = []

  fileprivate func kept(in slot: Int) -> Unmanaged<FrameBox>? {
    guard slot < boxes.count else { return nil }
    return boxes.withUnsafeBufferPointer { $0[slot].map(Unmanaged.passUnretained) }
  }

  /// The box in a slot.
  package subscript(slot: Int) -> FrameBox? {
    get { slot < boxes.count ? boxes[slot] : nil }
    set {
      while boxes.count <= slot { boxes.append(nil) }
      // The one before ends when the array is whole again: its last words may come back here.
      let old = boxes[slot]
      boxes[slot] = newValue
      order.append(slot)
      withExtendedLifetime(old) { old?.letGo() }
    }
  }

  /// Runs `body`, which fills a slot.
  ///
  /// - Throws: `constructionDeadlock` when the slot is being filled already: its constructor asks for
  ///   what it makes.
  package func building<R>(_ slot: Int, _ name: String, _ body: () throws -> R) throws -> R {
    guard inProgress.insert(slot).inserted else {
      let step = "this thread asks for \"\(name)\" while it builds \"\(name)\""
      throw ContainerError(.waitLoop(name, steps: [step]), task: "get object \"\(name)\"")
    }
    defer { inProgress.remove(slot) }
    return try body()
  }

  /// Lets go of all objects, the newest first, after their last words.
  package func dropAll() {
    while let slot = order.popLast() {
      guard let box = boxes[slot] else { continue }
      boxes[slot] = nil
      box.willDrop()
      withExtendedLifetime(box) { box.letGo() }
    }
  }
}
