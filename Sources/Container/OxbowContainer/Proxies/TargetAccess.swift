public import Synchronization

/// Lets calls of proxies borrow targets, where handing these over would cost more than the call.
///
/// A source that keeps its targets itself has an access (``ProxySource/targetAccess``): what a call
/// borrows is neither copied nor retained. Sources that wrap another one hand on its access.
public final class TargetAccess<Target>: Sendable {
  /// The target of all threads, once it is built and until the access is closed.
  @usableFromInline let _shared = Atomic<Unmanaged<ObjectBox<Target>>?>(nil)
  @usableFromInline let _threads: ThreadStorage?
  @usableFromInline let _slot: Int
  /// The target that the access was opened to, retained: a call may have begun before the end.
  private let kept = Atomic<Unmanaged<ObjectBox<Target>>?>(nil)

  /// An access to one target for all threads; it has none yet.
  init() {
    _threads = nil
    _slot = 0
  }

  /// An access to what the calling thread keeps in a slot.
  init(_ threads: ThreadStorage, slot: Int) {
    _threads = threads
    _slot = slot
  }

  deinit { kept.load(ordering: .acquiring)?.release() }

  /// Lets all threads borrow a target until the access is closed, and keeps it as long as the
  /// access lives.
  ///
  /// - Precondition: Called once.
  func open(to target: Target) {
    let box = Unmanaged.passRetained(ObjectBox(target))
    kept.store(box, ordering: .releasing)
    _shared.store(box, ordering: .releasing)
  }

  /// Lets no more calls borrow the target.
  func close() { _shared.store(nil, ordering: .releasing) }

  /// The target for a call that is made now, on this thread; nil when the source has to be asked.
  ///
  /// Benchmarks: `docs/performance.md`, K/proxy-plain, K/proxy-lazy and K/proxy-thread-local.
  @inlinable public var borrowed: BorrowedTarget<Target>? {
    if let box = _shared.load(ordering: .acquiring) { return BorrowedTarget(box, isCounted: false) }
    guard let box = _threads?.unretainedBox(in: _slot) else { return nil }
    return BorrowedTarget(
      Unmanaged<ObjectBox<Target>>.fromOpaque(box.toOpaque()), isCounted: true)
  }
}

/// A target that is borrowed for one call, made at once and on the thread that asked for it.
@frozen public struct BorrowedTarget<Target> {
  // Not retained. The access keeps a target of all threads, and the caller keeps the proxy that
  // keeps the access; a thread's target counts its calls, see `AnyObjectBox`.
  @usableFromInline let _box: Unmanaged<ObjectBox<Target>>
  @usableFromInline let _isCounted: Bool

  @inlinable init(_ box: Unmanaged<ObjectBox<Target>>, isCounted: Bool) {
    _box = box
    _isCounted = isCounted
  }

  /// Calls the target, which lives until `body` has returned, even if its scope ends meanwhile.
  ///
  /// - Parameters:
  ///   - owner: What keeps the access: the proxy.
  ///   - body: The call.
  /// - Returns: What the call returns.
  @inlinable @inline(__always) public func call<Owner, R>(
    for owner: Owner, _ body: (Target) throws -> R
  ) rethrows -> R {
    if _isCounted { _box._withUnsafeGuaranteedRef { $0._enter() } }
    defer {
      if _isCounted { _box._withUnsafeGuaranteedRef { $0._leave() } }
      withExtendedLifetime(owner) {}
    }
    return try _box._withUnsafeGuaranteedRef { try body($0.value) }
  }

  /// The same for results that cannot be copied.
  @_disfavoredOverload @inlinable public func call<Owner, R: ~Copyable>(
    for owner: Owner, _ body: (Target) throws -> R
  ) rethrows -> R {
    let box = _box.takeUnretainedValue()
    return try body(box.value)
  }
}
