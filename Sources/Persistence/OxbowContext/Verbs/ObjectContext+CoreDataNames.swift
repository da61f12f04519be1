internal import OxbowModel
public import OxbowStore

// Names of Core Data that differ here, so that the compiler says which to use.

extension ObjectContext {
  /// Renamed: ``count(_:)``.
  @available(*, unavailable, renamed: "count(_:)")
  public func count<T>(for request: FetchRequest<T>) throws -> Int { Refused.call() }

  /// Renamed: `PersistentContainer.perform`.
  @available(
    *, unavailable,
    message:
      "a context is used where it was made; for a unit of work elsewhere write 'try store.perform { context in … }', where 'store' is a PersistentContainer"
  )
  public func perform<R>(_ block: () throws -> R) -> R { Refused.call() }

  /// Renamed: `PersistentContainer.perform`.
  @available(
    *, unavailable,
    message:
      "a context is used where it was made: call it without a block; for a unit of work elsewhere write 'try store.perform { context in … }', where 'store' is a PersistentContainer"
  )
  public func performAndWait<R>(_ block: () throws -> R) -> R { Refused.call() }

  /// Renamed: ``ManagedObjectContext/isUndoEnabled``.
  @available(
    *, unavailable,
    message:
      "set 'context.isUndoEnabled = true'; then 'undoGroup', 'undo()' and 'redo()' are the context's"
  )
  public var undoManager: ManagedObjectContext? {
    get { Refused.call() }
    set { Refused.call() }
  }

  /// Renamed: ``ManagedObjectContext/coordinator``.
  @available(*, unavailable, renamed: "coordinator")
  public var persistentStoreCoordinator: PersistentStoreCoordinator? { Refused.call() }

  /// Renamed: ``ManagedObjectContext/batchDelete(_:)``.
  @available(
    *, unavailable,
    message:
      "write 'context.batchInsert', 'batchUpdate' or 'batchDelete', which say what they changed"
  )
  public func execute<Request>(_ request: Request) throws -> Never { Refused.call() }

  /// Not needed.
  @available(
    *, unavailable,
    message: "an ID is final from the moment that its object is made; remove the line"
  )
  public func obtainPermanentIDs(for objects: [ManagedObject]) throws { Refused.call() }

  /// Renamed: ``ManagedObjectContext/mergeChanges(from:)``.
  @available(
    *, unavailable,
    message:
      "write 'try context.mergeChanges(from: event)', with the SaveEvent of 'coordinator.onDidSave'"
  )
  public func mergeChanges<Event>(fromContextDidSave event: Event) { Refused.call() }

  /// Renamed: `PersistentContainer.makePinnedContext`.
  @available(
    *, unavailable,
    message: "write 'store.makePinnedContext()', which reads one moment of the store"
  )
  public func setQueryGenerationFrom<Token>(_ token: Token) { Refused.call() }
}
