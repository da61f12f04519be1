import Foundation
import OxbowModel
import OxbowPlatform
import OxbowTestSupport
import Testing

@testable import OxbowRuntime

/// Who gets a store, who waits, and what is closed, with stores that are only numbers.
@Suite(.timeLimit(.minutes(30))) struct TenantTableTests {
  /// What the table did, and what keeps it from going on.
  private final class Shop: Sendable {
    struct State {
      var events: [String] = []
      var open: [String: Int] = [:]
      var number = 0
      var mostOpen = 0
      /// Tenants whose opening or closing waits.
      var held: Set<String> = []
      var broken: Set<String> = []
      /// Whether what is broken breaks only once.
      var breaksOnce = false
      /// The tenants whose store was made if it was not there, at the last opening.
      var created: Set<String> = []
      var wrongs: [String] = []
    }

    let state = Monitor(State())

    func open(_ tenant: String, _ creating: Bool) throws -> Int {
      state.update { state in
        if creating { state.created.insert(tenant) } else { state.created.remove(tenant) }
        state.events.append("open \(tenant)")
        state.open[tenant, default: 0] += 1
        if state.open[tenant] != 1 { state.wrongs.append("\(tenant) is open twice") }
        state.mostOpen = max(state.mostOpen, state.open.values.reduce(0, +))
      }
      state.wait { $0.held.contains(tenant) ? nil : () }
      return try state.update { state in
        guard !state.broken.contains(tenant) else {
          state.open[tenant] = nil
          if state.breaksOnce { state.broken.remove(tenant) }
          throw PersistenceError(.notAStore, "broken")
        }
        state.number += 1
        return state.number
      }
    }

    func close(_ tenant: String) {
      state.update { $0.events.append("close \(tenant)") }
      state.wait { $0.held.contains(tenant) ? nil : () }
      state.update { $0.open[tenant] = nil }
    }

    func hold(_ tenant: String) { state.update { _ = $0.held.insert(tenant) } }
    func release(_ tenant: String) { state.update { _ = $0.held.remove(tenant) } }

    var events: [String] { state.update { $0.events } }

    /// A table whose callers wait as long as it takes, on a busy machine too, but in tests of those
    /// that give up.
    func table(
      limit: Int, milliseconds: Int = 1_000_000, openers: Int = 16
    ) -> TenantTable<Int> {
      TenantTable(limit: limit, milliseconds: milliseconds, openers: openers) { tenant, creating in
        try self.open(tenant, creating)
      } close: { tenant, _ in
        self.close(tenant)
      }
    }
  }

  private let shop = Shop()

  private func waiting(_ count: Int, for table: TenantTable<Int>) async throws {
    try await wait { table.statistics.waiting == count }
  }

  private func use(_ tenant: String, of table: TenantTable<Int>) async throws {
    table.giveBack(try await table.lend(tenant, creating: false))
  }

  @Test func `callers that wait for a store share one opening, threads and tasks`() async throws {
    let table = shop.table(limit: 4)
    shop.hold("a")
    let tasks = (0..<5).map { _ in Task { try await table.lend("a", creating: false).store } }
    let threads = Monitor<[Int]>([])
    for _ in 0..<5 {
      Thread {
        let store = (try? table.lend("a", creating: false).store) ?? -1
        threads.update { $0.append(store) }
      }.start()
    }
    try await waiting(10, for: table)
    shop.release("a")
    for task in tasks { #expect(try await task.value == 1) }
    #expect(threads.wait { $0.count == 5 ? $0 : nil } == [1, 1, 1, 1, 1])
    #expect(shop.events == ["open a"])
    #expect(table.statistics == TenantStatistics(open: 1, used: 1, opened: 1))
  }

  @Test func `a creation that joins an opening which may not create is made after it`() async throws
  {
    let table = shop.table(limit: 1)
    shop.state.update { $0.broken = ["a"] }
    shop.hold("a")
    let reader = Task { try await table.lend("a", creating: false).store }
    try await waiting(1, for: table)
    let creator = Task { try await table.lend("a", creating: true).store }
    try await waiting(2, for: table)
    try await wait { shop.events == ["open a"] }
    shop.state.update {
      $0.breaksOnce = true
      $0.held.remove("a")
    }
    #expect(try await creator.value == 1)
    #expect(try await reader.value == 1)
    #expect(shop.events == ["open a", "open a"])
    #expect(shop.state.update { $0.created } == ["a"])
  }

  @Test func `no store is closed to make room where places are free`() async throws {
    let table = shop.table(limit: 10, openers: 1)
    for name in ["a", "b", "c"] { try await use(name, of: table) }
    shop.hold("d")
    let tasks = ["d", "e", "f"].map { name in Task { try await use(name, of: table) } }
    try await waiting(3, for: table)
    shop.release("d")
    for task in tasks { try await task.value }
    #expect(table.statistics.evicted == 0)
    #expect(table.statistics.open == 6)
  }

  @Test func `an opening that fails is an error for all who wait for it, and is tried again`()
    async throws
  {
    let table = shop.table(limit: 1)
    shop.state.update { $0.broken = ["a"] }
    shop.hold("a")
    let tasks = (0..<3).map { _ in Task { try await table.lend("a", creating: false).store } }
    try await waiting(3, for: table)
    shop.release("a")
    for task in tasks {
      let error = await #expect(throws: PersistenceError.self) { try await task.value }
      #expect(error?.code == .notAStore)
    }
    shop.state.update { $0.broken = [] }
    #expect(try await table.lend("a", creating: false).store == 1)
    #expect(shop.events == ["open a", "open a"])
  }

  @Test func `the store whose last use ended first makes room, never one that is used`()
    async throws
  {
    let table = shop.table(limit: 3)
    let used = try await table.lend("used", creating: false)
    try await use("a", of: table)
    try await use("b", of: table)
    try await use("a", of: table)
    try await use("c", of: table)
    #expect(shop.events.suffix(2) == ["close b", "open c"])
    try await use("d", of: table)
    #expect(shop.events.suffix(2) == ["close a", "open d"])
    #expect(table.lendIfOpen("used")?.store == used.store)
    #expect(table.lendIfOpen("a") == nil)
    #expect(table.statistics == TenantStatistics(open: 3, used: 1, opened: 5, evicted: 2))
  }

  @Test func `where all are used callers get a place in the order of asking`() async throws {
    let table = shop.table(limit: 1)
    let first = try await table.lend("first", creating: false)
    let order = Monitor<[String]>([])
    var tasks: [Task<Void, any Error>] = []
    for (index, tenant) in ["a", "b", "c", "a"].enumerated() {
      tasks.append(
        Task {
          let loan = try await table.lend(tenant, creating: false)
          order.update { $0.append(tenant) }
          table.giveBack(loan)
        })
      try await waiting(index + 1, for: table)
    }
    table.giveBack(first)
    for task in tasks { try await task.value }
    #expect(order.update { $0 } == ["a", "a", "b", "c"])
    #expect(shop.state.update { $0.mostOpen } == 1)
  }

  @Test func `a caller that waits too long for a place hears who and why, and is forgotten`()
    async throws
  {
    let table = shop.table(limit: 1, milliseconds: 1000)
    let loan = try await table.lend("a", creating: false)
    for isThread in [true, false] {
      let error = await #expect(throws: PersistenceError.self) {
        if isThread { return try Self.onThread { _ = try table.lend("b", creating: false) } }
        _ = try await table.lend("b", creating: false)
      }
      #expect(error?.code == .storeLocked)
      #expect(
        error?.message
          == "the store of the tenant 'b' was not opened within 1000 ms: all 1 stores that may be open "
          + "are used, or others are opened and migrated first; raise the limit, use fewer tenants "
          + "at a time, or migrate them before")
    }
    #expect(table.statistics.waiting == 0)
    table.giveBack(loan)
    #expect(shop.events == ["open a"])
    try await use("b", of: table)
    #expect(shop.events == ["open a", "close a", "open b"])
  }

  @Test func `who has ceased to wait lets no store be closed`() async throws {
    let table = shop.table(limit: 3)
    var loans: [TenantTable<Int>.Loan] = []
    for name in ["a", "b", "c"] { loans.append(try await table.lend(name, creating: false)) }
    for name in ["x", "y", "z"] {
      let gone = Task { try await table.lend(name, creating: false).store }
      try await waiting(1, for: table)
      gone.cancel()
      _ = await gone.result
    }
    for loan in loans { table.giveBack(loan) }
    #expect(table.statistics == TenantStatistics(open: 3, opened: 3))
    try await use("d", of: table)
    try await use("b", of: table)
    #expect(shop.events == ["open a", "open b", "open c", "close a", "open d"])
  }

  private static func onThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let result = Monitor<Result<Void, any Error>?>(nil)
    Thread { result.update { $0 = Result { try body() } } }.start()
    try result.wait(for: \.self).get()
  }

  @Test func `a slow opening is waited for longer than a place`() async throws {
    let table = shop.table(limit: 1, milliseconds: 1000)
    shop.hold("slow")
    let patient = Task { try await table.lend("slow", creating: false).store }
    try await waiting(1, for: table)
    let other = Task { try await table.lend("other", creating: false).store }
    let error = await #expect(throws: PersistenceError.self) { try await other.value }
    #expect(error?.code == .storeLocked)
    shop.release("slow")
    #expect(try await patient.value == 1)
  }

  @Test func `where many are opened at once others wait their turn, and may give up`() async throws
  {
    let table = shop.table(limit: 5, milliseconds: 1000, openers: 2)
    shop.hold("a")
    shop.hold("b")
    async let a = table.lend("a", creating: false).store
    async let b = table.lend("b", creating: false).store
    try await wait { shop.events.count == 2 }
    let error = await #expect(throws: PersistenceError.self) {
      try await table.lend("c", creating: false)
    }
    #expect(error?.code == .storeLocked)
    #expect(error?.message.contains("or others are opened and migrated first") == true)
    // Room is made meanwhile, too.
    shop.release("a")
    _ = try await a
    try await use("c", of: table)
    shop.release("b")
    _ = try await b
  }

  @Test func `who makes a store waits for it though cancelled, and hears that it is new`()
    async throws
  {
    let table = shop.table(limit: 1)
    shop.hold("a")
    let maker = Task { try await table.lend("a", creating: true).store }
    try await wait { shop.events == ["open a"] }
    maker.cancel()
    shop.release("a")
    #expect(try await maker.value == 1)
  }

  @Test func `a task that is cancelled waits no longer, and its opening serves the others`()
    async throws
  {
    let table = shop.table(limit: 1)
    shop.hold("a")
    let gone = Task { try await table.lend("a", creating: false).store }
    try await waiting(1, for: table)
    let stays = Task { try await table.lend("a", creating: false).store }
    try await waiting(2, for: table)
    gone.cancel()
    await #expect(throws: CancellationError.self) { try await gone.value }
    shop.release("a")
    #expect(try await stays.value == 1)
    #expect(table.statistics == TenantStatistics(open: 1, used: 1, opened: 1))
  }

  @Test func `an opening that is not waited for any more is kept for the next`() async throws {
    let table = shop.table(limit: 1)
    shop.hold("a")
    let gone = Task { try await table.lend("a", creating: false).store }
    try await waiting(1, for: table)
    gone.cancel()
    _ = await gone.result
    shop.release("a")
    try await use("a", of: table)
    try await use("b", of: table)
    #expect(shop.events == ["open a", "close a", "open b"])
  }

  @Test func `a tenant whose store is being closed is opened again after that`() async throws {
    let table = shop.table(limit: 2)
    table.giveBack(try await table.lend("a", creating: true))
    #expect(shop.state.update { $0.created } == ["a"])
    try await use("b", of: table)
    shop.hold("a")
    let other = Task { try await table.lend("c", creating: false).store }
    try await wait { shop.events.contains("close a") }
    let again = Task { try await table.lend("a", creating: false).store }
    try await waiting(2, for: table)
    shop.release("a")
    #expect(try await Set([other.value, again.value]) == [3, 4])
    // It may have been removed meanwhile, and is made for callers that ask for that.
    #expect(shop.state.update { $0.created } == [])
    #expect(shop.state.update { $0.wrongs } == [])
    #expect(shop.state.update { $0.mostOpen } == 2)
  }

  @Test func `a tenant is removed when it is not used, and refused meanwhile`() async throws {
    let table = shop.table(limit: 2, milliseconds: 1000)
    let loan = try await table.lend("a", creating: false)
    let used = #expect(throws: PersistenceError.self) { try table.remove("a") {} }
    #expect(used?.code == .storeLocked)
    #expect(used?.message.contains("the store of the tenant 'a' was not removed") == true)
    table.giveBack(loan)
    try table.remove("a") {
      #expect(shop.events == ["open a", "close a"])
      let refused = #expect(throws: PersistenceError.self) { try table.lend("a", creating: true) }
      #expect(refused?.code == .storeLocked)
      #expect(refused?.message.contains("is being removed") == true)
      let twice = #expect(throws: PersistenceError.self) { try table.remove("a") {} }
      #expect(twice?.code == .unknownTenant)
    }
    try await use("a", of: table)
    #expect(table.statistics == TenantStatistics(open: 1, opened: 2))
  }

  @Test func `the end closes all, refuses who waits, and waits for what is being opened`()
    async throws
  {
    let table = shop.table(limit: 2)
    let used = try await table.lend("used", creating: false)
    shop.hold("opening")
    let opening = Task { try await table.lend("opening", creating: false).store }
    try await wait { shop.events.contains("open opening") }
    let queued = Task { try await table.lend("queued", creating: false).store }
    try await waiting(2, for: table)
    let end = Task.detached { table.closeAll() }
    for task in [queued, opening] {
      let error = await #expect(throws: PersistenceError.self) { try await task.value }
      #expect(error?.code == .storeClosed)
    }
    #expect(shop.state.update { $0.open["opening"] } == 1)
    shop.release("opening")
    await end.value
    #expect(shop.state.update { $0.open } == [:])
    table.giveBack(used)
    let late = #expect(throws: PersistenceError.self) { try table.lend("used", creating: false) }
    #expect(late?.code == .storeClosed)
    #expect(table.statistics == TenantStatistics(opened: 1))
    table.closeAll()
  }

  @Test(arguments: 0..<8)
  func `many threads and tasks never see more stores than places, nor one that is closed (PS-04)`(
    _ seed: Int
  ) async throws {
    let limit = 1 + seed % 4
    let table = shop.table(limit: limit, milliseconds: 1000)
    shop.state.update { $0.broken = ["t3"] }
    let (count, broken) = (Counter(), Counter())
    @Sendable func check(_ tenant: String, _ loan: TenantTable<Int>.Loan) {
      let isOpen = shop.state.update { $0.open[tenant] == 1 }
      if !isOpen { shop.state.update { $0.wrongs.append("\(tenant) is closed while it is used") } }
      count.add()
      table.giveBack(loan)
    }
    @Sendable func note(_ error: any Error) {
      switch (error as? PersistenceError)?.code {
      case .notAStore?: broken.add()
      case .unknownTenant?, .storeLocked?: break
      default:
        if !(error is CancellationError) { shop.state.update { $0.wrongs.append("\(error)") } }
      }
    }
    let threads = WorkThreads(limit: 4)
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        var random = SeededRandom(seed: UInt64(seed * 100 + worker))
        let tenants = (0..<150).map { _ in "t\(Int.random(in: 0..<9, using: &random))" }
        let chances = (0..<150).map { _ in Int.random(in: 0..<40, using: &random) }
        group.addTask {
          guard worker % 2 == 0 else {
            for (tenant, chance) in zip(tenants, chances) {
              let task = Task { try await table.lend(tenant, creating: false) }
              if chance < 4 { task.cancel() }
              do { check(tenant, try await task.value) } catch { note(error) }
            }
            return
          }
          await threads.run {
            for (tenant, chance) in zip(tenants, chances) {
              do {
                if chance == 0 { try table.remove(tenant) {} }
                check(tenant, try Self.lending(tenant, table))
              } catch { note(error) }
            }
          }
        }
      }
    }
    table.closeAll()
    #expect(shop.state.update { $0.wrongs } == [])
    #expect(shop.state.update { $0.mostOpen } <= limit)
    #expect(shop.state.update { $0.open } == [:])
    #expect(count.value > 500)
    #expect(broken.value > 0)
    #expect(table.statistics.waiting == 0)
  }

  private static func lending(_ tenant: String, _ table: TenantTable<Int>) throws
    -> TenantTable<Int>.Loan
  { try table.lend(tenant, creating: false) }
}

/// A number that threads count up.
private final class Counter: Sendable {
  private let state = Monitor(0)
  var value: Int { state.update { $0 } }
  func add() { state.update { $0 += 1 } }
}

extension TenantStatistics {
  init(open: Int = 0, used: Int = 0, waiting: Int = 0, opened: Int = 0, evicted: Int = 0) {
    self.init()
    self.open = open
    self.used = used
    self.waiting = waiting
    self.opened = opened
    self.evicted = evicted
  }
}
