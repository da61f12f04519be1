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
