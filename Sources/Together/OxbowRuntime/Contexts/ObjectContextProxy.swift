public import OxbowContainer
public import OxbowContext

// The expansion of `@Proxied` for `ObjectContext`, by hand, because this target builds without
// macros. But an observer sees the verb of the context that is called, not the requirement.

/// The forwarding side of `ObjectContext`: every requirement has a default that asks the target.
nonisolated public protocol ObjectContextForwarding: ObjectContext, CallForwarding {
  /// The type of the objects that requirements of `ObjectContext` are forwarded to.
  typealias _TargetObjectContext = any ObjectContext

  /// Returns the object that requirements of `ObjectContext` are forwarded to.
  func _targetObjectContext() throws -> any ObjectContext

  /// The same object on loan for one call; nil where `_targetObjectContext` is to be asked.
  var _borrowedObjectContext: BorrowedTarget<any ObjectContext>? { get }
}

/// A context for each caller: each thread, or each task to which one is bound, has its own.
///
/// A proxy is `Sendable` and can be stored in a repository that threads share. On a thread it
/// forwards to the thread's context, which is made with the first call and released when the thread
/// or its scope of work ends. Inside a task it forwards to the context that ``TaskContext`` has
/// bound, and throws `insideTask` when there is none.
nonisolated public final class ObjectContextProxy: ObjectContextForwarding, ForwardingProxy {
  /// Where the target comes from.
  public let _source: any ProxySource<any ObjectContext>

  /// What is notified of each call.
  public let _callObserver: (any CallObserver)?

  /// Gives calls that no observer sees access to targets.
  public let _targetAccess: TargetAccess<any ObjectContext>?

  /// Creates a proxy for the objects of a source.
  public init(source: any ProxySource<any ObjectContext>) {
    _source = source
    _callObserver = source.callObserver
    _targetAccess = _callObserver == nil ? source.targetAccess : nil
  }

  /// Returns a proxy for one object, which all threads may use.
  public static func fixed(_ target: any ObjectContext & Sendable) -> ObjectContextProxy {
    ObjectContextProxy(source: FixedSource<any ObjectContext>.unchecked(target))
  }

  /// Returns a proxy for an object that the first call makes, for all threads.
  public static func lazy(
    _ make: @escaping @Sendable () throws -> any ObjectContext & Sendable
  ) -> ObjectContextProxy {
    ObjectContextProxy(source: LazySource<any ObjectContext>.unchecked { try make() })
  }

  /// Returns a proxy that notes its calls, for an object that the first of them makes.
  public static func recording(
    into recorder: CallRecorder,
    _ make: @escaping @Sendable () throws -> any ObjectContext & Sendable
  ) -> ObjectContextProxy {
    ObjectContextProxy(
      source: RecordingSource<any ObjectContext>.unchecked(into: recorder) { try make() })
  }

  /// Returns whether objects of a type can be targets.
  public static func accepts(_ type: any Any.Type) -> Bool { type is any ObjectContext.Type }

  /// Returns the object that the source supplies now.
  public func _targetObjectContext() throws -> any ObjectContext { try _source.target() }

  /// The target that a call made now may borrow, if the source keeps one.
  @inline(__always) public var _borrowedObjectContext: BorrowedTarget<any ObjectContext>? {
    _targetAccess?.borrowed
  }

  #if objectFormat(MachO)
    @section("__DATA_CONST,__oxbow") @used
  #elseif objectFormat(ELF)
    @section("oxbow_components") @used
  #endif
  nonisolated private static let _componentRecord: ComponentRecord = (
    version: 1,
    describe: {
      $0.assumingMemoryBound(to: RegistryEntry.self).initialize(
        to: .proxy(ProxyDescriptor(ObjectContextProxy.self, name: "ObjectContext")))
    }
  )
}

nonisolated extension ObjectContextForwarding {
  /// Nothing, unless a class says otherwise.
  public var _borrowedObjectContext: BorrowedTarget<_TargetObjectContext>? { nil }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func withContext<R>(
    _ call: @autoclosure () -> ContextCall, _ body: (ManagedObjectContext) throws -> R
  ) throws -> R {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.withContext(call(), body) }
    }
    _callObserver?.willCall(ForwardedCall(call()))
    return try _targetObjectContext().withContext(call(), body)
  }
}
