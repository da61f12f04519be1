public import OxbowContainer
public import OxbowContext
public import OxbowModel
internal import OxbowStore

// What `@Proxied` writes for `ObjectContext`, by hand, because this target builds without macros.

/// What a proxy of ``ObjectContext`` forwards through.
public protocol ObjectContextForwarding: AnyObject {
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

  /// Creates a proxy that asks `source` for a context with each call.
  public init(source: any ProxySource<any ObjectContext>) { _source = source }

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
    try _targetObjectContext().insert(type)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func insert(entityNamed name: String) throws -> ManagedObject {
    try _targetObjectContext().insert(entityNamed: name)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func delete(_ object: ManagedObject) throws { try _targetObjectContext().delete(object) }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [T] {
    try _targetObjectContext().fetch(request)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func count<T: ManagedObject>(_ request: FetchRequest<T>) throws -> Int {
    try _targetObjectContext().count(request)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetchIDs<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [ManagedObjectID] {
    try _targetObjectContext().fetchIDs(request)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func object(with id: ManagedObjectID) throws -> ManagedObject {
    try _targetObjectContext().object(with: id)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func existingObject<T: ManagedObject>(with id: ManagedObjectID, as type: T.Type) throws
    -> T
  {
    try _targetObjectContext().existingObject(with: id, as: type)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func load(_ objects: [ManagedObject]) throws { try _targetObjectContext().load(objects) }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func load(_ relationship: String, of objects: [ManagedObject]) throws {
    try _targetObjectContext().load(relationship, of: objects)
  }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func refresh(_ object: ManagedObject) throws { try _targetObjectContext().refresh(object) }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func save() throws { try _targetObjectContext().save() }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func rollback() throws { try _targetObjectContext().rollback() }

  /// Forwards to the caller's context.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func reset() throws { try _targetObjectContext().reset() }

  /// Whether the caller's context has something to save.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public var hasChanges: Bool { get throws { try _targetObjectContext().hasChanges } }

  /// What the caller's context did.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public var statistics: ContextStatistics { get throws { try _targetObjectContext().statistics } }
}
