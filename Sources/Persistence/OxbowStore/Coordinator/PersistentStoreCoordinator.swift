package import Logging
public import OxbowFoundation
public import OxbowModel
package import OxbowPlatform

/// The connection between contexts and their store.
///
/// A coordinator is shared by all contexts that work on a store, from any thread. `OxbowSQLite`
/// makes coordinators for stores in files and in memory.
public final class PersistentStoreCoordinator: Sendable {
  /// The model and the classes that the store was opened with.
  public let model: CompiledModel

  package let store: any PersistentStore

  /// Where asynchronous callers work on the store.
  package let workThreads: WorkThreads

  /// Whether these threads are of other coordinators as well, and do not end with this one.
  private let sharesThreads: Bool

  /// The common parts of the IDs of each entity's objects.
  let origins: ContiguousArray<ManagedObjectID.Origin>

  /// For each root entity, the keys that were reserved and not yet used.
  private let keys: Lock<[KeyBlock]>

  /// Held while keys are reserved, which waits for the store.
  private let reservations = FairLock()

  /// The destination of reports without a handler; standard error if `nil`.
  package let logger: Logger?

  private let reports = Lock<(@Sendable (String) -> Void)?>(nil)

  /// The actions before the store is closed, by name.
  private let closing = Lock<[String: @Sendable (PersistentStoreCoordinator) -> Void]>([:])

  let subscribers: SaveSubscribers

  /// What posts the saves of others, for each store that follows other processes, in the order of
  /// the stores.
  let followers: [SaveFollower]

  /// Objects that all contexts share, by type.
  private let shared = Lock<[ObjectIdentifier: any AnyObject & Sendable]>([:])

  /// Creates a coordinator for an open store, with threads of its own unless some are given.
  package init(
    store: any PersistentStore, logger: Logger? = nil, threads: WorkThreads? = nil
  ) {
    self.store = store
    self.logger = logger
    model = store.model
    workThreads = threads ?? WorkThreads(limit: store.workThreads)
    sharesThreads = threads != nil
    let followers = store.followedHistories.map(SaveFollower.init)
    self.followers = followers
    subscribers = SaveSubscribers { subscribers in
      for follower in followers { follower.endUnlessNeeded(subscribers) }
    }
    origins = ContiguousArray(
      store.model.entities.map { entity in
        ManagedObjectID.Origin(
          store: store.identifier(of: entity.index),
          rootEntityName: store.model.entities[entity.root].name,
          entityName: entity.name, entityIndex: entity.index)
      })
    keys = Lock(Array(repeating: KeyBlock(), count: store.model.entities.count))
  }

  /// The identifier of the store, made with the store; of several stores, the first one's.
  public var storeIdentifier: UUID { store.identifier }

  /// What the store has done since it was opened; of several stores, the sum.
  public var statistics: StoreStatistics { store.statistics }

  /// The identifier of the store that keeps an entity.
  ///
  /// - Throws: ``PersistenceError`` with code `unknownEntity`.
  public func storeIdentifier(ofEntityNamed name: String) throws(PersistenceError) -> UUID {
    store.identifier(of: try model.requireEntity(named: name).index)
  }

  /// Returns a new key for an object of `entity`'s hierarchy.
  ///
  /// - Throws: ``PersistenceError`` if a block of keys cannot be reserved: the store is read-only,
  ///   locked, full or closed.
  /// - Complexity: O(1); one short write to the store for each block of keys.
  package func makeKey(for entity: CompiledEntity) throws(PersistenceError) -> Int64 {
    if let key = takeKey(entity.root) { return key }
    return try reservations.withLock { () throws(PersistenceError) -> Int64 in
      if let key = takeKey(entity.root) { return key }
      var block = try reserve(after: keys.withLock { $0[entity.root] }, root: entity.root)
      // Taken before others see the block: they might leave nothing of it.
      let key = block.range.removeFirst()
      block.used += 1
      keys.withLock { $0[entity.root] = block }
      return key
    }
  }

  private func takeKey(_ root: Int) -> Int64? {
    keys.withLock { blocks in
      guard let key = blocks[root].range.popFirst() else { return nil }
      blocks[root].used += 1
      return key
    }
  }

  /// Leaves the rest of the reserved keys alone, where the store wants it so: the next blocks are
  /// as large as those of the save before.
  package func forgetReservedKeys() {
    keys.withLock { blocks in
      for index in blocks.indices { blocks[index] = KeyBlock(after: blocks[index]) }
    }
  }

  private func reserve(after block: KeyBlock, root: Int) throws(PersistenceError) -> KeyBlock {
    var block = block
    if !store.keepsReservedKeys, block.used == 0 { block.nextSize = block.usual }
    block.range = try store.reserveKeys(root: root, count: block.nextSize)
    block.nextSize = min(2 * block.nextSize, KeyBlock.largest)
    return block
  }

  package func id(of reference: ObjectReference) -> ManagedObjectID {
    ManagedObjectID(origins[reference.entity], key: reference.key)
  }

