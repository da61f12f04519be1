internal import OxbowPlatform
internal import Synchronization

/// The frames that one thread has in all stores.
///
/// Confined to its thread.
final class ThreadTable {
  private struct Place {
    var store: UInt64 = 0
    /// Retained.
    var frames: Unmanaged<ThreadFrames>?
  }

  /// Pointers in place of an array, whose accesses would be checked and counted; guarded by suite K,
  /// proxy-thread-local.
  private var places: UnsafeMutablePointer<Place>?
  private var count = 0

  /// The table of each thread.
  static let ofThisProcess = Result<ThreadLocal<ThreadTable>, any Error> {
    do {
      return try ThreadLocal()
    } catch {
      throw ContainerError(.threadKeysExhausted(error), task: "keep objects for each thread")
    }
  }

  // The thread ends.
  deinit {
    for number in 0..<count {
      guard let frames = places.unsafelyUnwrapped[number].frames?.takeRetainedValue() else {
        continue
      }
      frames.end()
    }
    places?.deallocate()
  }

  /// The frames of a store, not retained: the table holds them.
  func frames(at place: Int, of store: UInt64) -> Unmanaged<ThreadFrames>? {
    guard place < count, places.unsafelyUnwrapped[place].store == store else { return nil }
    return places.unsafelyUnwrapped[place].frames
  }

  /// Keeps the frames of a store, in the place of those of one that has ended.
  func put(_ frames: ThreadFrames, at place: Int, of store: UInt64) {
    if place >= count { grow(to: max(place + 1, 2 * count)) }
    let old = places.unsafelyUnwrapped[place].frames
    places.unsafelyUnwrapped[place] = Place(store: store, frames: .passRetained(frames))
    old?.release()
  }

  private func grow(to size: Int) {
    let more = UnsafeMutablePointer<Place>.allocate(capacity: size)
    more.initialize(repeating: Place(), count: size)
    if let places {
      more.update(from: places, count: count)
      places.deallocate()
    }
    places = more
    count = size
  }

  // MARK: - Places

  private struct Places {
    var free: [Int] = []
    var count = 0
    var last: UInt64 = 0
  }

  private static let all = Lock(Places())

  /// A place for a store, and the store's number.
  static func takePlace() -> (place: Int, number: UInt64) {
    all.withLock { all in
      all.last += 1
      if let free = all.free.popLast() { return (free, all.last) }
      all.count += 1
      return (all.count - 1, all.last)
    }
  }

  /// Gives back the place of a store that ends.
  static func free(_ place: Int) { all.withLock { $0.free.append(place) } }
}

/// The frames of one thread in one store, the innermost on top.
///
/// Confined to its thread, until the thread or the store ends.
final class ThreadFrames {
  var top = ThreadFrame() {
    didSet { current = Unmanaged.passUnretained(top) }
  }
  /// `top`, not retained.
  @exclusivity(unchecked) private var current: Unmanaged<ThreadFrame>
  private let isEnded = Atomic<Bool>(false)
  private let roster: Roster

  init(roster: Roster) {
    self.roster = roster
    current = Unmanaged.passUnretained(top)
  }

  func kept(in slot: Int) -> Unmanaged<FrameBox>? {
    current._withUnsafeGuaranteedRef { $0.kept(in: slot) }
  }

  /// Drops the objects, on their thread.
  func drop() { top.dropAll() }

  /// Drops the objects, when the thread ends or nobody can ask the store for one any more: whichever is
  /// first.
  func end() {
    guard !isEnded.exchange(true, ordering: .acquiringAndReleasing) else { return }
    top.dropAll()
    roster.remove(self)
  }
}

/// The frames of all living threads, so that a store can empty them when it ends.
///
/// Sendable by argument: the references are touched under the lock; the frames themselves only when
/// the store ends, which is when no thread can be using it.
final class Roster: @unchecked Sendable {
  private let entries = Lock<[ObjectIdentifier: ThreadFrames]>([:])

  func add(_ frames: ThreadFrames) {
    nonisolated(unsafe) let frames = frames  // kept behind the lock, see the type
    entries.withLock { $0[ObjectIdentifier(frames)] = frames }
  }

  func remove(_ frames: ThreadFrames) {
    let id = ObjectIdentifier(frames)
    entries.withLock { $0[id] = nil }  // The caller holds it: nothing ends under the lock.
  }

  func empty() {
    // Outside the lock, because the end of a frame removes it here.
    for frames in living() { frames.end() }
  }

  private func living() -> [ThreadFrames] {
    entries.withLock { entries in
      nonisolated(unsafe) let all = Array(entries.values)  // see the type
      return all
    }
  }
}
