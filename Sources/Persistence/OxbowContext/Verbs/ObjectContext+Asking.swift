public import OxbowFoundation
public import OxbowModel

// Short forms of the most common calls. A proxy needs nothing for them: they use
// `withContext(_:_:)`.

extension ObjectContext {
  /// Returns the objects of a class that meet a `#Predicate`, unsaved changes included.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetch<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>, sortedBy sortKeys: [SortKey<T>] = [],
    limit: Int? = nil, offset: Int = 0,
    prefetching: PrefetchPaths<T> = PrefetchPaths()
  ) throws -> [T] {
    try fetch(
      FetchRequest(
        where: predicate, sortedBy: sortKeys, limit: limit, offset: offset,
        prefetching: prefetching))
  }

  /// Returns the objects of a class that meet a condition, or all of them, unsaved changes
  /// included.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetch<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil,
    sortedBy sortKeys: [SortKey<T>] = [], limit: Int? = nil, offset: Int = 0,
    prefetching: PrefetchPaths<T> = PrefetchPaths()
  ) throws -> [T] {
    try fetch(
      FetchRequest(
        where: predicate, sortedBy: sortKeys, limit: limit, offset: offset,
        prefetching: prefetching))
  }

  /// Returns the IDs of the objects of a class that meet a `#Predicate`, unsaved changes included.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetchIDs<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>, sortedBy sortKeys: [SortKey<T>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws -> [ManagedObjectID] {
    try fetchIDs(
      FetchRequest(where: predicate, sortedBy: sortKeys, limit: limit, offset: offset))
  }

  /// Returns the IDs of the objects of a class that meet a condition, or of all, unsaved changes
  /// included.
  @available(*, noasync, message: "use perform { context in … }")
  public func fetchIDs<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil,
    sortedBy sortKeys: [SortKey<T>] = [], limit: Int? = nil, offset: Int = 0
  ) throws -> [ManagedObjectID] {
    try fetchIDs(
      FetchRequest(where: predicate, sortedBy: sortKeys, limit: limit, offset: offset))
  }

  /// Returns the number of objects of a class that meet a `#Predicate`, unsaved changes included.
  @available(*, noasync, message: "use perform { context in … }")
  public func count<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>
  ) throws -> Int { try count(FetchRequest(where: predicate)) }

  /// Returns the number of objects of a class that meet a condition, or of all, unsaved changes
  /// included.
  @available(*, noasync, message: "use perform { context in … }")
  public func count<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil
  ) throws -> Int { try count(FetchRequest<T>(where: predicate)) }

  /// Makes a new object of a class's entity and fills it in; if that fails, there is no new object.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func insert<T: ManagedObject>(
    _ type: T.Type = T.self, filling fill: (T) throws -> Void
  ) throws -> T { try filled(insert(type), by: fill) }
}
