public import Synchronization

/// What keeps an object for calls that may outlast its place: a box that its last call lets go of.
///
/// A frame can drop a thread's object while one of its methods runs: a scope ends, a setter puts
/// another in its place. Retaining the object for each call would say so, and cost two locked
/// instructions, which are most of what a call through a proxy may cost. So the calls of the thread are
/// counted in plain loads and stores, and a box that is dropped in the middle of one keeps itself
/// until the last has returned.
///
/// Sendable by argument: one thread counts. Another one may only let go, which is once the thread has
/// no more calls to make; should one still run, `exchange` decides who releases.
@usableFromInline package class FrameBox: @unchecked Sendable {
  // Atomic for `letGo` on another thread alone; relaxed loads and stores are plain ones.
  @usableFromInline final let _calls = Atomic<Int>(0)
  @usableFromInline final let _isDropped = Atomic<Bool>(false)

  fileprivate init() {}

  /// A call begins, on the thread of the object.
  @inlinable final func _enter() {
    _calls.store(_calls.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }

  /// A call has ended; the box may end with it.
  @inlinable final func _leave() {
    let left = _calls.load(ordering: .relaxed) &- 1
    _calls.store(left, ordering: .releasing)
    if left == 0, _isDropped.load(ordering: .relaxed) { _releaseOnce() }
  }

  @usableFromInline final func _releaseOnce() {
    if _isDropped.exchange(false, ordering: .acquiringAndReleasing) {
      Unmanaged.passUnretained(self).release()
    }
  }

  /// Called by a frame that is about to release the box: while calls run, the box keeps itself.
  final func letGo() {
    guard _calls.load(ordering: .acquiring) > 0 else { return }
    _ = Unmanaged.passRetained(self)
    _isDropped.store(true, ordering: .sequentiallyConsistent)
    // The last call of another thread may have ended without seeing that.
    if _calls.load(ordering: .sequentiallyConsistent) == 0 { _releaseOnce() }
  }

  /// Called before a frame lets go of the object.
  func willDrop() {}
}

/// The object of a thread, task or lazy proxy, with what to do before it is dropped.
@usableFromInline package final class ObjectBox<T>: FrameBox, @unchecked Sendable {
  // Sendable by argument: nothing changes here; owners decide which threads reach the value.

  @usableFromInline package let value: T
  private let lastWords: (@Sendable (T) -> Void)?

  package init(_ value: T, lastWords: (@Sendable (T) -> Void)? = nil) {
    self.value = value
    self.lastWords = lastWords
  }

  override func willDrop() { lastWords?(value) }
}
