public import OxbowModel
public import OxbowStore

/// What repositories ask of a context: the protocol behind which a proxy gives each thread its own.
///
/// A repository holds an `any ObjectContext & Sendable`, a proxy, and never a context itself. Every
/// requirement throws, because a proxy may find no context to forward to: the store cannot be
/// opened, or the caller is inside a task to which no context is bound. The requirements are not
/// for asynchronous code, whose thread changes at each `await`: there, use `perform`.
///
/// - Important: An object that a proxy returned is checked at run time only. Keep it on its thread;
///   pass its ``ManagedObject/objectID`` on.
public protocol ObjectContext: AnyObject {
  /// Makes a new object of a class's entity; see ``ManagedObjectContext/insert(_:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func insert<T: ManagedObject>(_ type: T.Type) throws -> T

  /// Makes a new object of the entity called `name`.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func insert(entityNamed name: String) throws -> ManagedObject

  /// Deletes an object with the next save; see ``ManagedObjectContext/delete(_:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func delete(_ object: ManagedObject) throws

  /// Returns the objects that meet a request; see ``ManagedObjectContext/fetch(_:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func fetch<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [T]

  /// Returns the objects that meet a request, read in batches; see
  /// ``ManagedObjectContext/fetch(_:batchSize:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func fetch<T: ManagedObject>(
    _ request: FetchRequest<T>, batchSize: Int
  ) throws -> FetchedObjects<T>

  /// Returns the number of objects that meet a request.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func count<T: ManagedObject>(_ request: FetchRequest<T>) throws -> Int

  /// Returns the IDs of the objects that meet a request.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func fetchIDs<T: ManagedObject>(_ request: FetchRequest<T>) throws -> [ManagedObjectID]

  /// Returns rows of values; see ``ManagedObjectContext/fetchRows(_:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func fetchRows(_ request: RowRequest) throws -> [FetchedRow]

  /// Returns the rows that a statement in SQL gives; see
  /// ``ManagedObjectContext/fetchRows(sql:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func fetchRows(sql: SQLText) throws -> [SQLRow]

  /// Returns the objects whose keys a statement in SQL gives; see
  /// ``ManagedObjectContext/fetch(_:sql:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func fetch<T: ManagedObject>(_ type: T.Type, sql: SQLText) throws -> [T]

  /// Returns the object of an ID, a fault if the context has not met it.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func object(with id: ManagedObjectID) throws -> ManagedObject

  /// Returns the object of an ID, read from the store if it has to be.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func existingObject<T: ManagedObject>(with id: ManagedObjectID, as type: T.Type) throws -> T

  /// Reads the rows of faults ahead.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func load(_ objects: [ManagedObject]) throws

  /// Reads a relationship of several objects ahead.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func load(_ relationship: String, of objects: [ManagedObject]) throws

  /// Reads an object's row anew with its next access, and forgets its unsaved changes.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func refresh(_ object: ManagedObject) throws

  /// Reads an object's row anew; see ``ManagedObjectContext/refresh(_:mergingChanges:)``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func refresh(_ object: ManagedObject, mergingChanges: Bool) throws

  /// Writes all changes in one transaction; see ``ManagedObjectContext/save()``.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func save() throws

  /// Forgets all changes.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func rollback() throws

  /// Forgets all objects and all changes.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func reset() throws

  /// Whether the next save has something to write.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  var hasChanges: Bool { get throws }

  /// Runs a body with the caller's own context, for everything that a ``ManagedObjectContext`` can
  /// do and this protocol does not name: merge policies, undo, batches, JSON, copies, metadata.
  ///
  /// ```swift
  /// try context.withOwn { own in
  ///   own.mergePolicy = .mergeByProperty
  ///   try own.batchDelete(Draft.self, where: .less("written", date))
  /// }
  /// ```
  ///
  /// It is the context that all other calls of the caller are forwarded to, and that a transaction
  /// saves. Neither it nor its objects may leave the thread.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  func withOwn<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R

  /// What the context did since it was made.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  var statistics: ContextStatistics { get throws }
}

extension ObjectContext {
  /// Refused: the object is not a context, and stands for none.
  @available(
    *, noasync, message: "a thread's context changes at await; use perform { context in … }"
  )
  public func withOwn<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    throw PersistenceError(
      .unsupported,
      "'\(Self.self)' is not a ManagedObjectContext and does not say which one it forwards to; give it "
        + "a 'withOwn(_:)' of its own")
  }
}

extension ManagedObjectContext: ObjectContext {
  /// Runs a body with this context.
  public func withOwn<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    try token.requireOwner("withOwn")
    return try body(self)
  }
}
