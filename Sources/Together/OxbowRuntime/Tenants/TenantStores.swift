public import OxbowContainer
public import OxbowContext
public import OxbowModel
internal import OxbowPlatform
public import OxbowSQLite
internal import OxbowStore

/// A store for each tenant, in a folder: opened when it is asked for, a limited number at a time.
///
/// ```swift
/// let tenants = try TenantStores(in: "tenants", types: [Book.self], limit: 200)
/// try tenants.create("acme")
/// try await tenants.perform("acme") { context in
///   try context.insert(Book.self) { $0.title = "Kindred" }
///   try context.save()
/// }
/// ```
///
/// The store of `acme` is `tenants/acme.sqlite`. Names have 1 to 64 of the characters a-z, 0-9, `-`
/// and `_`, and begin with a letter or digit; so none leads out of the folder. A tenant that has no
/// store is refused with `unknownTenant`, for names come from requests: ``create(_:)`` makes one.
///
/// Callers that ask for a store which is not open wait for one opening together. If as many stores
/// are open as may be, the one whose last use ended first is closed; a store is in use during
/// `perform`, ``withTenant(_:_:)`` and ``withStore(_:_:)``, and what reads it for longer, a stream
/// or a pinned view, has to end in there. Where all are in use, callers wait for at least a second
/// (``SQLiteStoreOptions/busyMilliseconds``) in the order of asking, then throw `storeLocked`. So
/// work for one tenant inside of work for another one needs two of the limit.
///
/// All stores have the same model, compiled once. An older one is migrated, or refused, when it is
/// opened. An error of opening has the detail `tenant`; the other tenants are served.
public final class TenantStores: Sendable, Disposable {
  /// The context of the current tenant, for repositories.
  ///
  /// Inside ``withTenant(_:_:)`` it is that of the thread or task; elsewhere its calls throw
  /// `noTenant`.
  public let contexts: ObjectContextProxy

  private let folder: TenantFolder
  private let table: TenantTable<OpenTenant>
  private let threads: WorkThreads
  /// Where removals wait for the end of uses, which may need all of the other threads, and where
  /// files are looked at.
  private let removers = WorkThreads(limit: 4)
  private let limit: Int
  private let createsStores: Bool
  private let key: TenantKey

  /// Names a folder of stores for the model that `types` declare; opens none.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder, which must exist.
  ///   - types: The classes of the entities.
  ///   - limit: How many stores are open at most, those included that are being opened or closed.
  ///     With the default options, each has up to eight files open, and two more for each pinned
  ///     view.
  ///   - createsStores: Whether a tenant that has no store gets one when it is asked for.
  ///   - options: How stores are opened. ``SQLiteStoreOptions/workThreads`` is the number of
  ///     threads for asynchronous callers of all stores together; `createsStore` does not count.
  ///   - migrations: What happens to a store that is not at its last migration.
  ///   - contexts: What contexts have from the beginning.
  /// - Throws: ``PersistenceError``: `invalidModel`, `classMismatch`, `storeUnreachable` where
  ///   there is no such folder.
  public convenience init(
    in folder: String, types: [any ModelObject.Type], limit: Int = 100,
    createsStores: Bool = false, options: SQLiteStoreOptions = .tenants,
    migrations: StoreMigrations = StoreMigrations(.never),
    contexts: ContextOptions = ContextOptions()
  ) throws(PersistenceError) {
    try self.init(
      in: folder, model: ManagedObjectModel(types: types), classes: types, limit: limit,
      createsStores: createsStores, options: options, migrations: migrations, contexts: contexts)
  }

