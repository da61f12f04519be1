/// The source of a thread-local proxy: each thread has its own target, built by its first call.
///
/// A target is released when its thread ends or the scope of work in which it was built
/// (`Container.withThreadScope`, ``scope(_:)``). It never runs on another thread, so it need not be
/// `Sendable`.
///
/// Tasks wander between threads, so a target that a task left behind would be found by another one.
/// ``ThreadLocalHooks`` is where an owner refuses tasks or binds a target to them.
public final class ThreadLocalSource<Target>: ProxySource {
  private let threads: ThreadStorage
  private let slot: Int
  private let name: String
  private let hooks: ThreadLocalHooks<Target>
  private let make: @Sendable (Belongings) throws -> Target
  /// Where the container's objects end, if a container made the source.
  private let container: WeakContainerReference?
  /// Whether a hook looks at every call.
  private let isWatched: Bool

  /// How calls borrow a thread's target, once it is built; nil where a hook looks at every call.
  public let targetAccess: TargetAccess<Target>?

  /// Creates a source of its own, outside any container.
  ///
  /// - Parameters:
  ///   - name: What is built, for messages.
  ///   - hooks: What to watch for.
  ///   - make: Builds the target of the thread that calls it.
  /// - Throws: `threadKeysExhausted` when the process has no thread-specific key left.
  public convenience init(
    _ name: String = "thread-local object", hooks: ThreadLocalHooks<Target> = ThreadLocalHooks(),
    _ make: @escaping @Sendable () throws -> Target
  ) throws {
    let threads = try ThreadStorage()
    self.init(name, in: threads, slot: threads.reserveSlot(), hooks: hooks) { _ in try make() }
  }

  package init(
    _ name: String, in threads: ThreadStorage, slot: Int, hooks: ThreadLocalHooks<Target>,
    endingBy container: WeakContainerReference? = nil,
    _ make: @escaping @Sendable (Belongings) throws -> Target
  ) {
    self.name = name
    self.threads = threads
    self.slot = slot
    self.hooks = hooks
    self.make = make
    self.container = container
    #if DEBUG
      isWatched = hooks.bound != nil || hooks.willUse != nil
    #else
      isWatched = hooks.bound != nil
    #endif
    targetAccess = isWatched ? nil : TargetAccess(threads, slot: slot)
  }

  /// Whether this thread has its target, or the task is bound to one.
  public var isMaterialized: Bool {
    hooks.bound?() != nil || threads.unretainedBox(in: slot) != nil
  }

  /// The target of the task, if one is bound, else that of the thread, built if it was not.
  public func target() throws -> Target {
    isWatched ? try watchedTarget() : try threadTarget()
  }

  private func watchedTarget() throws -> Target {
    if let bound = hooks.bound, let target = bound() { return target }
    #if DEBUG
      // In release builds only the first use on a thread is checked: asking for the task costs
      // three times as much as the rest of a call.
      try requireUse()
    #endif
    return try threadTarget()
  }

  private func requireUse() throws {
    if !ThreadStorage.isApart { try hooks.willUse?() }
  }

  private func threadTarget() throws -> Target {
    if let box = threads.unretainedBox(in: slot) {
      return box._withUnsafeGuaranteedRef {
        unsafeDowncast($0, to: ObjectBox<Target>.self).value
      }
    }
    return try build(in: threads.objects(for: name))
  }

  /// Runs `body` with no target for this thread, drops the one that it builds, and brings back the
  /// one before.
  ///
  /// For a container's proxies use `Container.withThreadScope`, which does the same for all of
  /// them.
  public func scope<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try threads.scope(of: slot, body)
  }

  /// Makes a target that no thread keeps, and a function that ends what was made with it.
  package func makeApart() throws -> (target: Target, end: () -> Void) {
    let belongings = Belongings()
    let target = try belongings.filled(by: make, endingBy: container)
    let end = container?.disposal(of: target, and: belongings.items, named: name, in: nil)
    return (target, { end?(target) })
  }

  private func build(in objects: LocalObjects) throws -> Target {
    try requireUse()
    let belongings = Belongings()
    let target = try objects.building(slot, name) {
      try belongings.filled(by: make, endingBy: container, in: objects)
    }
    objects[slot] = ObjectBox(
      target, beforeDrop: hooks.willDrop,
      disposal: container?.disposal(of: target, and: belongings.items, named: name, in: objects))
    return target
  }
}

/// What a thread-local source watches for.
public struct ThreadLocalHooks<Target>: Sendable {
  /// The target that is bound to the current task; asked on every call, so it must be quick.
  public var bound: (@Sendable () -> Target?)?

  /// Called before a thread's target is built, and before every use in debug builds; throws to
  /// refuse the use, inside a task for instance.
  public var willUse: (@Sendable () throws -> Void)?

  /// Called with a target that is about to be dropped, on the thread that ends the scope or, when
  /// the container ends before the thread, on the thread that releases the container.
  public var willDrop: (@Sendable (Target) -> Void)?

  /// Creates hooks, none by default.
  public init(
    bound: (@Sendable () -> Target?)? = nil, willUse: (@Sendable () throws -> Void)? = nil,
    willDrop: (@Sendable (Target) -> Void)? = nil
  ) {
    self.bound = bound
    self.willUse = willUse
    self.willDrop = willDrop
  }
}
