/// Where a proxy gets the object to which it forwards a call.
///
/// Lazy, thread-local, task-local and recording proxies are one class with different sources. A source
/// is `Sendable` although its targets need not be: it decides which thread gets which target.
public protocol ProxySource<Target>: Sendable {
  /// What calls are forwarded to, as a rule `any P`.
  associatedtype Target

  /// The object for a call that is made now, on this thread and in this task.
  func target() throws -> Target

  /// Whether a call that is made now would find its target built.
  var isMaterialized: Bool { get }

  /// What is told of each call; asked once, when a proxy is made.
  var callObserver: (any CallObserver)? { get }

  /// What lends calls the same targets at a lower price; asked once, when a proxy is made.
  ///
  /// Sources of Oxbow that keep their targets have one. A source that hands on the targets of another
  /// can hand on its lender.
  var lender: TargetLender<Target>? { get }
}

extension ProxySource {
  /// True: a source that builds nothing has its target.
  public var isMaterialized: Bool { true }

  /// Nothing.
  public var callObserver: (any CallObserver)? { nil }

  /// Nothing: each call asks for its target.
  public var lender: TargetLender<Target>? { nil }
}