  /// Names a folder of stores for a model that classes do not declare, or not all of it.
  ///
  /// The parameters are those of
  /// ``init(in:types:limit:createsStores:options:migrations:contexts:)``.
  public init(
    in folder: String, model: ManagedObjectModel, classes: [any ModelObject.Type] = [],
    limit: Int = 100, createsStores: Bool = false, options: SQLiteStoreOptions = .tenants,
    migrations: StoreMigrations = StoreMigrations(.never),
    contexts: ContextOptions = ContextOptions()
  ) throws(PersistenceError) {
    let (place, model) = (try TenantFolder(folder), try CompiledModel(model, classes: classes))
    let threads = WorkThreads(limit: options.workThreads)
    self.folder = place
    self.threads = threads
    self.limit = max(1, limit)
    self.createsStores = createsStores
    let key = TenantKey()
    self.key = key
    table = TenantTable(limit: limit, milliseconds: options.busyMilliseconds) { tenant, creating in
      do {
        var options = options
        (options.createsStore, options.sharedThreads) = (creating, threads)
        let isNew = try !place.contains(tenant)
        // It may have been removed since it was asked for, or never have been whole.
        guard !isNew || creating else { throw PersistenceError.unknownTenant(tenant) }
        let coordinator = try PersistentStoreCoordinator(
          model, at: .file(try place.store(of: tenant)), options: options, migrations: migrations)
        let store = try PersistentContainer(coordinator: coordinator, contexts: contexts)
        return OpenTenant(tenant, store, of: key, isNew: isNew)
      } catch { throw error.of(tenant: tenant) }
    } close: {
      $1.close()
    }
    self.contexts = ObjectContextProxy(source: TenantContextSource(key: key))
  }

  /// The tenant for which the calling code runs, inside `perform`, ``withTenant(_:_:)`` and
  /// ``withStore(_:_:)``; child tasks inherit it.
  public var currentTenant: String? { try? TenantLease.innermost(of: key).tenant }

  /// How many stores are open, and what has become of others.
  public var statistics: TenantStatistics { table.statistics }

  /// Closes all stores.
  ///
  /// What a store is doing ends first. What comes later throws `storeClosed`, in units of work that
  /// have begun as well: end those before, as services do.
  public func close() {
    table.closeAll()
    threads.shutDown()
    removers.shutDown()
  }

  /// Closes all stores.
  public func dispose() throws { close() }
}

extension SQLiteStoreOptions {
  /// The options of a store that is one of many: two fetches read it at once.
  public static var tenants: Self { SQLiteStoreOptions(maximumReaders: 2) }
}

// MARK: - Work for a tenant

extension TenantStores {
  /// Runs `body` as a unit of work in a context of its own, of a tenant's store.
  ///
  /// - Throws: ``PersistenceError``: `invalidTenant`, `unknownTenant`, `storeLocked` when no store
  ///   could be closed to make room, what opening and migrating throw; what `body` throws, as
  ///   ``PersistentContainer/perform(_:)``.
  public func perform<R: Sendable>(
    _ tenant: String, _ body: @Sendable (ManagedObjectContext) throws -> R
  ) throws -> R { try withStore(tenant) { try $0.perform(body) } }

  /// Runs `body` as a unit of work off the caller's actor; no thread waits for the store.
  ///
  /// - Throws: As the one for threads, and `CancellationError`.
  @concurrent public func perform<R: Sendable>(
    _ tenant: String, _ body: @Sendable (ManagedObjectContext) throws -> R
  ) async throws -> R { try await withStore(tenant) { try await $0.perform(body) } }

  /// Runs `body` as a unit of work, and again when its save finds that another writer was first.
  ///
  /// - Throws: As ``perform(_:_:)``, and what the last attempt threw.
  public func perform<R: Sendable>(
    _ tenant: String, retrying retry: TransactionRetry,
    _ body: @Sendable (ManagedObjectContext) throws -> R
  ) throws -> R { try withStore(tenant) { try $0.perform(retrying: retry, body) } }

  /// Runs `body` off the caller's actor as ``perform(_:retrying:_:)`` does.
  @concurrent public func perform<R: Sendable>(
    _ tenant: String, retrying retry: TransactionRetry,
    _ body: @Sendable (ManagedObjectContext) throws -> R
  ) async throws -> R {
    try await withStore(tenant) { try await $0.perform(retrying: retry, body) }
  }

