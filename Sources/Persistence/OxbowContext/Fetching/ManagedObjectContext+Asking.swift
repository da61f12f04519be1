public import OxbowFoundation
public import OxbowModel

// Fetches without a request of their own, for what most programs ask. They throw as the forms with
// a request do, and `unsupported` for a `#Predicate` that a store cannot answer.

extension ManagedObjectContext {
  /// Returns the objects of a class that meet a `#Predicate`, unsaved changes included.
  ///
  /// ```swift
  /// let old = try context.fetch(
  ///   Book.self, where: #Predicate { $0.year < 1900 },
  ///   sortedBy: [.ascending(\.author?.name)], limit: 20)
  /// ```
  ///
  /// - Throws: ``PersistenceError`` as ``fetch(_:)``, and `unsupported` for a condition that a
  ///   store cannot answer.
  public func fetch<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>, sortedBy sortKeys: [SortKey<T>] = [],
    limit: Int? = nil, offset: Int = 0,
    prefetching: PrefetchPaths<T> = PrefetchPaths()
  ) throws(PersistenceError) -> [T] {
    try fetch(
      FetchRequest(
        where: predicate, sortedBy: sortKeys, limit: limit, offset: offset,
        prefetching: prefetching))
  }

  /// Returns the objects of a class that meet a condition, or all, unsaved changes included.
  public func fetch<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil, sortedBy sortKeys: [SortKey<T>] = [],
    limit: Int? = nil, offset: Int = 0,
    prefetching: PrefetchPaths<T> = PrefetchPaths()
  ) throws(PersistenceError) -> [T] {
    try fetch(
      FetchRequest(
        where: predicate, sortedBy: sortKeys, limit: limit, offset: offset,
        prefetching: prefetching))
  }

  /// Returns the IDs of the objects of a class that meet a `#Predicate`, unsaved changes included.
  public func fetchIDs<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>, sortedBy sortKeys: [SortKey<T>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws(PersistenceError) -> [ManagedObjectID] {
    try fetchIDs(
      FetchRequest(where: predicate, sortedBy: sortKeys, limit: limit, offset: offset))
  }

  /// Returns the IDs of the objects of a class that meet a condition, or of all, unsaved changes
  /// included.
  public func fetchIDs<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil, sortedBy sortKeys: [SortKey<T>] = [],
    limit: Int? = nil, offset: Int = 0
  ) throws(PersistenceError) -> [ManagedObjectID] {
    try fetchIDs(
      FetchRequest(where: predicate, sortedBy: sortKeys, limit: limit, offset: offset))
  }

  /// Returns the number of objects of a class that meet a `#Predicate`, unsaved changes included.
  public func count<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: Predicate<T>
  ) throws(PersistenceError) -> Int { try count(FetchRequest(where: predicate)) }

  /// Returns the number of objects of a class that meet a condition, or of all, unsaved changes
  /// included.
  public func count<T: ManagedObject & ModelObject>(
    _ type: T.Type, where predicate: FetchPredicate? = nil
  ) throws(PersistenceError) -> Int { try count(FetchRequest<T>(where: predicate)) }
}
