public import OxbowFoundation
public import OxbowModel

/// A request for managed objects that meet a condition.
///
/// A request is a value: changing a copy never affects a fetch already running. The context adds
/// its unsaved changes to what the store returns, so a result can differ from the rows on disk.
///
/// - Complexity: One request to the store.
public struct FetchRequest<Result: ManagedObject>: Sendable {
  /// The name of the entity, or `nil` for that of `Result`.
  public var entityName: String?

  /// The condition, or `nil` for all objects.
  public var predicate: FetchPredicate?

  /// The order.
  ///
  /// Without keys, objects come in the order of their object keys if there is a limit or an offset,
  /// and otherwise in any order.
  public var sortKeys: [SortKey<Result>]

  /// The largest number of objects to return, or `nil`; a fetch refuses a negative one.
  public var limit: Int?

  /// The number of objects to skip; a fetch refuses a negative one.
  public var offset: Int

  /// The relationships that are read ahead for the objects that are found.
  public var prefetching = PrefetchPaths<Result>()

  /// Whether objects of entities below the entity are included.
  public var includesSubentities = true

  /// Whether unsaved changes decide which objects are found, and in which order.
  ///
  /// Otherwise the store decides; the objects found have their unsaved values.
  public var includesPendingChanges = true

  /// Whether the rows of the objects are read with them.
  ///
  /// Otherwise `fetch` returns faults for the objects that the context has not met, made of their
  /// keys alone; the first access reads the rows of all objects that were found with it, and is an
  /// unplanned read to ``ManagedObjectContext/faultPolicy``. For programs that link objects, or
  /// look at few. If unsaved changes decide, and in batches, streams and ``FetchedResults``, rows
  /// are always read.
  public var includesPropertyValues = true

  /// Creates a request.
  public init(
    entityNamed entityName: String? = nil, where predicate: FetchPredicate? = nil,
    sortedBy sortKeys: [SortKey<Result>] = [], limit: Int? = nil, offset: Int = 0,
    prefetching: PrefetchPaths<Result> = PrefetchPaths()
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortKeys = sortKeys
    self.limit = limit
    self.offset = offset
    self.prefetching = prefetching
  }
}

extension FetchRequest where Result: ModelObject {
  /// Creates a request for the objects that meet a `#Predicate`.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` or `unsupported`, naming the part
  ///   that a store cannot answer.
  public init(
    where predicate: Predicate<Result>, sortedBy sortKeys: [SortKey<Result>] = [],
    limit: Int? = nil, offset: Int = 0, prefetching: PrefetchPaths<Result> = PrefetchPaths()
  ) throws(PersistenceError) {
    self.init(
      where: try FetchPredicate(predicate), sortedBy: sortKeys, limit: limit, offset: offset,
      prefetching: prefetching)
  }
}
