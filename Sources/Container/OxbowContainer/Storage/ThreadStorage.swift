internal import OxbowPlatform
internal import Synchronization

/// The objects that threads have for themselves, in numbered slots.
///
/// All storages of the process share one thread key, because keys are scarce: each thread has a
/// table with an entry for each storage. A read is one `pthread_getspecific` and two array
/// accesses.
///
/// A thread alone touches its objects while anybody has the storage: a proxy looks at them without
/// a lock, also after its container was closed. So a storage that is closed drops those of the
/// thread that closes it; those of other threads are dropped when these look at the storage again,
/// make objects in another one, or end, and with the storage at the latest.
@usableFromInline package final class ThreadStorage: ConfinedStorage {
  private let tables: ThreadLocal<Table>
  /// The storage's index in the tables; another storage has it later.
  private let index: Int
  /// What tells this storage from others that had its index.
  private let number: UInt64
  /// `number`, and `closed` when the storage is closed: no thread has objects of that number.
  private let open: Atomic<UInt64>
  private let closing = Closing()
  private let slots = Atomic<Int>(0)
  /// The objects of all living threads.
  private let registry = LocalObjects.Registry([:])

  /// The number that no storage has.
  private static let closed = UInt64.max

  /// Creates an empty storage.
  ///
  /// - Throws: `threadKeysExhausted` when the process has no thread-specific key left.
  package init() throws {
    tables = try Table.ofThisProcess.get()
    (index, number) = Table.reserveIndex()
    open = Atomic(number)
  }

  // Threads that live on keep their (then empty) objects until they need the index or end.
  deinit {
    endAll()
    Table.free(index)
  }

  /// Answers no more requests, and drops the objects of the calling thread.
  package func close() {
    open.store(Self.closed, ordering: .releasing)
    closing.isClosed.store(true, ordering: .releasing)
    dropOwn()
  }

  /// Drops the objects of the calling thread.
  package func dropOwn() {
    tables.value?.objects(at: index, of: number)?.takeUnretainedValue().dropAll()
  }

  package func reserveSlot() -> Int { slots.add(1, ordering: .relaxed).oldValue }

  package func objects(for name: String) throws -> LocalObjects {
    if let objects = objects() { return objects }
    throw ContainerError(.containerReleased(name), getting: name)
  }

  /// What the calling thread has in a slot, not retained: its table holds it.
  ///
  /// The fast path beside `objects(for:)[slot]`: counting the references to objects and boxes costs
  /// more than finding them (`docs/performance.md`, K/proxy-thread-local).
  @usableFromInline func unretainedBox(in slot: Int) -> Unmanaged<AnyObjectBox>? {
    guard let table = tables.opaque else { return nil }
    return Unmanaged<Table>.fromOpaque(table)._withUnsafeGuaranteedRef {
      $0.objects(at: index, of: open.load(ordering: .relaxed))?._withUnsafeGuaranteedRef {
        $0.unretainedBox(in: slot)
      }
    }
  }

  /// Runs `body` with no objects for the calling thread, drops those that it leaves, and brings
  /// back the ones before.
  func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let objects = objects() else { return try body() }
    defer { if isClosed { objects.dropAll() } }
    return try objects.scope(body)
  }

  /// The same for one slot: the thread keeps its other objects.
  func scope<R, E: Error>(of slot: Int, _ body: () throws(E) -> R) throws(E) -> R {
    guard let objects = objects() else { return try body() }
    defer { if isClosed { objects.dropAll() } }
    return try objects.scope(of: slot, body)
  }

  /// Whether all that the calling thread makes ends with the work that it does now.
  static var isApart: Bool { (try? Table.ofThisProcess.get())?.value?.isApart ?? false }

  /// Runs `body` as on a thread of its own: what it leaves, in whatever storage, ends with it.
  ///
  /// So it may have objects of threads inside a task: no other task finds them.
  static func apart<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let tables = try? Table.ofThisProcess.get() else { return try body() }
    let (outer, own) = (tables.value, Table(isApart: true))
    tables.value = own
    defer {
      own.threadEnds()
      tables.value = outer
    }
    return try body()
  }

  private var isClosed: Bool { open.load(ordering: .acquiring) == Self.closed }

  /// Ends the objects of all threads, outside the lock: each takes itself off the list.
  private func endAll() {
    for objects in registry.withLock({ Array($0.values) }) { objects.end() }
  }

  /// The calling thread's objects; none when the storage was closed.
  private func objects() -> LocalObjects? {
    let table = tables.value
    if let objects = table?.objects(at: index, of: open.load(ordering: .acquiring)) {
      return objects.takeUnretainedValue()
    }
    guard !isClosed else {
      dropOwn()
      return nil
    }
    return makeObjects(in: table ?? makeTable())
  }

  private func makeTable() -> Table {
    let table = Table()
    tables.value = table
    return table
  }

  private func makeObjects(in table: Table) -> LocalObjects {
    table.dropClosed()
    let objects = LocalObjects(in: registry)
    table.put(objects, at: index, of: number, until: closing)
    return objects
  }

  /// Whether a storage is closed, for the threads that have objects in it.
  fileprivate final class Closing: Sendable {
    let isClosed = Atomic<Bool>(false)
  }
}

