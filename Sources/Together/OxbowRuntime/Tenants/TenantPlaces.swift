internal import OxbowModel
internal import OxbowPlatform

/// Which tenants' stores are open, what uses them, and what waits: the state of a ``TenantTable``.
struct TenantPlaces<Store: Sendable> {
  typealias Waiter = TenantWaiter<Store>

  /// A tenant whose store is open, or was asked for.
  final class Tenant: @unchecked Sendable {
    // Sendable by argument: all but the name is touched only under the table's lock.

    let name: String
    fileprivate var phase = Phase.queued
    fileprivate var users = 0
    fileprivate var waiters: [Waiter] = []
    /// Whether a caller that waits wants a store made where there is not one.
    fileprivate var isCreated = false
    /// Whether the opening that is under way may make it.
    fileprivate var isCreating = false
    /// The neighbours among the unused.
    fileprivate unowned var previous: Tenant?
    fileprivate unowned var next: Tenant?

    init(_ name: String) { self.name = name }
  }

  fileprivate enum Phase {
    /// It waits for a place.
    case queued
    case opening
    case open(Store)
    case closing
  }

  /// One use of a store, which is open until it is given back.
  struct Loan: Sendable {
    let store: Store
    let tenant: Tenant
  }

  /// Work that is done without the lock.
  enum Job: Sendable {
    case open(Tenant, creating: Bool)
    case close(Tenant, Store)
  }

  enum Answer {
    case lent(Loan)
    case wait(Waiter)
  }

  /// Callers that waited, and what came of it.
  typealias Outcomes = [(waiter: Waiter, outcome: Result<Loan, any Error>)]

  private let limit: Int
  /// How many stores are opened at once; the others wait, and may give up.
  private let openers: Int
  private var opening = 0
  private var tenants: [String: Tenant] = [:]
  private var queue = WorkQueue<Tenant>()
  /// How many in the queue are not waited for any more.
  private var abandoned = 0
  private var unused = UnusedTenants()
  /// The tenants that are being removed.
  private var leaving: Set<String> = []
  /// How many stores are being closed to make room.
  private var evicting = 0
  /// How many jobs have not ended.
  private(set) var running = 0
  private(set) var isClosed = false
  private(set) var statistics = TenantStatistics()

  init(limit: Int, openers: Int) {
    self.limit = limit
    self.openers = max(1, openers)
  }

  // MARK: - Lending

  /// Lends the store of a tenant, if it is open; while it is being removed, only inside of a use.
  mutating func lendIfOpen(_ name: String, inside isInside: () -> Bool) -> Loan? {
    guard let tenant = tenants[name], case .open(let store) = tenant.phase,
      leaving.isEmpty || !leaving.contains(name) || isInside()
    else { return nil }
    if tenant.users == 0 {
      unused.remove(tenant)
      statistics.used += 1
    }
    tenant.users += 1
    return Loan(store: store, tenant: tenant)
  }

  mutating func ask(_ name: String, creating: Bool) throws(PersistenceError) -> Answer {
    if isClosed { throw .tenantsClosed }
    if leaving.contains(name) { throw .tenantLeaving(name) }
    if let loan = lendIfOpen(name, inside: { false }) { return .lent(loan) }
    let tenant = tenants[name] ?? queued(Tenant(name))
    if creating { tenant.isCreated = true }
    let waiter = Waiter(tenant)
    tenant.waiters.append(waiter)
    statistics.waiting += 1
    return .wait(waiter)
  }

  private mutating func queued(_ tenant: Tenant) -> Tenant {
    tenants[tenant.name] = tenant
    tenant.phase = .queued
    queue.add(tenant, priority: 0)
    return tenant
  }

  /// Ends a use.
  mutating func giveBack(_ tenant: Tenant) {
    tenant.users -= 1
    guard tenant.users == 0, !isClosed else { return }
    statistics.used -= 1
    unused.append(tenant)
  }

  /// Lets a caller wait no longer, if its store is not there yet; nor being opened, unless that
  /// does not matter.
  ///
  /// - Returns: Whether it waits no longer.
  mutating func withdraw(_ waiter: Waiter, evenWhileOpening: Bool) -> Bool {
    let tenant = waiter.tenant
    if case .opening = tenant.phase, !evenWhileOpening { return false }
    guard let index = tenant.waiters.firstIndex(where: { $0 === waiter }) else { return false }
    tenant.waiters.remove(at: index)
    statistics.waiting -= 1
    if case .queued = tenant.phase, tenant.waiters.isEmpty {
      forget(tenant)
      abandoned += 1
    }
    return true
  }

  // MARK: - Jobs

  /// What is to be done now: tenants that wait get the free places, and room is made for more.
  mutating func jobs() -> [Job] {
    guard queue.count > 0, !isClosed else { return [] }
    var jobs: [Job] = []
    while statistics.open < limit, opening < openers, let tenant = queue.take() {
      guard !tenant.waiters.isEmpty else {
        abandoned -= 1
        continue
      }
      tenant.phase = .opening
      tenant.isCreating = tenant.isCreated
      opening += 1
      statistics.open += 1
      jobs.append(.open(tenant, creating: tenant.isCreated))
    }
    while evicting < queue.count - abandoned - (limit - statistics.open), let tenant = unused.first,
      case .open(let store) = tenant.phase
    {
      statistics.evicted += 1
      jobs.append(.close(beginToClose(tenant), store))
    }
    running += jobs.count
    return jobs
  }

