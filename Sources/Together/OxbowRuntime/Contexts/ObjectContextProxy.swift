public import OxbowContainer
public import OxbowContext
public import OxbowModel
public import OxbowStore

// What `@Proxied` writes for `ObjectContext`, by hand, because this target builds without macros.

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
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func insert<T: ManagedObject>(_ type: T.Type) throws -> T {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.insert(type) }
    }
    _callObserver?.willCall(ForwardedCall("insert(_:)", of: "ObjectContext", .call, [.of(type)]))
    return try _targetObjectContext().insert(type)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func insert(entityNamed name: String) throws -> ManagedObject {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.insert(entityNamed: name) }
    }
    _callObserver?.willCall(
      ForwardedCall("insert(entityNamed:)", of: "ObjectContext", .call, [.of(name)]))
    return try _targetObjectContext().insert(entityNamed: name)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func delete(_ object: ManagedObject) throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.delete(object) }
    }
    _callObserver?.willCall(ForwardedCall("delete(_:)", of: "ObjectContext", .call, [.of(object)]))
    return try _targetObjectContext().delete(object)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [T] {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.fetch(request) }
    }
    _callObserver?.willCall(ForwardedCall("fetch(_:)", of: "ObjectContext", .call, [.of(request)]))
    return try _targetObjectContext().fetch(request)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetch<T: ManagedObject>(
    _ request: FetchRequest<T>, batchSize: Int
  ) throws -> FetchedObjects<T> {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.fetch(request, batchSize: batchSize) }
    }
    _callObserver?.willCall(
      ForwardedCall(
        "fetch(_:batchSize:)", of: "ObjectContext", .call, [.of(request), .of(batchSize)]))
    return try _targetObjectContext().fetch(request, batchSize: batchSize)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func count<T: ManagedObject>(_ request: FetchRequest<T>) throws -> Int {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.count(request) }
    }
    _callObserver?.willCall(ForwardedCall("count(_:)", of: "ObjectContext", .call, [.of(request)]))
    return try _targetObjectContext().count(request)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetchIDs<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [ManagedObjectID] {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.fetchIDs(request) }
    }
    _callObserver?.willCall(
      ForwardedCall("fetchIDs(_:)", of: "ObjectContext", .call, [.of(request)]))
    return try _targetObjectContext().fetchIDs(request)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetchRows(_ request: RowRequest) throws -> [FetchedRow] {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.fetchRows(request) }
    }
    _callObserver?.willCall(
      ForwardedCall("fetchRows(_:)", of: "ObjectContext", .call, [.of(request)]))
    return try _targetObjectContext().fetchRows(request)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetchRows(sql: SQLText) throws -> [SQLRow] {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.fetchRows(sql: sql) }
    }
    _callObserver?.willCall(
      ForwardedCall("fetchRows(sql:)", of: "ObjectContext", .call, [.of(sql)]))
    return try _targetObjectContext().fetchRows(sql: sql)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func fetch<T: ManagedObject>(_ type: T.Type, sql: SQLText) throws -> [T] {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.fetch(type, sql: sql) }
    }
    _callObserver?.willCall(
      ForwardedCall("fetch(_:sql:)", of: "ObjectContext", .call, [.of(type), .of(sql)]))
    return try _targetObjectContext().fetch(type, sql: sql)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func object(with id: ManagedObjectID) throws -> ManagedObject {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.object(with: id) }
    }
    _callObserver?.willCall(ForwardedCall("object(with:)", of: "ObjectContext", .call, [.of(id)]))
    return try _targetObjectContext().object(with: id)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func existingObject<T: ManagedObject>(with id: ManagedObjectID, as type: T.Type) throws
    -> T
  {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.existingObject(with: id, as: type) }
    }
    _callObserver?.willCall(
      ForwardedCall("existingObject(with:as:)", of: "ObjectContext", .call, [.of(id), .of(type)]))
    return try _targetObjectContext().existingObject(with: id, as: type)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func load(_ objects: [ManagedObject]) throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.load(objects) }
    }
    _callObserver?.willCall(ForwardedCall("load(_:)", of: "ObjectContext", .call, [.of(objects)]))
    return try _targetObjectContext().load(objects)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func load(_ relationship: String, of objects: [ManagedObject]) throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.load(relationship, of: objects) }
    }
    _callObserver?.willCall(
      ForwardedCall("load(_:of:)", of: "ObjectContext", .call, [.of(relationship), .of(objects)]))
    return try _targetObjectContext().load(relationship, of: objects)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func refresh(_ object: ManagedObject) throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.refresh(object) }
    }
    _callObserver?.willCall(ForwardedCall("refresh(_:)", of: "ObjectContext", .call, [.of(object)]))
    return try _targetObjectContext().refresh(object)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func refresh(_ object: ManagedObject, mergingChanges: Bool) throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) {
        try $0.refresh(object, mergingChanges: mergingChanges)
      }
    }
    _callObserver?.willCall(
      ForwardedCall(
        "refresh(_:mergingChanges:)", of: "ObjectContext", .call,
        [.of(object), .of(mergingChanges)]))
    return try _targetObjectContext().refresh(object, mergingChanges: mergingChanges)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func save() throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.save() }
    }
    _callObserver?.willCall(ForwardedCall("save()", of: "ObjectContext", .call))
    return try _targetObjectContext().save()
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func rollback() throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.rollback() }
    }
    _callObserver?.willCall(ForwardedCall("rollback()", of: "ObjectContext", .call))
    return try _targetObjectContext().rollback()
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func reset() throws {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.reset() }
    }
    _callObserver?.willCall(ForwardedCall("reset()", of: "ObjectContext", .call))
    return try _targetObjectContext().reset()
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public var hasChanges: Bool {
    get throws {
      if let _borrowed = _borrowedObjectContext {
        return try _borrowed.call(for: self) { try $0.hasChanges }
      }
      _callObserver?.willCall(ForwardedCall("hasChanges", of: "ObjectContext", .read))
      return try _targetObjectContext().hasChanges
    }
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func withOwn<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    if let _borrowed = _borrowedObjectContext {
      return try _borrowed.call(for: self) { try $0.withOwn(body) }
    }
    _callObserver?.willCall(
      ForwardedCall("withOwn(_:)", of: "ObjectContext", .call, [.unseen("function")]))
    return try _targetObjectContext().withOwn(body)
  }

  /// Forwards to the target.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public var statistics: ContextStatistics {
    get throws {
      if let _borrowed = _borrowedObjectContext {
        return try _borrowed.call(for: self) { try $0.statistics }
      }
      _callObserver?.willCall(ForwardedCall("statistics", of: "ObjectContext", .read))
      return try _targetObjectContext().statistics
    }
  }
}