extension ThreadStorage {
  /// The objects that one thread has in all storages.
  ///
  /// Confined to its thread.
  fileprivate final class Table: ThreadEnding {
    private struct Entry {
      var storage: UInt64 = 0
      /// Retained.
      var objects: Unmanaged<LocalObjects>?
      var closing: Closing?
      /// Whether the thread, which ends, has claimed the objects.
      var isClaimed = false
    }

    /// Not an array, whose accesses would be checked and counted
    /// (`docs/performance.md`, K/proxy-thread-local).
    private var entries: UnsafeMutablePointer<Entry>?
    private var count = 0

    let isApart: Bool

    init(isApart: Bool = false) { self.isApart = isApart }

    /// The table of each thread.
    static let ofThisProcess = Result<ThreadLocal<Table>, any Error> {
      do {
        return try ThreadLocal()
      } catch {
        throw ContainerError(.threadKeysExhausted(error), task: "keep objects for each thread")
      }
    }

    deinit {
      for index in 0..<count {
        let objects = entries.unsafelyUnwrapped[index].objects?.takeRetainedValue()
        if entries.unsafelyUnwrapped[index].isClaimed { objects?.finish() } else { objects?.end() }
      }
      entries?.deinitialize(count: count)
      entries?.deallocate()
    }

    /// How often objects are dropped that others have made while they were disposed of; as often as
    /// the system looks again at what a thread has left.
    private static let rounds = 4

    /// Drops the objects while the thread still has its table, so that what is disposed of finds
    /// the others.
    func threadEnds() {
      guard let tables = try? Self.ofThisProcess.get() else { return }
      tables.value = self
      for _ in 0..<Self.rounds { dropAll() }
      tables.value = nil
    }

    private func dropAll() {
      // What is disposed of may make objects in further storages.
      var index = 0
      while index < count {
        if claim(index) { objects(at: index)?.dropAll() }
        index += 1
      }
    }

    /// Whether this thread drops the objects in a storage, which may end at the same time.
    private func claim(_ index: Int) -> Bool {
      if !entries.unsafelyUnwrapped[index].isClaimed {
        entries.unsafelyUnwrapped[index].isClaimed = objects(at: index)?.claim() ?? false
      }
      return entries.unsafelyUnwrapped[index].isClaimed
    }

    private func objects(at index: Int) -> LocalObjects? {
      entries.unsafelyUnwrapped[index].objects?.takeUnretainedValue()
    }

    /// Drops the objects in storages that were closed.
    func dropClosed() {
      var index = 0
      while index < count {
        if entries.unsafelyUnwrapped[index].closing?.isClosed.load(ordering: .acquiring) == true {
          objects(at: index)?.end()
        }
        index += 1
      }
    }

    /// The objects in a storage, not retained: the table holds them.
    func objects(at index: Int, of storage: UInt64) -> Unmanaged<LocalObjects>? {
      guard index < count, entries.unsafelyUnwrapped[index].storage == storage else { return nil }
      return entries.unsafelyUnwrapped[index].objects
    }

    /// Keeps the objects in a storage, over those of one that has ended.
    func put(_ objects: LocalObjects, at index: Int, of storage: UInt64, until closing: Closing) {
      if index >= count { grow(to: max(index + 1, 2 * count)) }
      let old = entries.unsafelyUnwrapped[index].objects
      entries.unsafelyUnwrapped[index] = Entry(
        storage: storage, objects: .passRetained(objects), closing: closing)
      old?.release()
    }

    private func grow(to size: Int) {
      let more = UnsafeMutablePointer<Entry>.allocate(capacity: size)
      more.initialize(repeating: Entry(), count: size)
      if let entries {
        more.update(from: entries, count: count)
        entries.deinitialize(count: count)
        entries.deallocate()
      }
      entries = more
      count = size
    }

    // MARK: - Indices

    private struct Indices {
      var free: [Int] = []
      var count = 0
      var lastNumber: UInt64 = 0
    }

    private static let indices = Lock(Indices())

    /// An index for a storage, and the storage's number, which no other one ever has.
    static func reserveIndex() -> (index: Int, number: UInt64) {
      indices.withLock { indices in
        indices.lastNumber += 1
        if let free = indices.free.popLast() { return (free, indices.lastNumber) }
        indices.count += 1
        return (indices.count - 1, indices.lastNumber)
      }
    }

    /// Gives back the index of a storage that ends.
    static func free(_ index: Int) { indices.withLock { $0.free.append(index) } }
  }
}