  private mutating func beginToClose(_ tenant: Tenant) -> Tenant {
    unused.remove(tenant)
    tenant.phase = .closing
    evicting += 1
    return tenant
  }

  /// Notes that a store was opened, for all callers that wait for it, or why it was not.
  ///
  /// - Returns: `nil`, and nothing is noted, for a store that has to be closed again: all are.
  mutating func opened(_ tenant: Tenant, _ result: Result<Store, any Error>) -> Outcomes? {
    if isClosed, case .success = result { return nil }
    running -= 1
    opening -= 1
    if case .failure = result, tenant.isCreated, !tenant.isCreating, !isClosed {
      // A caller that wants it made came when one was opening it that does not.
      statistics.open -= 1
      if tenant.waiters.isEmpty { forget(tenant) } else { _ = queued(tenant) }
      return []
    }
    let waiters = tenant.waiters
    tenant.waiters = []
    statistics.waiting -= waiters.count
    switch result {
    case .success(let store):
      tenant.phase = .open(store)
      // Opened again later, it is not made again.
      tenant.isCreated = false
      tenant.users = waiters.count
      statistics.opened += 1
      if waiters.isEmpty { unused.append(tenant) } else { statistics.used += 1 }
      return waiters.map { ($0, .success(Loan(store: store, tenant: tenant))) }
    case .failure(let error):
      statistics.open -= 1
      forget(tenant)
      return waiters.map { ($0, .failure(error)) }
    }
  }

  /// Notes that a store was closed; callers that came meanwhile wait for a place again.
  mutating func closed(_ tenant: Tenant) {
    running -= 1
    evicting -= 1
    statistics.open -= 1
    if tenant.waiters.isEmpty { forget(tenant) } else { _ = queued(tenant) }
  }

  private mutating func forget(_ tenant: Tenant) {
    if tenants[tenant.name] === tenant { tenants[tenant.name] = nil }
  }

  // MARK: - Ends

  /// Refuses callers that ask for a tenant from now on.
  ///
  /// - Returns: Whether that is new.
  mutating func beginRemoval(_ name: String) -> Bool { leaving.insert(name).inserted }

  /// Notes that one of the stores of ``closeAll()`` was closed.
  mutating func closedAtEnd() { running -= 1 }

  mutating func endRemoval(_ name: String) { leaving.remove(name) }

  /// What has to be closed before a tenant is removed.
  ///
  /// - Returns: `nil` as long as its store is used.
  mutating func closingForRemoval(_ name: String) -> [Job]? {
    guard let tenant = tenants[name] else { return [] }
    guard case .open(let store) = tenant.phase, tenant.users == 0 else { return nil }
    running += 1
    return [.close(beginToClose(tenant), store)]
  }

  /// Lends nothing any more.
  ///
  /// - Returns: The stores that are open, and the callers that wait.
  mutating func closeAll() -> (stores: [(tenant: String, store: Store)], waiters: [Waiter]) {
    guard !isClosed else { return ([], []) }
    isClosed = true
    let waiters = tenants.values.flatMap(\.waiters)
    let stores = tenants.values.compactMap { tenant in
      if case .open(let store) = tenant.phase { (tenant.name, store) } else { nil }
    }
    for tenant in tenants.values { tenant.waiters = [] }
    statistics.waiting = 0
    statistics.used = 0
    statistics.open -= stores.count
    // Another caller waits until these are closed, too.
    running += stores.count
    (tenants, queue, unused, abandoned) = ([:], WorkQueue(), UnusedTenants(), 0)
    return (stores, waiters)
  }

  /// Tenants whose stores are not used, in the order in which their last uses ended.
  private struct UnusedTenants {
    private(set) var first: Tenant?
    private var last: Tenant?

    mutating func append(_ tenant: Tenant) {
      tenant.previous = last
      if let last { last.next = tenant } else { first = tenant }
      last = tenant
    }

    mutating func remove(_ tenant: Tenant) {
      let (previous, next) = (tenant.previous, tenant.next)
      (tenant.previous, tenant.next) = (nil, nil)
      if let previous { previous.next = next } else { first = next }
      if let next { next.previous = previous } else { last = previous }
    }
  }
}

/// A caller that waits for a store.
final class TenantWaiter<Store: Sendable>: Sendable {
  typealias Outcome = Result<TenantPlaces<Store>.Loan, any Error>

  private struct State {
    var outcome: Outcome?
    var continuation: CheckedContinuation<TenantPlaces<Store>.Loan, any Error>?
  }

  let tenant: TenantPlaces<Store>.Tenant
  private let state = Monitor(State())

  init(_ tenant: TenantPlaces<Store>.Tenant) { self.tenant = tenant }

  /// Ends the waiting; called once.
  func end(_ outcome: Outcome) {
    let continuation = state.update { state in
      state.outcome = outcome
      return state.continuation
    }
    continuation?.resume(with: outcome)
  }

  /// What came of it; `nil` when the time is over.
  func outcome(within milliseconds: Int) -> Outcome? {
    state.wait(milliseconds: milliseconds, for: \.outcome)
  }

  /// What came of it, which is about to be known.
  func outcome() -> Outcome { state.wait(for: \.outcome) }

  /// What came of it.
  func loan() async throws -> TenantPlaces<Store>.Loan {
    try await withCheckedThrowingContinuation { continuation in
      let outcome = state.update { state in
        state.continuation = continuation
        return state.outcome
      }
      if let outcome { continuation.resume(with: outcome) }
    }
  }
}
