public import OxbowContainer
public import OxbowContext
public import OxbowModel

// What `@Proxied` writes for `Repository`, in short, because this target builds without macros: a
// protocol that refines it can be `@Proxied`.

/// The forwarding side of `Repository`: each requirement has a default that asks the target.
nonisolated public protocol RepositoryForwarding<Entity>: Repository, CallForwarding {
  /// The type of the objects that requirements of `Repository` are forwarded to.
  typealias _TargetRepository = any Repository<Entity>

  /// Returns the object that requirements of `Repository` are forwarded to.
  func _targetRepository() throws -> any Repository<Entity>

  /// The same object on loan for one call; nil where `_targetRepository` is to be asked.
  var _borrowedRepository: BorrowedTarget<any Repository<Entity>>? { get }
}

extension RepositoryForwarding {
  /// Those of `Repository` that change something.
  public static var _unseenMethods: [String] { ["insert()", "delete(_:)", "save()"] }
}

/// Forwards to the object of `Repository` that its source supplies at each call.
nonisolated public final class RepositoryProxy<Entity: ManagedObject & ModelObject>:
  RepositoryForwarding, ForwardingProxy
{
  /// Where the target comes from.
  public let _source: any ProxySource<any Repository<Entity>>

  /// What is notified of each call.
  public let _callObserver: (any CallObserver)?

  /// Gives calls that no observer sees access to targets.
  public let _targetAccess: TargetAccess<any Repository<Entity>>?

  /// Creates a proxy for the objects of a source.
  public init(source: any ProxySource<any Repository<Entity>>) {
    _source = source
    _callObserver = source.callObserver
    _targetAccess = _callObserver == nil ? source.targetAccess : nil
  }

  /// Returns a proxy for one object, which all threads may use.
  public static func fixed(_ target: any Repository<Entity> & Sendable) -> RepositoryProxy {
    RepositoryProxy(source: FixedSource<any Repository<Entity>>.unchecked(target))
  }

  /// Returns a proxy for an object that the first call makes, for all threads.
  public static func lazy(
    _ make: @escaping @Sendable () throws -> any Repository<Entity> & Sendable
  ) -> RepositoryProxy {
    RepositoryProxy(source: LazySource<any Repository<Entity>>.unchecked { try make() })
  }

  /// Returns a proxy that notes its calls, for an object that the first of them makes.
  public static func recording(
    into recorder: CallRecorder,
    _ make: @escaping @Sendable () throws -> any Repository<Entity> & Sendable
  ) -> RepositoryProxy {
    RepositoryProxy(
      source: RecordingSource<any Repository<Entity>>.unchecked(into: recorder) { try make() })
  }

  /// Returns whether objects of a type can be targets.
  public static func accepts(_ type: any Any.Type) -> Bool {
    type is any Repository<Entity>.Type
  }

  /// Returns the object that the source supplies now.
  public func _targetRepository() throws -> any Repository<Entity> { try _source.target() }

  /// The target that a call made now may borrow, if the source keeps one.
  @inline(__always) public var _borrowedRepository: BorrowedTarget<any Repository<Entity>>? {
    _targetAccess?.borrowed
  }
}

nonisolated extension RepositoryForwarding {
  /// Nothing, unless a class says otherwise.
  public var _borrowedRepository: BorrowedTarget<_TargetRepository>? { nil }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func insert() throws -> Entity { try forward { try $0.insert() } }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func object(with id: ManagedObjectID) throws -> Entity {
    try forward([.of(id)]) { try $0.object(with: id) }
  }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func find(_ request: FetchRequest<Entity>) throws -> [Entity] {
    try forward([.of(request)]) { try $0.find(request) }
  }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func count(_ request: FetchRequest<Entity>) throws -> Int {
    try forward([.of(request)]) { try $0.count(request) }
  }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func stream(
    _ request: FetchRequest<Entity>, batchSize: Int
  ) throws -> FetchedObjects<Entity> {
    try forward([.of(request), .of(batchSize)]) {
      try $0.stream(request, batchSize: batchSize)
    }
  }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func slice(
    _ request: FetchRequest<Entity>, after token: PageToken?, limit: Int
  ) throws -> FetchedSlice<Entity> {
    try forward([.of(request), .of(token), .of(limit)]) {
      try $0.slice(request, after: token, limit: limit)
    }
  }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func delete(_ object: Entity) throws {
    try forward([.of(object)]) { try $0.delete(object) }
  }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func save() throws { try forward { try $0.save() } }

  /// Forwards to the target.
  @available(*, noasync, message: "use perform { context in … }")
  public func rollback() throws { try forward { try $0.rollback() } }

  /// Asks the target, which is on loan unless an observer has to hear of the call.
  @inline(__always)
  private func forward<R>(
    _ arguments: @autoclosure () -> [ForwardedArgument] = [], name: String = #function,
    _ call: (any Repository<Entity>) throws -> R
  ) throws -> R {
    if let _borrowed = _borrowedRepository { return try _borrowed.call(for: self, call) }
    _callObserver?.willCall(ForwardedCall(name, of: "Repository", .call, arguments()))
    return try call(_targetRepository())
  }
}
