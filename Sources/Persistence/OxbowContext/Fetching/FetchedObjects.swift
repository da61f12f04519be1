public import OxbowModel
internal import OxbowStore

/// The result of a fetch, as a collection that reads its objects in batches when they are used.
///
/// ```swift
/// let request = FetchRequest<Book>(sortedBy: [.ascending(\.title)])
/// let books = try context.fetch(request, batchSize: 50)
/// print(books.count, books[700].title)
/// ```
///
/// The fetch has decided which objects there are and in which order; the collection keeps only
/// their IDs. An element whose row is not in memory is read with its batch, in one statement, with
/// the relationships that the request prefetches. The context drops objects that nothing holds, and
/// the collection reads them again when they are used again; the two batches that were read last
/// stay.
///
/// The collection is stable: later inserts, changes and deletions change neither its count nor its
/// order. A deleted object keeps its place. If it was not read before, it is a fault that cannot be
/// read: its ``ManagedObject/faultError`` is `rowGone`, and its getters return stand-ins.
///
/// Every fault policy allows it to read a batch. A subscript cannot throw: if a batch cannot be
/// read, its objects are faults, and the next throwing call of the context throws the error. Use
/// ``load(_:)`` to read where an error can be handled.
public struct FetchedObjects<Object: ManagedObject>: RandomAccessCollection {
  private let context: ManagedObjectContext
  private let references: ContiguousArray<ObjectReference>
  private let prefetching: PrefetchTree
  private let recent = RecentBatches()

  /// How many objects are read at once.
  public let batchSize: Int

  init(
    _ references: ContiguousArray<ObjectReference>, of context: ManagedObjectContext,
    batchSize: Int, prefetching: PrefetchTree
  ) {
    self.references = references
    self.context = context
    self.batchSize = batchSize
    self.prefetching = prefetching
  }

  /// The place of the first object.
  public var startIndex: Int { 0 }

  /// The number of objects.
  public var endIndex: Int { references.count }

  /// The object at a place, read with its batch if necessary.
  public subscript(position: Int) -> Object {
    let reference = references[position]
    guard context.isOwned("reading a batch") else { return stray(reference) }
    if context.isUnread(reference) { readBatch(of: position) }
    return context.object(at: reference) as? Object ?? stray(reference)
  }

  /// The IDs of all objects, without reading them.
  public var objectIDs: [ManagedObjectID] { references.map { context.coordinator.id(of: $0) } }

  /// Reads the objects at these places that are not in memory, in one request.
  ///
  /// - Throws: ``PersistenceError``: why the store could not be read; `rowGone`, naming the objects
  ///   that were deleted, after all others were read.
  /// - Precondition: The places are in the collection.
  public func load(_ places: Range<Int>) throws(PersistenceError) {
    try context.begin("load")
    let gone = try read(places).filter(\.isGone)
    guard gone.isEmpty else { throw .rowGone(gone.map(\.objectID)) }
  }

  /// The objects at these places that still exist.
  func present(_ places: Range<Int>) throws(PersistenceError) -> [Object] {
    try context.begin("load")
    return try read(places).filter { !$0._state.contains(.fault) }.compactMap { $0 as? Object }
  }

  private func readBatch(of position: Int) {
    let start = position - position % batchSize
    do throws(PersistenceError) {
      recent.keep(
        try StatementRecord.planned { () throws(PersistenceError) in
          try read(start..<Swift.min(start + batchSize, endIndex))
        })
    } catch { context.faults.record(error) }
  }

  private func read(_ places: Range<Int>) throws(PersistenceError) -> [ManagedObject] {
    let references = references[places]
    if context.hasGrown { context.sweep() }
    try context.readFaults(references)
    let objects = references.map { context.object(at: $0) }
    try context.prefetch(objects.filter { !$0._state.contains(.fault) }, prefetching)
    return objects
  }

  /// An object that the context does not know, for a caller that must not change the context.
  private func stray(_ reference: ObjectReference) -> Object {
    // The fetch has checked that the classes of its entities are `Object` or below.
    unsafeDowncast(context.strayFault(reference), to: Object.self)
  }
}

/// The objects of the last batches, held so that a sweep does not drop them.
private final class RecentBatches {
  private var batches: [[ManagedObject]] = []

  func keep(_ batch: [ManagedObject]) {
    if batches.count > 1 { batches.removeFirst() }
    batches.append(batch)
  }
}

extension ManagedObject {
  fileprivate var isGone: Bool { _state.contains([.fault, .inaccessible]) }
}

extension ManagedObjectContext {
  /// Returns the objects that meet a request as a collection that reads them in batches.
  ///
  /// Unsaved changes count, as in ``fetch(_:)``. Nothing but the keys has been read.
  ///
  /// - Throws: ``PersistenceError`` as ``fetch(_:)``; `invalidPredicate` for a `batchSize` that is
  ///   not positive.
  /// - Complexity: One request to the store for the keys, and one for each batch that is read.
  public func fetch<T: ManagedObject>(
    _ request: FetchRequest<T>, batchSize: Int
  ) throws(PersistenceError) -> FetchedObjects<T> {
    try PersistenceError.require("batchSize", batchSize, atLeast: 1)
    try begin("fetch")
    let fetch = try storeFetch(request)
    let tree = try request.prefetching.tree()
    try check(tree, from: model.entities[fetch.entity])
    let references = try references(of: fetch, merges: request.includesPendingChanges)
    return FetchedObjects(references, of: self, batchSize: batchSize, prefetching: tree)
  }

  /// The objects that a fetch finds, without their rows if possible.
  private func references(
    of fetch: StoreFetch, merges: Bool
  ) throws(PersistenceError) -> ContiguousArray<ObjectReference> {
    statistics.fetches += 1
    guard merges, try isDisturbed(fetch) else {
      var references: ContiguousArray<ObjectReference> = []
      for slab in try store.keys(of: fetch) {
        references.reserveCapacity(references.count + slab.count)
        for row in 0..<slab.count { references.append(slab.reference(at: row)) }
      }
      return references
    }
    return ContiguousArray(try mergedObjects(fetch).lazy.map(\.reference))
  }

  /// A fault that is not one of the context's objects.
  fileprivate func strayFault(_ reference: ObjectReference) -> ManagedObject {
    let slab = RowSlab(referencesOf: model, capacity: 1)
    slab._owner = token
    slab.append(reference)
    return identity.types[reference.entity].init(_slab: slab, row: 0, state: .fault)
  }
}