  /// Runs `body` for a tenant: ``contexts``, and the repositories that have it, are those of the
  /// tenant's store, with a new context for the calling thread, or for the task that it runs.
  ///
  /// What `body` does not save is discarded.
  ///
  /// - Throws: What `body` throws; why there is no store, as ``perform(_:_:)``.
  @_disfavoredOverload
  public func withTenant<R>(_ tenant: String, _ body: () throws -> R) throws -> R {
    try withStore(tenant) { try $0.inContext(body) }
  }

  /// Runs `body` for a tenant, with a context that is bound to the task.
  ///
  /// As in ``PersistentContainer/withTaskContext(_:)``, off actors it runs on the threads of the
  /// stores. A child task binds a context of its own with ``withTenant(_:_:)`` or
  /// `contexts.withTaskContext`.
  ///
  /// - Throws: What `body` throws; why there is no store, as ``perform(_:_:)``.
  public func withTenant<R>(
    _ tenant: String, _ body: () async throws -> R
  ) async throws -> R {
    try await withStore(tenant) { store in
      try await store.contexts.bindingContext(onWorkThreads: true, ofStoreAlone: true, body)
    }
  }

  /// Lends a tenant's store for `body`, for streams, pinned views and what else a store has.
  ///
  /// It must not be kept: it may be closed when `body` has returned.
  ///
  /// - Throws: What `body` throws; why there is no store, as ``perform(_:_:)``.
  @_disfavoredOverload
  public func withStore<R>(
    _ tenant: String, _ body: (PersistentContainer) throws -> R
  ) throws -> R {
    let loan = try lend(tenant)
    defer { table.giveBack(loan) }
    return try loan.store.run(key, body)
  }

  /// Lends a tenant's store for `body`; no thread waits for it.
  ///
  /// - Throws: As the one for threads, and `CancellationError`.
  public func withStore<R>(
    _ tenant: String, _ body: (PersistentContainer) async throws -> R
  ) async throws -> R {
    let loan = try await lend(tenant)
    defer { table.giveBack(loan) }
    return try await loan.store.run(key, body)
  }

  private func lend(_ tenant: String, creating: Bool = false) throws -> TenantTable<OpenTenant>.Loan
  {
    if let loan = lendIfOpen(tenant) { return loan }
    return try table.lend(tenant, creating: mayCreate(tenant, creating))
  }

  private func lend(
    _ tenant: String, creating: Bool = false
  ) async throws -> TenantTable<OpenTenant>.Loan {
    if let loan = lendIfOpen(tenant) { return loan }
    return try await table.lend(tenant, creating: mayCreate(tenant, creating))
  }

  private func lendIfOpen(_ tenant: String) -> TenantTable<OpenTenant>.Loan? {
    table.lendIfOpen(tenant) { TenantLease.isUnderWay(for: tenant, of: key) }
  }

  /// Whether a store is made where there is none.
  ///
  /// That there is a file is looked at before others make room: names of tenants come from
  /// requests. Whether it is a store is found out by its opening, on a thread that may wait.
  ///
  /// - Throws: ``PersistenceError``: `invalidTenant`, `unknownTenant`.
  private func mayCreate(_ tenant: String, _ creating: Bool) throws(PersistenceError) -> Bool {
    let hasFile = try folder.containsFile(of: tenant)
    if creating || createsStores { return true }
    guard hasFile else { throw .unknownTenant(tenant) }
    return false
  }
}

// MARK: - The tenants

extension TenantStores {
  /// The tenants that have a store, sorted.
  ///
  /// - Throws: ``PersistenceError`` with code `storeUnreachable`.
  public func tenants() throws(PersistenceError) -> [String] { try folder.contents().tenants }

