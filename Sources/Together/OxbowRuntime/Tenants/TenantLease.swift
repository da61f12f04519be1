internal import OxbowContainer
internal import OxbowContext
internal import OxbowModel
internal import OxbowStore
internal import Synchronization

/// A tenant's store that is open, and what ends with it.
final class OpenTenant: Sendable {
  let name: String
  let store: PersistentContainer
  fileprivate let tenancy: Tenancy
  private let isNew: Atomic<Bool>

  /// Takes over an open store of the stores with a key; `isNew` says whether opening made it.
  init(_ name: String, _ store: PersistentContainer, of key: TenantKey, isNew: Bool) {
    (self.name, self.store) = (name, store)
    self.isNew = Atomic(isNew)
    tenancy = Tenancy { work in
      let lease = TenantLease(name, store, of: key)
      defer { lease.end() }
      do { try TenantLease.$current.withValue(lease) { try store.inContext(work) } } catch {
        store.coordinator.report("objects of the tenant '\(name)' ended with an error: \(error)")
      }
    }
  }

  /// Whether the store is new, for the first caller that asks: several may wait for one opening.
  func claim() -> Bool { isNew.exchange(false, ordering: .relaxed) }

  /// Disposes of the tenant's objects, and closes the store.
  func close() {
    tenancy.end()
    store.close()
  }
}

extension PersistentContainer {
  /// Runs `body` with a new context behind ``contexts``, for the calling thread, or for the task
  /// that it runs.
  func inContext<R>(_ body: () throws -> R) throws -> R {
    guard ContextOwner.currentTask != nil else { return try scope(body) }
    return try TaskContext.scope(
      ofStoreAlone: true,
      {
        ManagedObjectContext(
          coordinator: coordinator, name: "task's context", owner: $0, options: options)
      }, body)
  }
}

/// What tells the stores of one folder from those of others.
final class TenantKey: Sendable {}

/// One use of a tenant's store: what runs for the tenant meanwhile, on a thread or in a task.
final class TenantLease: Sendable {
  /// The innermost use in which the calling code runs; tasks inherit it.
  @TaskLocal fileprivate static var current: TenantLease?

  let tenant: String
  let store: PersistentContainer
  private let key: TenantKey
  // Not those that have ended: tasks that begin each other would make a chain without an end.
  private let outer = TenantLease.current?.innermostUnderWay
  private let isOver = Atomic<Bool>(false)

  fileprivate init(_ tenant: String, _ store: PersistentContainer, of key: TenantKey) {
    (self.tenant, self.store, self.key) = (tenant, store, key)
  }

  fileprivate func end() { isOver.store(true, ordering: .releasing) }

  /// The use, or one around it, that has not ended.
  private var innermostUnderWay: TenantLease? {
    isOver.load(ordering: .acquiring) ? outer?.innermostUnderWay : self
  }

  /// Whether the calling code runs for a tenant of the stores with a key.
  static func isUnderWay(for tenant: String, of key: TenantKey) -> Bool {
    var step = current
    while let lease = step {
      if lease.key === key, lease.tenant == tenant, !lease.isOver.load(ordering: .acquiring) {
        return true
      }
      step = lease.outer
    }
    return false
  }

  /// Whether the calling code runs for a tenant of stores with another key.
  fileprivate static func isInsideOthers(than key: TenantKey) -> Bool {
    var step = current?.innermostUnderWay
    while let lease = step {
      if lease.key !== key { return true }
      step = lease.outer?.innermostUnderWay
    }
    return false
  }

  /// The use of a store with a key in which the calling code runs.
  ///
  /// - Throws: ``PersistenceError`` with code `noTenant` where there is none, or it has ended.
  static func innermost(of key: TenantKey) throws(PersistenceError) -> TenantLease {
    var step = current
    while let lease = step {
      guard lease.key === key else {
        step = lease.outer
        continue
      }
      if lease.isOver.load(ordering: .acquiring) { throw .tenantOver(lease.tenant) }
      return lease
    }
    throw .noTenant
  }
}

extension OpenTenant {
  /// What objects of tenant scope belong to: to the tenants of other stores too, inside of which
  /// the calling code runs.
  private func tenancy(_ key: TenantKey) -> Tenancy {
    guard let outer = Tenancy.current, TenantLease.isInsideOthers(than: key) else { return tenancy }
    return tenancy.inside(outer)
  }

  /// Runs `body` for the tenant.
  func run<R>(
    _ key: TenantKey, _ body: (PersistentContainer) throws -> R
  ) rethrows -> R {
    let (lease, tenancy) = (TenantLease(name, store, of: key), tenancy(key))
    defer { lease.end() }
    return try TenantLease.$current.withValue(lease) {
      try Tenancy.$current.withValue(tenancy) { try body(store) }
    }
  }

  /// Runs `body` for the tenant, in the calling task.
  func run<R>(
    _ key: TenantKey, _ body: (PersistentContainer) async throws -> R
  ) async throws -> R {
    let (lease, tenancy) = (TenantLease(name, store, of: key), tenancy(key))
    defer { lease.end() }
    return try await TenantLease.$current.withValue(lease) {
      try await Tenancy.$current.withValue(tenancy) { try await body(store) }
    }
  }
}

/// Where a proxy finds the context of the current tenant: that of the thread, or the one that is
/// bound to the task.
struct TenantContextSource: ChangingContextSource {
  let key: TenantKey

  /// Whether the thread or task has its context.
  var isMaterialized: Bool { (try? contexts)?._source.isMaterialized ?? false }

  /// The context for a call that is made now.
  ///
  /// - Throws: ``PersistenceError``: `noTenant`, `insideTask`.
  func target() throws -> any ObjectContext { try contexts._targetObjectContext() }

  /// The contexts of the current tenant's store.
  var contexts: ObjectContextProxy {
    get throws { try TenantLease.innermost(of: key).store.contexts }
  }
}
