public import Synchronization

/// What keeps an object for calls that may outlast its time in a slot.
///
/// A thread's object can be dropped while one of its methods runs: a scope ends, a setter puts
/// another one into the slot. Retaining the object for each call would keep it, and cost two locked
/// instructions, which are most of what a call through a proxy may cost. So the calls of the thread
/// are counted in plain loads and stores, and a box that is dropped in the middle of one keeps
/// itself until the last has returned.
///
/// Sendable by argument: one thread counts. Another one may only retire the box, which is once the
/// thread has no more calls to make; should one still run, `exchange` decides who releases.
@usableFromInline package class AnyObjectBox: @unchecked Sendable {
  // Atomic for `retire` on another thread alone; relaxed loads and stores are plain ones.
  @usableFromInline final let _calls = Atomic<Int>(0)
  @usableFromInline final let _isRetired = Atomic<Bool>(false)

  fileprivate init() {}

  /// A call begins, on the thread of the object.
  @inlinable final func _enter() {
    _calls.store(_calls.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// A call has ended; the box may end with it.
  @inlinable final func _leave() {
    let left = _calls.load(ordering: .relaxed) &- 1
    _calls.store(left, ordering: .releasing)
    if left == 0, _isRetired.load(ordering: .relaxed) { _releaseOnce() }
  }

  @usableFromInline final func _releaseOnce() {
    if _isRetired.exchange(false, ordering: .acquiringAndReleasing) {
      Unmanaged.passUnretained(self).release()
    }
  }

  /// Called before the slot's reference to the box ends: while calls run, the box keeps itself.
  final func retire() {
    guard _calls.load(ordering: .acquiring) > 0 else { return }
    _ = Unmanaged.passRetained(self)
    _isRetired.store(true, ordering: .sequentiallyConsistent)
    // The last call of another thread may have ended without seeing that.
    if _calls.load(ordering: .sequentiallyConsistent) == 0 { _releaseOnce() }
  }

  /// Called before the object is dropped.
  func willDrop() {}

  /// Whether an object is disposed of when this box is dropped.
  func disposes(of object: AnyObject) -> Bool { false }
}

/// The object of a thread, task, request or lazy proxy, with what to do before it is dropped.
@usableFromInline package final class ObjectBox<T>: AnyObjectBox, @unchecked Sendable {
  // Sendable by argument: nothing changes here; owners decide which threads reach the value.

  @usableFromInline let value: T
  private let beforeDrop: (@Sendable (T) -> Void)?
  private let disposal: (@Sendable (T) -> Void)?

  /// Creates a box; `disposal` disposes of the object after `beforeDrop`.
  package init(
    _ value: T, beforeDrop: (@Sendable (T) -> Void)? = nil,
    disposal: (@Sendable (T) -> Void)? = nil
  ) {
    self.value = value
    self.beforeDrop = beforeDrop
    self.disposal = disposal
  }

  override func willDrop() {
    beforeDrop?(value)
    disposal?(value)
  }

  override func disposes(of object: AnyObject) -> Bool {
    disposal != nil && type(of: value as Any) is AnyClass && value as AnyObject === object
  }
}
