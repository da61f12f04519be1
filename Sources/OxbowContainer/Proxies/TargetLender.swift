public import Synchronization

/// Lends targets to the calls of proxies, where handing them over would cost more than the call.
///
/// A source whose targets it keeps itself has a lender (``ProxySource/lender``): what it lends is
/// neither copied nor retained for the call. Sources that wrap another one hand on its lender.
public final class TargetLender<Target>: Sendable {
  /// The target of all threads, once it is built and until it is recalled.
  @usableFromInline let _shared = Atomic<Unmanaged<ObjectBox<Target>>?>(nil)
  @usableFromInline let _threads: ThreadStorage?
  @usableFromInline let _slot: Int
  /// What was ever lent, retained: a call may have begun before it was recalled.
  private let kept = Atomic<Unmanaged<ObjectBox<Target>>?>(nil)

  /// A lender of one target for all threads; it has none yet.
  init() {
    _threads = nil
    _slot = 0
  }

  /// A lender of what the calling thread keeps in a slot.
  init(_ threads: ThreadStorage, slot: Int) {
    _threads = threads
    _slot = slot
  }

  deinit { kept.load(ordering: .acquiring)?.release() }

  /// Lends a target from now on, to all threads, until it is recalled; keeps it as long as the
  /// lender lives.
  ///
  /// - Precondition: Called once.
  func lend(_ target: Target) {
    let box = Unmanaged.passRetained(ObjectBox(target))
    kept.store(box, ordering: .releasing)
    _shared.store(box, ordering: .releasing)
  }

  /// Lends the target to no more calls.
  func recall() { _shared.store(nil, ordering: .releasing) }

  /// The target for a call that is made now, on this thread; nil when the source has to be asked.
  ///
  /// Benchmarks: `docs/performance.md`, K/proxy-plain, K/proxy-lazy and K/proxy-thread-local.
  @inlinable public var lent: LentTarget<Target>? {
    if let box = _shared.load(ordering: .acquiring) { return LentTarget(box, isCounted: false) }
    guard let box = _threads?.unretainedBox(in: _slot) else { return nil }
    return LentTarget(
      Unmanaged<ObjectBox<Target>>.fromOpaque(box.toOpaque()), isCounted: true)
  }
}

/// A target on loan for one call, made at once and on the thread that asked for it.
@frozen public struct LentTarget<Target> {
  // Not retained. The lender keeps a target of all threads, and the caller keeps the proxy that
  // keeps the lender; a thread's target counts its calls, see `AnyObjectBox`.
  @usableFromInline let _box: Unmanaged<ObjectBox<Target>>
  @usableFromInline let _isCounted: Bool

  @inlinable init(_ box: Unmanaged<ObjectBox<Target>>, isCounted: Bool) {
    _box = box
    _isCounted = isCounted
  }

  /// Calls the target, which lives until `body` has returned, even if its scope ends meanwhile.
  ///
  /// - Parameters:
  ///   - owner: What keeps the lender: the proxy.
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
