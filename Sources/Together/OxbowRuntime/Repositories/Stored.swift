public import OxbowContext
public import OxbowModel

/// A repository whose objects are in a store: a type of one line.
///
/// ```swift
/// struct StoredBooks: Books, Stored {
///   let context: any ObjectContext & Sendable
/// }
/// ```
///
/// It has all methods of ``Repository`` and those that `@Repository` writes for `Books`. A method
/// in the body of the type goes before one that is written for it.
public protocol Stored: Repository {
  /// The context: as a rule a proxy, so that each thread has its own behind one repository.
  var context: any ObjectContext & Sendable { get }
}

extension Stored {
  /// Makes a new object.
  @available(*, noasync, message: "use perform { context in … }")
  public func insert() throws -> Entity { try context.insert(Entity.self) }

  /// Returns the object of an ID, read from the store if it has to be.
  @available(*, noasync, message: "use perform { context in … }")
  public func object(with id: ManagedObjectID) throws -> Entity {
    try context.existingObject(with: id, as: Entity.self)
  }

  /// Returns the objects that meet a request.
  @available(*, noasync, message: "use perform { context in … }")
  public func find(_ request: FetchRequest<Entity>) throws -> [Entity] {
    try context.fetch(request)
  }

  /// Returns the number of objects that meet a request.
  @available(*, noasync, message: "use perform { context in … }")
  public func count(_ request: FetchRequest<Entity>) throws -> Int { try context.count(request) }

  /// Returns the objects that meet a request as a collection that reads them in batches.
  @available(*, noasync, message: "use perform { context in … }")
  public func stream(
    _ request: FetchRequest<Entity>, batchSize: Int
  ) throws -> FetchedObjects<Entity> { try context.fetch(request, batchSize: batchSize) }

  /// Returns a part of the objects that meet a request.
  @available(*, noasync, message: "use perform { context in … }")
  public func slice(
    _ request: FetchRequest<Entity>, after token: PageToken?, limit: Int
  ) throws -> FetchedSlice<Entity> { try context.slice(request, after: token, limit: limit) }

  /// Deletes an object with the next save.
  @available(*, noasync, message: "use perform { context in … }")
  public func delete(_ object: Entity) throws { try context.delete(object) }

  /// Writes all changes of the context, those of other repositories included.
  @available(*, noasync, message: "use perform { context in … }")
  public func save() throws { try context.save() }

  /// Forgets all changes of the context, those of other repositories included.
  @available(*, noasync, message: "use perform { context in … }")
  public func rollback() throws { try context.rollback() }
}

// What the methods that `@Repository` writes call, as far as it is not in `Repository`.
extension Stored {
  /// `find`: all objects.
  public func _find(
    _ condition: FetchPredicate?, sortedBy sortKeys: [SortKey<Entity>] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws -> [Entity] {
    try context.fetch(
      FetchRequest(where: condition, sortedBy: sortKeys, limit: limit, offset: offset))
  }

  /// `find` that returns IDs.
  public func _find(
    _ condition: FetchPredicate?, sortedBy sortKeys: [SortKey<Entity>] = [], limit: Int? = nil,
    offset: Int = 0
  ) throws -> [ManagedObjectID] {
    try context.fetchIDs(
      FetchRequest(where: condition, sortedBy: sortKeys, limit: limit, offset: offset))
  }

  /// `first`: one object, or none.
  public func _first(
    _ condition: FetchPredicate?, sortedBy sortKeys: [SortKey<Entity>] = []
  ) throws -> Entity? {
    try context.fetch(
      FetchRequest<Entity>(where: condition, sortedBy: sortKeys, limit: 1)
    ).first
  }

  /// `first` that returns an ID.
  public func _first(
    _ condition: FetchPredicate?, sortedBy sortKeys: [SortKey<Entity>] = []
  ) throws -> ManagedObjectID? {
    try context.fetchIDs(
      FetchRequest<Entity>(where: condition, sortedBy: sortKeys, limit: 1)
    ).first
  }

  /// `exists`: whether there is one.
  public func _exists(_ condition: FetchPredicate?) throws -> Bool {
    try !context.fetchIDs(FetchRequest<Entity>(where: condition, limit: 1)).isEmpty
  }

  /// `delete`: marks all objects for deletion, by the rules of their relationships.
  @discardableResult
  public func _delete(_ condition: FetchPredicate?) throws -> Int {
    let objects = try context.fetch(FetchRequest<Entity>(where: condition))
    for object in objects { try context.delete(object) }
    return objects.count
  }

  /// `stream`: all objects, read in batches.
  public func _stream(
    _ condition: FetchPredicate?, sortedBy sortKeys: [SortKey<Entity>] = [], limit: Int? = nil,
    offset: Int = 0, batchSize: Int = 100
  ) throws -> FetchedObjects<Entity> {
    try context.fetch(
      FetchRequest(where: condition, sortedBy: sortKeys, limit: limit, offset: offset),
      batchSize: batchSize)
  }
}
