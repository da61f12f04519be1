public import OxbowContainer
public import OxbowContext
public import OxbowModel
internal import OxbowStore

// What `@Proxied` writes for `ObjectContext`, by hand, because this target builds without macros.

/// What a proxy of ``ObjectContext`` forwards through.
public protocol ObjectContextForwarding: AnyObject, CallForwarding {
  /// The type of what calls are forwarded to.
  typealias _TargetObjectContext = any ObjectContext

  /// The context for a call that is made now.
  func _targetObjectContext() throws -> any ObjectContext
}

/// A context for whoever calls: each thread, or each task to which one is bound, has its own.
///
/// A proxy is `Sendable` and can be stored in a repository that threads share. On a thread it forwards
/// to the thread's context, which is made with the first call and released when the thread or its
/// scope of work ends. Inside a task it forwards to the context that ``TaskContext`` has bound, and
/// throws `insideTask` when there is none.
public final class ObjectContextProxy: ObjectContextForwarding, ObjectContext, ForwardingProxy {
  /// Where the contexts come from.
  public let _source: any ProxySource<any ObjectContext>

  /// What is told of each call.
  public let _callObserver: (any CallObserver)?

  /// Creates a proxy that asks `source` for a context with each call.
  public init(source: any ProxySource<any ObjectContext>) {
    _source = source
    _callObserver = source.callObserver
  }

  /// Whether objects of a type are contexts.
  public static func accepts(_ type: any Any.Type) -> Bool { type is any ObjectContext.Type }

  /// The context for a call that is made now.
  public func _targetObjectContext() throws -> any ObjectContext { try _source.target() }

  /// Binds proxies to tasks, and reports work that a thread left unsaved.
  public static var threadLocalHooks: ThreadLocalHooks<any ObjectContext> {
    ThreadLocalHooks(
      bound: { TaskContext.current }, willUse: refuseTasks, willDrop: reportUnsavedWork)
  }

  #if objectFormat(MachO)
    @section("__DATA_CONST,__oxbow") @used
  #elseif objectFormat(ELF)
    @section("oxbow_components") @used
  #endif
  private static let _record: ComponentRecord = (
    version: 1,
    describe: {
      $0.assumingMemoryBound(to: RegistryEntry.self)
        .initialize(to: .proxy(ProxyDescriptor(ObjectContextProxy.self, name: "ObjectContext")))
    }
  )
}

/// A thread-bound context must not be met inside a task, which may go on on another thread.
@Sendable private func refuseTasks() throws {
  guard let task = ContextOwner.currentTask else { return }
  throw PersistenceError(
    .insideTask,
    "a thread's context was asked for inside \(task), which has none of its own; do the work inside "
      + "`perform { context in … }`, bind a context with `TaskContext.perform`, or use the trait "
      + "`.objectContext` in a test")
}

@Sendable private func reportUnsavedWork(_ context: any ObjectContext) {
  guard let context = context as? ManagedObjectContext, context.unsavedCount > 0 else { return }
  context.coordinator.report(
    "the context '\(context.name)' ended with \(context.unsavedCount) unsaved objects; "
      + "call save() or rollback() before its thread or scope ends")
}

extension ObjectContext where Self: ObjectContextForwarding {
  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func insert<T: ManagedObject>(_ type: T.Type) throws -> T {
    _callObserver?.willCall(ForwardedCall("insert(_:)", of: "ObjectContext", .call, [.of(type)]))
    return try _targetObjectContext().insert(type)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func insert(entityNamed name: String) throws -> ManagedObject {
    _callObserver?.willCall(
      ForwardedCall("insert(entityNamed:)", of: "ObjectContext", .call, [.of(name)]))
    return try _targetObjectContext().insert(entityNamed: name)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func delete(_ object: ManagedObject) throws {
    _callObserver?.willCall(ForwardedCall("delete(_:)", of: "ObjectContext", .call, [.of(object)]))
    try _targetObjectContext().delete(object)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [T] {
    _callObserver?.willCall(ForwardedCall("fetch(_:)", of: "ObjectContext", .call, [.of(request)]))
    return try _targetObjectContext().fetch(request)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func count<T: ManagedObject>(_ request: FetchRequest<T>) throws -> Int {
    _callObserver?.willCall(ForwardedCall("count(_:)", of: "ObjectContext", .call, [.of(request)]))
    return try _targetObjectContext().count(request)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetchIDs<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [ManagedObjectID] {
    _callObserver?.willCall(
      ForwardedCall("fetchIDs(_:)", of: "ObjectContext", .call, [.of(request)]))
    return try _targetObjectContext().fetchIDs(request)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func object(with id: ManagedObjectID) throws -> ManagedObject {
    _callObserver?.willCall(ForwardedCall("object(with:)", of: "ObjectContext", .call, [.of(id)]))
    return try _targetObjectContext().object(with: id)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func existingObject<T: ManagedObject>(with id: ManagedObjectID, as type: T.Type) throws
    -> T
  {
    _callObserver?.willCall(
      ForwardedCall("existingObject(with:as:)", of: "ObjectContext", .call, [.of(id), .of(type)]))
    return try _targetObjectContext().existingObject(with: id, as: type)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func load(_ objects: [ManagedObject]) throws {
    _callObserver?.willCall(ForwardedCall("load(_:)", of: "ObjectContext", .call, [.of(objects)]))
    try _targetObjectContext().load(objects)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func load(_ relationship: String, of objects: [ManagedObject]) throws {
    _callObserver?.willCall(
      ForwardedCall("load(_:of:)", of: "ObjectContext", .call, [.of(relationship), .of(objects)]))
    try _targetObjectContext().load(relationship, of: objects)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func refresh(_ object: ManagedObject) throws {
    _callObserver?.willCall(ForwardedCall("refresh(_:)", of: "ObjectContext", .call, [.of(object)]))
    try _targetObjectContext().refresh(object)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func save() throws {
    _callObserver?.willCall(ForwardedCall("save()", of: "ObjectContext", .call))
    try _targetObjectContext().save()
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func rollback() throws {
    _callObserver?.willCall(ForwardedCall("rollback()", of: "ObjectContext", .call))
    try _targetObjectContext().rollback()
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func reset() throws {
    _callObserver?.willCall(ForwardedCall("reset()", of: "ObjectContext", .call))
    try _targetObjectContext().reset()
  }

  /// Whether the caller's context has something to save.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public var hasChanges: Bool {
    get throws {
      _callObserver?.willCall(ForwardedCall("hasChanges", of: "ObjectContext", .read))
      return try _targetObjectContext().hasChanges
    }
  }

  /// What the caller's context did.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public var statistics: ContextStatistics {
    get throws {
      _callObserver?.willCall(ForwardedCall("statistics", of: "ObjectContext", .read))
      return try _targetObjectContext().statistics
    }
  }
}
