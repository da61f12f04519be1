internal import OxbowModel
internal import OxbowPlatform

/// Opens stores of tenants on demand, and closes them to make room.
///
/// A store is opened once for all callers that ask for it meanwhile. When all places are taken, the
/// store whose last use ended first is closed, and none that is used. Opening and closing run on
/// threads of the table's own, never under its lock, and take a place all the while: there are
/// never more stores than places. Tenants get a place in the order of asking. One whose store is
/// being closed is opened again after that.
final class TenantTable<Store: Sendable>: Sendable {
  typealias Loan = TenantPlaces<Store>.Loan

  private let limit: Int
  private let milliseconds: Int
  private let openers: WorkThreads
  private let open: @Sendable (_ tenant: String, _ creating: Bool) throws -> Store
  private let close: @Sendable (_ tenant: String, Store) -> Void
  private let places: Monitor<TenantPlaces<Store>>

  /// Creates a table without stores.
  ///
  /// - Parameters:
  ///   - limit: The number of places; at least one.
  ///   - milliseconds: How long a caller waits for a place; at least a second.
  ///   - openers: How many stores are opened at once, and how many are closed.
  ///   - open: Opens a store, and makes it where there is none if `creating`.
  ///   - close: Closes a store.
  init(
    limit: Int, milliseconds: Int, openers: Int = 16,
    open: @escaping @Sendable (_ tenant: String, _ creating: Bool) throws -> Store,
    close: @escaping @Sendable (_ tenant: String, Store) -> Void
  ) {
    self.limit = max(1, limit)
    self.milliseconds = max(1000, milliseconds)
    self.openers = WorkThreads(limit: 2 * openers)
    self.open = open
    self.close = close
    places = Monitor(TenantPlaces(limit: max(1, limit), openers: openers))
  }

  var statistics: TenantStatistics { places.wait { .some($0.statistics) } }

  /// Changes the places, and begins the jobs that follow from it.
  private func change<R, E: Error>(
    _ body: (inout TenantPlaces<Store>) throws(E) -> R
  ) throws(E) -> R {
    let (result, jobs) = try places.update { (places) throws(E) in
      (try body(&places), places.jobs())
    }
    for job in jobs { Task.detached(executorPreference: openers) { self.run(job) } }
    return result
  }

  private func run(_ job: TenantPlaces<Store>.Job) {
    switch job {
    case .open(let tenant, let creating):
      do {
        let store = try open(tenant.name, creating)
        if end(tenant, .success(store)) { return }
        close(tenant.name, store)
        end(tenant, .failure(PersistenceError.tenantsClosed))
      } catch {
        end(tenant, .failure(error))
      }
    case .close(let tenant, let store):
      close(tenant.name, store)
      change { $0.closed(tenant) }
    }
  }

  /// Ends an opening, for all callers that wait for it; not that of a store which has to be closed
  /// again.
  @discardableResult private func end(
    _ tenant: TenantPlaces<Store>.Tenant, _ result: Result<Store, any Error>
  ) -> Bool {
    guard let outcomes = change({ $0.opened(tenant, result) }) else { return false }
    for (waiter, outcome) in outcomes { waiter.end(outcome) }
    return true
  }
}

// MARK: - Lending

extension TenantTable {
  /// Lends a store that is open; while it is being removed, only if `isInside` says that the caller
  /// is inside of a use.
  func lendIfOpen(_ tenant: String, inside isInside: () -> Bool = { false }) -> Loan? {
    places.update { $0.lendIfOpen(tenant, inside: isInside) }
  }

  /// Lends a store, opened if it is not; the thread waits for it.
  ///
  /// - Throws: What opening throws; `storeLocked` when no place came free in time, `storeClosed`.
  func lend(_ tenant: String, creating: Bool) throws -> Loan {
    switch try ask(tenant, creating) {
    case .lent(let loan): return loan
    case .wait(let waiter):
      if let outcome = waiter.outcome(within: milliseconds) { return try outcome.get() }
      expire(waiter)
      return try waiter.outcome().get()
    }
  }

  /// Lends a store, opened if it is not; no thread waits.
  ///
  /// - Throws: As for threads, and `CancellationError`.
  func lend(_ tenant: String, creating: Bool) async throws -> Loan {
    switch try ask(tenant, creating) {
    case .lent(let loan): return loan
    case .wait(let waiter):
      let timer = Task.detached { [self] in
        try await Task.sleep(for: .milliseconds(milliseconds))
        expire(waiter)
      }
      defer { timer.cancel() }
      return try await withTaskCancellationHandler {
        try await waiter.loan()
      } onCancel: {
        // Who makes a store is the one that hears so.
        withdraw(waiter, CancellationError(), evenWhileOpening: !creating)
      }
    }
  }

  /// Ends a use of a store.
  func giveBack(_ loan: Loan) { change { $0.giveBack(loan.tenant) } }

  private func ask(
    _ tenant: String, _ creating: Bool
  ) throws(PersistenceError) -> TenantPlaces<Store>.Answer {
    try change { (places) throws(PersistenceError) in try places.ask(tenant, creating: creating) }
  }

  /// Ends the waiting for a place; an opening that has begun will end by itself.
  private func expire(_ waiter: TenantWaiter<Store>) {
    withdraw(
      waiter,
      PersistenceError.tenantWaited(waiter.tenant.name, limit: limit, milliseconds: milliseconds),
      evenWhileOpening: false)
  }

  private func withdraw(
    _ waiter: TenantWaiter<Store>, _ error: any Error, evenWhileOpening: Bool
  ) {
    if change({ $0.withdraw(waiter, evenWhileOpening: evenWhileOpening) }) {
      waiter.end(.failure(error))
    }
  }
}

// MARK: - Ends

extension TenantTable {
  /// Runs `body` while the tenant's store is closed, and is not opened for others.
  ///
  /// - Throws: What `body` throws; `storeLocked` when the store was used for too long,
  ///   `unknownTenant` while another call removes it, `storeClosed`.
  func remove(_ tenant: String, _ body: () throws -> Void) throws {
    let isFirst = try places.update { (places) throws(PersistenceError) in
      if places.isClosed { throw .tenantsClosed }
      return places.beginRemoval(tenant)
    }
    guard isFirst else { throw PersistenceError.unknownTenant(tenant) }
    defer { places.update { $0.endRemoval(tenant) } }
    guard
      let jobs = places.wait(
        milliseconds: milliseconds, for: { $0.closingForRemoval(tenant) })
    else { throw PersistenceError.tenantUsed(tenant, milliseconds: milliseconds) }
    for job in jobs { run(job) }
    try body()
  }

  /// Closes all stores, and waits until those are closed that were being opened.
  func closeAll() {
    let (stores, waiters) = places.update { $0.closeAll() }
    for waiter in waiters { waiter.end(.failure(PersistenceError.tenantsClosed)) }
    for (tenant, store) in stores {
      close(tenant, store)
      places.update { $0.closedAtEnd() }
    }
    places.wait { $0.running == 0 ? () : nil }
    openers.shutDown()
  }
}
