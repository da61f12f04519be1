internal import OxbowContainer
public import OxbowContext
public import OxbowModel
public import OxbowSQLite
public import OxbowStore

/// A store with everything around it: coordinator, a context for each thread, and units of work.
///
/// Where the objects of a program are wired by a ``Container``, its factories do what this class
/// does. It is for programs and tests that need the store alone:
///
/// ```swift
/// let store = try PersistentContainer(.file("library.sqlite"), types: [Author.self, Book.self])
/// try store.perform { context in
///   let author = try context.insert(Author.self)
///   author.name = "Ursula"
///   try context.save()
/// }
/// ```
public final class PersistentContainer: Sendable {
  /// The coordinator of the store.
  public let coordinator: PersistentStoreCoordinator

  /// A context for each thread, behind one `Sendable` proxy.
  public let contexts: ObjectContextProxy

  private let source: ThreadLocalSource<any ObjectContext>
  package let options: ContextOptions

  /// Opens a store, made if it does not exist.
  ///
  /// - Parameters:
  ///   - location: Where the store is.
  ///   - model: What it keeps.
  ///   - classes: The classes of the model's entities; the others have plain managed objects.
  ///   - options: How it is opened.
  ///   - contexts: What its contexts have from the beginning.
  /// - Throws: ``PersistenceError``: `invalidModel`, `classMismatch`, `modelMismatch`, `notAStore`,
  ///   `storeUnreachable`, `storeLocked` and others.
  public convenience init(
    _ location: StoreLocation, model: ManagedObjectModel,
    classes: [any ModelObject.Type] = [],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), contexts: ContextOptions = ContextOptions()
  ) throws(PersistenceError) {
    try self.init(
      coordinator: PersistentStoreCoordinator(
        CompiledModel(model, classes: classes), at: location, options: options),
      contexts: contexts)
  }

  /// Opens a store for the model that `types` declare; a store of Core Data, for its own.
  ///
  /// - Throws: ``PersistenceError`` as ``init(_:model:classes:options:contexts:)``.
  public convenience init(
    _ location: StoreLocation, types: [any ModelObject.Type],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), contexts: ContextOptions = ContextOptions()
  ) throws(PersistenceError) {
    try self.init(
      location, model: location.model(declaredBy: types, options), classes: types,
      options: options, contexts: contexts)
  }

  /// Opens a store after its migrations, for a model that classes do not declare, or not all of it.
  ///
  /// - Throws: ``PersistenceError``: what migrating throws, then as
  ///   ``init(_:model:classes:options:contexts:)``.
  public convenience init(
    _ location: StoreLocation, model: ManagedObjectModel,
    classes: [any ModelObject.Type] = [],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), migrations: StoreMigrations,
    contexts: ContextOptions = ContextOptions()
  ) throws {
    try self.init(
      coordinator: PersistentStoreCoordinator(
        CompiledModel(model, classes: classes), at: location, options: options,
        migrations: migrations), contexts: contexts)
  }

  /// Opens a store for the model that `types` declare, after its migrations.
  ///
  /// ```swift
  /// let store = try PersistentContainer(
  ///   .file("library.sqlite"), types: [Author.self, Book.self],
  ///   migrations: StoreMigrations(.automatic, folder: "Migrations"))
  /// ```
  ///
  /// - Throws: ``PersistenceError``: what migrating throws, then as
  ///   ``init(_:model:classes:options:contexts:)``.
  public convenience init(
    _ location: StoreLocation, types: [any ModelObject.Type],
    options: SQLiteStoreOptions = SQLiteStoreOptions(), migrations: StoreMigrations,
    contexts: ContextOptions = ContextOptions()
  ) throws {
    try self.init(
      location, model: ManagedObjectModel(types: types), classes: types, options: options,
      migrations: migrations, contexts: contexts)
  }

  /// Takes over an open store.
  ///
  /// - Throws: ``PersistenceError`` with code `threadKeysExhausted`.
  public init(
    coordinator: PersistentStoreCoordinator, contexts options: ContextOptions = ContextOptions()
  ) throws(PersistenceError) {
    self.coordinator = coordinator
    self.options = options
    source = try Self.contextsOfThreads(coordinator, options)
    contexts = ObjectContextProxy(source: source)
  }

  private static func contextsOfThreads(
    _ coordinator: PersistentStoreCoordinator, _ options: ContextOptions
  ) throws(PersistenceError) -> ThreadLocalSource<any ObjectContext> {
    do {
      return try ThreadLocalSource(
        "context", hooks: ObjectContextProxy.threadLocalHooks(of: coordinator)
      ) {
        ManagedObjectContext(
          coordinator: coordinator,
          name: TaskContext.taskToBind == nil ? "thread's context" : "task's context",
          owner: TaskContext.newOwner, options: options)
      }
    } catch {
      throw PersistenceError(
        .threadKeysExhausted,
        "a context for each thread could not be kept: the process has no thread-specific key left; "
          + "keep one PersistentContainer for each store",
        details: [.init(label: "cause", text: "\(error)")])
    }
  }

  /// Returns a new context, for the isolation domain of the caller.
  public func makeContext(_ name: String = "context") -> sending ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, name: name, options: options)
  }

  /// Returns a new context that reads one moment of the store, for the isolation domain of the
  /// caller: see ``ManagedObjectContext/init(pinning:limits:name:owner:)``.
  ///
  /// - Throws: ``PersistenceError``: `unsupported`, `viewEnded`, `storeClosed`.
  public func makePinnedContext(
    limits: PinnedViewLimits = PinnedViewLimits(), _ name: String = "pinned view"
  ) throws(PersistenceError) -> sending ManagedObjectContext {
    try ManagedObjectContext(pinning: coordinator, limits: limits, name: name)
  }

  /// Runs `body` as a unit of work in a context of its own.
  ///
  /// The compiler lets no managed object leave the body; return values or object IDs. What the body
  /// does not save is discarded.
  ///
  /// - Throws: What `body` throws, and an error that a getter recorded and no call has thrown.
  public func perform<R: Sendable>(_ body: @Sendable (ManagedObjectContext) throws -> R) throws -> R
  { try unitOfWork(body) }

  /// Runs `body` as a unit of work in a context of its own, off the caller's actor.
  ///
  /// The body is synchronous: if others could enter the unit of work at an `await`, it would save
  /// their half-done changes. It runs on a thread of the store
  /// (``SQLiteStoreOptions/workThreads``), with the task's priority and task-local values, so other
  /// tasks go on while it waits for a lock or the disk. It must not wait for the body of another
  /// `perform`, which may need the same thread.
  ///
  /// - Throws: What `body` throws, and an error that a getter recorded and no call has thrown;
  ///   `CancellationError` if the task is cancelled before the body begins. If it is cancelled
  ///   later, reads throw `cancelled`, until something was saved; a save is never stopped.
  @concurrent public func perform<R: Sendable>(
    _ body: @Sendable (ManagedObjectContext) throws -> R
  ) async throws -> R { try await coordinator.unitOfWork { try unitOfWork(body) } }

  /// Runs `body` as a unit of work, and again in another context when its save finds that another
  /// writer was first: for rows that many threads change.
  ///
  /// An attempt that has saved something itself before is the last.
  ///
  /// - Throws: What `body` throws; `conflict` or `uniquenessViolated` when the last attempt met
  ///   another writer too.
  public func perform<R: Sendable>(
    retrying retry: TransactionRetry, _ body: @Sendable (ManagedObjectContext) throws -> R
  ) throws -> R {
    do {
      return try retry.run { try unitOfWork(attempt: $0, body) }
    } catch let attempt as SavedAttempt { throw attempt.error }
  }

  /// Runs `body` off the caller's actor as ``perform(retrying:_:)`` does; no thread waits between
  /// attempts.
  @concurrent public func perform<R: Sendable>(
    retrying retry: TransactionRetry, _ body: @Sendable (ManagedObjectContext) throws -> R
  ) async throws -> R {
    do {
      return try await retry.run { attempt in
        try await coordinator.unitOfWork { try unitOfWork(attempt: attempt, body) }
      }
    } catch let attempt as SavedAttempt { throw attempt.error }
  }

  private func unitOfWork<R>(
    attempt: Int, _ body: (ManagedObjectContext) throws -> R
  ) throws -> R {
    var options = options
    // A replica may not have what was in the way of the last attempt.
    if attempt > 1 { options.readPlace = .primary }
    let context = ManagedObjectContext(
      coordinator: coordinator, name: "perform", owner: .currentThread, options: options)
    do { return try Self.unitOfWork(in: context, body) } catch  where context.statistics.saves > 0 {
      // Made again, it would be saved twice.
      throw SavedAttempt(error: error)
    }
  }

  private func unitOfWork<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    try Self.unitOfWork(
      in: ManagedObjectContext(
        coordinator: coordinator, name: "perform", owner: .currentThread, options: options), body)
  }

  private static func unitOfWork<R>(
    in context: ManagedObjectContext, _ body: (ManagedObjectContext) throws -> R
  ) throws -> R {
    let result = try body(context)
    try context.finish()
    return result
  }

  /// Runs `body` with a new context for the calling thread behind ``contexts``, dropped at the end.
  ///
  /// Threads of a pool serve unrelated work: a scope keeps one piece of work from seeing, and
  /// saving, what another left behind.
  public func scope<R>(_ body: () throws -> R) rethrows -> R { try source.scope(body) }

  /// Runs `body` with a context behind ``contexts`` that is bound to the current task.
  public func withTaskContext<R>(_ body: () async throws -> R) async throws -> R {
    try await contexts.withTaskContext(body)
  }

  /// Returns what a request finds as a sequence of values that is read while it is used.
  ///
  /// ```swift
  /// for try await title in store.stream(FetchRequest<Book>(), row: { $0.title }) { print(title) }
  /// ```
  ///
  /// - Parameters:
  ///   - request: What is asked for.
  ///   - pageSize: How many objects are read at once.
  ///   - row: Makes a value of an object. It runs off the caller's actor.
  /// - Returns: The sequence; errors of the request are thrown by its iterators.
  /// - Precondition: `pageSize` is positive.
  public func stream<T: ManagedObject, Value: Sendable>(
    _ request: FetchRequest<T>, pageSize: Int = 500,
    row: @escaping @Sendable (T) throws(PersistenceError) -> Value
  ) -> FetchStream<Value> {
    coordinator.stream(request, pageSize: pageSize, at: options.readPlace, row: row)
  }

  /// Closes the store.
  ///
  /// Calls in progress end first; later ones throw `storeClosed`.
  public func close() { coordinator.close() }
}

/// An error of an attempt that had saved something before.
private struct SavedAttempt: Error {
  let error: any Error
}
