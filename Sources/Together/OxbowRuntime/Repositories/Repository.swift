public import OxbowContext
public import OxbowModel

/// What all repositories of an entity's objects have: the protocol that a `@Repository` refines.
///
/// ```swift
/// @Repository protocol Books: Repository<Book> {
///   func find(titleContains: String, limit: Int) throws -> [Book]
///   func first(isbn: String) throws -> Book?
/// }
///
/// struct StoredBooks: Books, Stored {
///   let context: any ObjectContext & Sendable
/// }
/// ```
///
/// The macro writes the methods that the protocol adds, for every type that is ``Stored``; what is
/// declared here comes with it. All of them work on the context of the calling thread, and nothing
/// is written before ``save()``.
public protocol Repository<Entity> {
  /// The class of the objects.
  associatedtype Entity: ManagedObject & ModelObject

  /// Makes a new object.
  @available(*, noasync, message: "use perform { context in … }")
  func insert() throws -> Entity

  /// Returns the object of an ID, read from the store if it has to be.
  @available(*, noasync, message: "use perform { context in … }")
  func object(with id: ManagedObjectID) throws -> Entity

  /// Returns the objects that meet a request.
  @available(*, noasync, message: "use perform { context in … }")
  func find(_ request: FetchRequest<Entity>) throws -> [Entity]

  /// Returns the number of objects that meet a request.
  @available(*, noasync, message: "use perform { context in … }")
  func count(_ request: FetchRequest<Entity>) throws -> Int

  /// Returns the objects that meet a request as a collection that reads them in batches.
  @available(*, noasync, message: "use perform { context in … }")
  func stream(
    _ request: FetchRequest<Entity>, batchSize: Int
  ) throws -> FetchedObjects<Entity>

  /// Returns a part of the objects that meet a request: the first ones, or those where a token of
  /// another part says.
  @available(*, noasync, message: "use perform { context in … }")
  func slice(
    _ request: FetchRequest<Entity>, after token: PageToken?, limit: Int
  ) throws -> FetchedSlice<Entity>

  /// Deletes an object with the next save.
  @available(*, noasync, message: "use perform { context in … }")
  func delete(_ object: Entity) throws

  /// Writes all changes of the context, those of other repositories included; inside of a
  /// transactional call it checks them, and the outermost call writes.
  @available(*, noasync, message: "use perform { context in … }")
  func save() throws

  /// Forgets all changes of the context, those of other repositories included; inside of a
  /// transactional call it ends the transaction.
  @available(*, noasync, message: "use perform { context in … }")
  func rollback() throws
}

extension Repository {
  /// What the compiler says of a type that lacks the methods; see ``Stored``.
  @available(
    *, unavailable,
    message:
      "write ', Stored' behind the repository's name: it has this method and those of '@Repository'; or write all of them"
  )
  public func insert() throws -> Entity { Refused.call() }
}

// What most callers ask, in short. Everything comes down to the requirements.
extension Repository {
  /// Makes a new object and fills it in; when that fails, there is no new object, and what `fill`
  /// linked to it is unlinked again, whatever the delete rules say.
  @available(*, noasync, message: "use perform { context in … }")
  @discardableResult
  public func insert(filling fill: (Entity) throws -> Void) throws -> Entity {
    try filled(insert(), by: fill)
  }

  /// Returns the objects that meet a condition, or all of them, with what `prefetching` leads to.
  @available(*, noasync, message: "use perform { context in … }")
  public func find(
    where predicate: FetchPredicate? = nil, sortedBy sortKeys: [SortKey<Entity>] = [],
    limit: Int? = nil, offset: Int = 0, prefetching: PrefetchPaths<Entity> = PrefetchPaths()
  ) throws -> [Entity] {
    try find(
      FetchRequest(
        where: predicate, sortedBy: sortKeys, limit: limit, offset: offset, prefetching: prefetching
      ))
  }

  /// Returns the number of objects that meet a condition, or of all.
  @available(*, noasync, message: "use perform { context in … }")
  public func count(where predicate: FetchPredicate? = nil) throws -> Int {
    try count(FetchRequest(where: predicate))
  }

  /// Returns the objects that meet a condition, or all, as a collection that reads them in batches.
  @available(*, noasync, message: "use perform { context in … }")
  public func stream(
    where predicate: FetchPredicate? = nil, sortedBy sortKeys: [SortKey<Entity>] = [],
    batchSize: Int = 100, prefetching: PrefetchPaths<Entity> = PrefetchPaths()
  ) throws -> FetchedObjects<Entity> {
    try stream(
      FetchRequest(where: predicate, sortedBy: sortKeys, prefetching: prefetching),
      batchSize: batchSize)
  }

  /// Returns a part of the objects that meet a condition, or of all: the first ones, or those where
  /// a token of another part says.
  ///
  /// - Throws: ``PersistenceError``: `pageTokenForeign` for a token of another condition or order,
  ///   `invalidPredicate` for a limit that is not positive, and as ``find(_:)``.
  @available(*, noasync, message: "use perform { context in … }")
  public func slice(
    where predicate: FetchPredicate? = nil, sortedBy sortKeys: [SortKey<Entity>] = [],
    after token: PageToken? = nil, limit: Int,
    prefetching: PrefetchPaths<Entity> = PrefetchPaths()
  ) throws -> FetchedSlice<Entity> {
    try slice(
      FetchRequest(where: predicate, sortedBy: sortKeys, prefetching: prefetching), after: token,
      limit: limit)
  }

  /// Returns one page of the objects that meet a condition, or of all, with what `prefetching`
  /// leads to.
  ///
  /// - Throws: ``PersistenceError``: `invalidPredicate` for a page without size or with a negative
  ///   number, and as ``find(_:)``.
  @available(*, noasync, message: "use perform { context in … }")
  public func page(
    _ page: PageRequest, where predicate: FetchPredicate? = nil,
    sortedBy sortKeys: [SortKey<Entity>] = [],
    prefetching: PrefetchPaths<Entity> = PrefetchPaths()
  ) throws -> Page<Entity> {
    try page.check()
    let total = try count(FetchRequest(where: predicate))
    let items = try find(
      FetchRequest(
        where: predicate, sortedBy: sortKeys, limit: page.size, offset: page.offset,
        prefetching: prefetching))
    return Page(items: items, request: page, totalCount: total)
  }
}
