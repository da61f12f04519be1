/// Where a proxy gets the object to which it forwards a call.
///
/// Lazy, thread-local, task-local and recording proxies are one class with different sources. A
/// source is `Sendable` although its targets need not be: it decides which thread gets which
/// target.
public protocol ProxySource<Target>: Sendable {
  /// What calls are forwarded to, as a rule `any P`.
  associatedtype Target

  /// The object for a call that is made now, on this thread and in this task.
  func target() throws -> Target

  /// Whether a call that is made now would find its target built.
  var isMaterialized: Bool { get }

  /// The observer of each call; asked for once, when a proxy is made.
  var callObserver: (any CallObserver)? { get }

  /// How calls borrow the same targets at a lower price; asked once, when a proxy is made.
  ///
  /// Sources of Oxbow that keep their targets have an access. A source that hands on the targets of
  /// another can hand on its access.
  var targetAccess: TargetAccess<Target>? { get }

  /// The aspects of methods; asked for once, when a proxy is made.
  var aspects: AspectTable? { get }
}

extension ProxySource {
  /// True: a source that builds nothing has its target.
  public var isMaterialized: Bool { true }

  /// None.
  public var callObserver: (any CallObserver)? { nil }

  /// None: each call asks for its target.
  public var targetAccess: TargetAccess<Target>? { nil }

  /// None.
  public var aspects: AspectTable? { nil }
}

/// The source of a proxy whose target exists from the beginning and never changes.
///
/// All threads use the one target, so its class must be `Sendable` even where its protocol is not:
/// `PProxy.fixed(_:)`, which `@Proxied` writes, asks for that.
public struct FixedSource<Target>: ProxySource {
  /// How calls borrow the target.
  public let targetAccess: TargetAccess<Target>?

  /// The aspects of methods: those that the container has given.
  public let aspects: AspectTable?

  // Sendable by argument: the target is, or who called `unchecked` answers for it.
  private nonisolated(unsafe) let stored: Target

  /// Creates a source of one target.
  public init(_ target: Target) where Target: Sendable { self.init(answeredFor: target) }

  /// Returns a source of one target that the compiler does not know to be `Sendable`.
  ///
  /// It must be, or one thread makes all calls.
  public static func unchecked(_ target: Target) -> FixedSource { FixedSource(answeredFor: target) }

  /// Creates a source of a target for which the caller answers.
  init(answeredFor target: Target, _ aspects: AspectTable? = nil) {
    self.aspects = aspects
    let access = TargetAccess<Target>()
    access.open(to: target)
    targetAccess = access
    stored = target
  }

  /// The target.
  public func target() throws -> Target { stored }
}

/// The source of a proxy whose target is bound to the current task.
///
/// ```swift
/// enum Current { @TaskLocal static var session: (any Session & Sendable)? }
/// let session = SessionProxy(source: TaskLocalSource("session") { Current.session })
/// ```
public struct TaskLocalSource<Target>: ProxySource {
  private let isBound: @Sendable () -> Bool
  private let find: @Sendable () throws -> Target

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - name: What is bound, for messages.
  ///   - bound: Reads the task-local value.
  public init(_ name: String, bound: @escaping @Sendable () -> Target?) {
    self.init(isMaterialized: { bound() != nil }) {
      if let target = bound() { return target }
      throw ContainerError(.unboundTask(name), task: "call \"\(name)\"")
    }
  }

  /// Creates a source of the container's object for the calling task's scope.
  init(
    isMaterialized: @escaping @Sendable () -> Bool, target: @escaping @Sendable () throws -> Target
  ) {
    isBound = isMaterialized
    find = target
  }

  /// Whether the task has its target.
  public var isMaterialized: Bool { isBound() }

  /// The target that is bound to the current task.
  ///
  /// - Throws: `unboundTask` when none is.
  public func target() throws -> Target { try find() }
}