  /// Returns the IDs of the rows of slabs, in one loop (docs/performance.md, M/IDs).
  package func ids(of slabs: [RowSlab]) -> [ManagedObjectID] {
    let origins = origins
    let total = slabs.reduce(0) { $0 + $1.count }
    // All threads share the memory of empty arrays, which would be written.
    guard total > 0 else { return [] }
    return Array(unsafeUninitializedCapacity: total) { ids, count in
      for slab in slabs {
        for row in 0..<slab.count {
          let origin = origins[slab._entity(row)]
          ids.initializeElement(at: count, to: ManagedObjectID(origin, key: slab._key(row)))
          count += 1
        }
      }
    }
  }

  /// Returns the object that `id` names in this store.
  ///
  /// - Throws: ``PersistenceError`` with code `foreignObject` for another store's ID, and
  ///   `unknownEntity` for an entity that the model does not have.
  package func reference(for id: ManagedObjectID) throws(PersistenceError) -> ObjectReference {
    // An ID that this coordinator has made needs no comparison of names.
    if let entity = id.entityIndex, origins.indices.contains(entity),
      id.comes(from: origins[entity])
    {
      return ObjectReference(entity: entity, key: id.key)
    }
    let known = model.entity(named: id.entityName)
    let identifier = known.map { store.identifier(of: $0.index) } ?? store.identifier
    guard id.store == identifier else {
      throw PersistenceError(
        .foreignObject,
        "the object '\(id)' belongs to another store; this one is \(identifier)",
        objectIDs: [id])
    }
    let entity = try model.requireEntity(named: id.entityName)
    let root = model.entities[entity.root].name
    guard id.rootEntityName == root || id.rootEntityName.isEmpty else {
      throw PersistenceError(
        .unknownEntity,
        "the ID '\(id)' says that '\(id.entityName)' is below '\(id.rootEntityName)', and in the model "
          + "it is below '\(root)'; use the ID as the object gave it", objectIDs: [id])
    }
    return ObjectReference(entity: entity.index, key: id.key)
  }

  /// Sends the reports of contexts to `handler` instead of the store's logger.
  ///
  /// Contexts report uses off their owner, unplanned faults if the policy is `log`, and work that a
  /// thread left unsaved. `nil` restores the logger that the store was opened with, or standard
  /// error if there is none.
  ///
  /// The context's next throwing call also throws a use off the owner, so nothing depends on a
  /// handler. It is called on the thread where the use happened.
  public func sendReports(to handler: (@Sendable (String) -> Void)?) {
    reports.withLock { $0 = handler }
  }

  package func report(_ text: String) {
    if let handler = reports.withLock({ $0 }) { return handler(text) }
    if let logger { return logger.warning("\(text)") }
    writeToStandardError("oxbow: \(text)")
  }

  /// Runs `action` when the coordinator is closed, before the store is; an earlier action of the
  /// same `name` is replaced.
  package func onClose(
    _ name: String, _ action: @escaping @Sendable (PersistentStoreCoordinator) -> Void
  ) {
    closing.withLock { $0[name] = action }
  }

  /// Returns the shared object of a type, made by the first call.
  package func shared<T: AnyObject & Sendable>(_ make: () -> T) -> T {
    shared.withLock { known in
      if let value = known[ObjectIdentifier(T.self)] as? T { return value }
      let value = make()
      known[ObjectIdentifier(T.self)] = value
      return value
    }
  }

  /// Closes the store.
  ///
  /// Calls in progress end first; later ones throw `storeClosed`, and sequences of saves end.
  public func close() {
    let actions = closing.withLock { actions in
      defer { actions = [:] }
      return actions
    }
    for action in actions.values { action(self) }
    store.close()
    subscribers.end()
    if !sharesThreads { workThreads.shutDown() }
  }
}

extension PersistentStoreCoordinator {
  /// Runs a unit of work for an asynchronous caller, on a thread that may wait.
  ///
  /// - Throws: What `body` throws; `CancellationError` if the task is cancelled before it begins.
  ///   Later cancellation stops what it reads, up to its first save.
  @concurrent package func unitOfWork<R: Sendable>(
    _ body: @Sendable () async throws -> R
  ) async throws -> R {
    let cancellation = ReadCancellation()
    return try await withTaskCancellationHandler {
      try await workThreads.run {
        try Task.checkCancellation()
        // A task that the body has begun inherits it, and goes on when the body has ended.
        defer { cancellation.shield() }
        return try await ReadCancellation.$current.withValue(cancellation, operation: body)
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Runs `body` where the caller is; what of it, and of its child tasks, is not on an actor with
  /// an executor of its own runs on threads that may wait.
  package nonisolated(nonsending) func preferringWorkThreads<R>(
    _ body: nonisolated(nonsending) () async throws -> R
  ) async throws -> R { try await workThreads.preferred(body) }
}

private struct KeyBlock {
  var range: Range<Int64> = 0..<0

  /// The size of the next block: sizes double, so that a large import reserves seldom.
  var nextSize = 64

  static let largest = 65_536

  /// How many keys were used since the last save, and by the one before.
  var used = 0
  var usual = 1

  init() {}

  /// The block for the time after a save.
  init(after block: KeyBlock) {
    usual = block.used > 0 ? min(block.used, Self.largest) : block.usual
  }
}

extension Range where Bound == Int64 {
  fileprivate mutating func popFirst() -> Int64? {
    guard !isEmpty else { return nil }
    defer { self = lowerBound + 1..<upperBound }
    return lowerBound
  }
}
