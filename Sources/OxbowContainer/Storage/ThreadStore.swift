internal import OxbowPlatform
internal import Synchronization

/// The objects that threads have for themselves: one frame of numbered slots for each thread.
///
/// All stores of the process share one thread key, because keys are scarce: each thread has a table with a place
/// for each store. A read is one `pthread_getspecific` and two array accesses.
///
/// A thread alone touches its frames while anybody can use the store. So a store that is closed ends the objects
/// of the thread that closes it; those of other threads end when these look at the store again or end, and
/// with the store at the latest.
@usableFromInline package final class ThreadStore: Sendable {
  private let tables: ThreadLocal<ThreadTable>
  /// The store's place in the tables; another store has it later.
  private let place: Int
  /// What tells this store from others that had its place.
  private let number: UInt64
  /// `number`, and `closed` when the store is closed: the look that finds a frame finds none then.
  private let open: Atomic<UInt64>
  private let slots = Lock(0)
  private let roster = Roster()

  /// The number that no store has.
  private static let closed = UInt64.max

  /// Creates an empty store.
  ///
  /// - Throws: `threadKeysExhausted` when the process has no thread-specific key left.
  package init() throws {
    tables = try ThreadTable.ofThisProcess.get()
    (place, number) = ThreadTable.takePlace()
    open = Atomic(number)
  }

  // Threads that live on keep their (then empty) frames until they need the place or end.
  deinit {
    roster.empty()
    ThreadTable.free(place)
  }

  /// Drops the objects of all threads, none of which can ask for one any more.
  package func dropAll() {
    open.store(Self.closed, ordering: .releasing)
    roster.empty()
  }

  /// Answers no more requests, and drops the objects of the calling thread.
  package func close() {
    open.store(Self.closed, ordering: .releasing)
    dropOwn()
  }

  /// Drops the objects of the calling thread.
  package func dropOwn() {
    tables.value?.frames(at: place, of: number)?.takeUnretainedValue().drop()
  }

  private var isClosed: Bool { open.load(ordering: .acquiring) == Self.closed }

  /// Returns the number of a new slot.
  package func reserveSlot() -> Int {
    slots.withLock { next in
      next += 1
      return next - 1
    }
  }

  /// The calling thread's frame.
  ///
  /// - Parameter name: What is asked for, for messages.
  /// - Returns: The frame.
  /// - Throws: `containerReleased` when the store was closed.
  package func frame(for name: String) throws -> ThreadFrame {
    guard let frames = frames() else {
      throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
    }
    return frames.top
  }

  /// What the calling thread keeps in a slot, not retained: its frame holds it.
  ///
  /// The fast path beside `frame(for:)[slot]`: counting the references to frames and boxes costs more than
  /// finding them. Guarded by suite K, proxy-thread-local.
  @usableFromInline package func kept(in slot: Int) -> Unmanaged<FrameBox>? {
    guard let table = tables.opaque else { return nil }
    return Unmanaged<ThreadTable>.fromOpaque(table)._withUnsafeGuaranteedRef {
      $0.frames(at: place, of: open.load(ordering: .relaxed))?._withUnsafeGuaranteedRef {
        $0.kept(in: slot)
      }
    }
  }

  /// Runs `body` with an empty frame for the calling thread, drops what it leaves there, and brings
  /// back the frame before.
  package func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let frames = frames() else { return try body() }
    let outer = frames.top
    let inner = ThreadFrame()
    frames.top = inner
    defer {
      // The objects end while their frame is still the current one: their last calls may come back.
      inner.dropAll()
      frames.top = outer
      if isClosed { outer.dropAll() }
    }
    return try body()
  }

  /// The calling thread's frames; none when the store was closed.
  private func frames() -> ThreadFrames? {
    let table = tables.value
    if let frames = table?.frames(at: place, of: open.load(ordering: .acquiring)) {
      return frames.takeUnretainedValue()
    }
    guard !isClosed else {
      table?.frames(at: place, of: number)?.takeUnretainedValue().drop()
      return nil
    }
    return makeFrames(in: table ?? makeTable())
  }

  private func makeTable() -> ThreadTable {
    let table = ThreadTable()
    tables.value = table
    return table
  }

  private func makeFrames(in table: ThreadTable) -> ThreadFrames {
    let frames = ThreadFrames(roster: roster)
    roster.add(frames)
    table.put(frames, at: place, of: number)
    return frames
  }
}

/// A container's thread store, made when something first needs one.
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

/// The objects of one thread in one scope of work.
package final class ThreadFrame {
  // Not checked for exclusivity, which costs more than the access: no access lasts while code of others
  // runs, see `subscript`.
  @exclusivity(unchecked) private var boxes: [FrameBox?] = []
  private var order: [Int] = []
  private var inProgress: Set<Int> = []

  func kept(in slot: Int) -> Unmanaged<FrameBox>? {
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