  /// Whether a tenant has a store.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidTenant`.
  public func contains(_ tenant: String) throws(PersistenceError) -> Bool {
    try folder.contains(tenant)
  }

  /// Makes the store of a tenant, unless it has one; what a creation has left that failed or was
  /// killed is made whole.
  ///
  /// - Returns: Whether it is new; of callers of a process at the same time, one hears so.
  /// - Throws: ``PersistenceError``: `invalidTenant`, and what opening and migrating throw.
  @discardableResult public func create(_ tenant: String) throws -> Bool {
    if try folder.contains(tenant) { return false }
    let loan = try lend(tenant, creating: true)
    defer { table.giveBack(loan) }
    return loan.store.claim()
  }

  /// Makes the store of a tenant, unless it has one; no thread waits.
  ///
  /// - Returns: Whether it is new.
  /// - Throws: As the one for threads, and `CancellationError`.
  @discardableResult public func create(_ tenant: String) async throws -> Bool {
    let folder = folder
    if try await removers.run({ try folder.contains(tenant) }) { return false }
    let loan = try await lend(tenant, creating: true)
    defer { table.giveBack(loan) }
    return loan.store.claim()
  }

  /// Removes a tenant with its store and all that is beside it, as soon as it is not in use.
  ///
  /// Meanwhile, the store is not given to others.
  ///
  /// - Throws: ``PersistenceError``: `invalidTenant`, `unknownTenant`, `storeLocked` when it was
  ///   used for too long, or another process has it open; nothing was removed then.
  public func remove(_ tenant: String) throws {
    guard try folder.containsFile(of: tenant) else { throw PersistenceError.unknownTenant(tenant) }
    try table.remove(tenant) { try SQLiteStoreFile(folder.store(of: tenant)).remove() }
  }

  /// Removes a tenant on a thread that may wait.
  ///
  /// - Throws: As the one for threads.
  @concurrent public func remove(_ tenant: String) async throws {
    try await removers.run { try self.removeWaiting(tenant) }
  }

  private func removeWaiting(_ tenant: String) throws { try remove(tenant) }

  /// Runs `body` for each tenant that has a store: jobs of the night, counts, checks.
  ///
  /// - Parameters:
  ///   - count: For how many tenants at a time; at least one, and at most as many as stores may
  ///     be open.
  ///   - body: The work, with the store of the tenant.
  /// - Returns: The tenants for which opening or `body` has thrown, with the errors; the others
  ///   went on.
  /// - Throws: ``PersistenceError`` with code `storeUnreachable`; `CancellationError`.
  public func forEach(
    atOnce count: Int = 4,
    _ body: @escaping @Sendable (String, PersistentContainer) async throws -> Void
  ) async throws -> [TenantFailure] {
    var tenants = try tenants()[...]
    let count = min(max(1, count), limit)
    return try await withThrowingTaskGroup(of: TenantFailure?.self) { group in
      var failures: [TenantFailure] = []
      for tenant in tenants.prefix(count) {
        group.addTask { await self.failure(of: tenant, body) }
      }
      tenants = tenants.dropFirst(count)
      while let failure = try await group.next() {
        if let failure { failures.append(failure) }
        try Task.checkCancellation()
        if let tenant = tenants.popFirst() {
          group.addTask { await self.failure(of: tenant, body) }
        }
      }
      return failures.sorted { $0.tenant < $1.tenant }
    }
  }

  private func failure(
    of tenant: String, _ body: (String, PersistentContainer) async throws -> Void
  ) async -> TenantFailure? {
    do {
      try await withStore(tenant) { try await body(tenant, $0) }
      return nil
    } catch { return TenantFailure(tenant: tenant, error: error) }
  }
}

/// A tenant for which work has failed.
public struct TenantFailure: Error, CustomStringConvertible {
  /// The tenant.
  public let tenant: String

  /// What was thrown.
  public let error: any Error

  /// The tenant and the error.
  public var description: String { "\(tenant): \(error)" }
}
