#if PostgreSQL
  import Foundation
  import OxbowModel
  @testable import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// Servers that end, vanish and are replaced while programs use them.
  @Suite(.enabled(if: TestServer.shared != nil), .serialized, .timeLimit(.minutes(30)))
  struct PostgresOutageTests {
    @Test func `between two calls a server is started anew, and the first call in between says so`()
      throws
    {
      let own = try #require(TestServer())
      let library = try PostgresLibrary(at: own.location("store"))
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      own.stop()
      let errors = [
        errorOf { _ = try library.keys("Tag") },
        errorOf { try library.save { $0.inserts = [try library.insert("Tag", 2)] } },
      ]
      #expect(errors.allSatisfy { $0?.code == .storeUnreachable })
      #expect(errors.allSatisfy { $0?.message.contains("check that it runs") == true })
      #expect(own.restart())
      try library.save { $0.inserts = [try library.insert("Tag", 3)] }
      own.stop()
      #expect(own.restart())
      #expect(try library.keys("Tag") == [1, 3])
    }

    // MARK: Silence

    private static let impatient = PostgresStoreOptions(
      connectSeconds: 2, outcomeMilliseconds: 500, answerMilliseconds: 200)

    @Test func `a server that says nothing more ends calls with an error, and so it is closed`()
      throws
    {
      let own = try #require(TestServer())
      let location = own.location("store")
      let library = try PostgresLibrary(at: location, options: Self.impatient)
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      own.freeze()
      let reading = errorOf { _ = try library.keys("Tag") }
      #expect(reading?.code == .storeUnreachable, "\(reading?.description ?? "")")
      own.thaw()
      #expect(try library.keys("Tag") == [1])
      try library.save { $0.inserts = [try library.insert("Tag", 2)] }
      own.freeze()
      let saving = errorOf { try library.save { $0.inserts = [try library.insert("Tag", 3)] } }
      #expect(saving?.code == .commitUnknown, "\(saving?.description ?? "")")
      library.store.close()
      own.thaw()
      let later = try PostgresLibrary(at: location)
      let known = try later.keys("Tag")
      #expect([[1, 2], [1, 2, 3]].contains(known))
    }

    @Test func `closing a store whose server has vanished ends`() throws {
      let own = try #require(TestServer())
      let library = try PostgresLibrary(at: own.location("store"))
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      own.freeze()
      library.store.close()
      own.thaw()
    }

    @Test func `a read is cancelled although the server does not hear of it`() throws {
      let own = try #require(TestServer())
      let proxy = try #require(CuttingProxy(to: own))
      let library = try PostgresLibrary(
        at: PostgresLocation(proxy.connection, schema: "store"),
        options: PostgresStoreOptions(connectSeconds: 2))
      _ = try library.keys("Tag")
      let cancellation = ReadCancellation()
      proxy.watch { _ in
        own.freeze()
        cancellation.cancel()
        return true
      }
      var fetch = try library.fetch("Tag")
      fetch.cancellation = cancellation
      let error = errorOf { _ = try library.store.rows(of: fetch) }
      #expect(error?.code == .cancelled, "\(error?.description ?? "")")
      own.thaw()
    }

    // MARK: Killed

    enum Victim: CaseIterable { case backend, server }

    @Test(arguments: Victim.allCases)
    func `a server that is killed under load keeps what it has acknowledged, and nothing else`(
      victim: Victim
    ) throws {
      let own = try #require(TestServer())
      let library = try PostgresLibrary(at: own.location("load"))
      let savers = Savers(library, threads: 8)
      savers.awaitLoad()
      switch victim {
      case .backend:
        let process = own.sql(
          "SELECT min(pid) FROM pg_stat_activity WHERE application_name = 'oxbow'")
        kill(try #require(pid_t(process)), SIGKILL)
        own.wait(untilLogHas: "terminating any other active server processes")
        own.wait(until: "SELECT 1")
      case .server:
        own.crash()
        #expect(own.restart())
        #expect(own.log.contains("not properly shut down"))
      }
      savers.letEnd()
      check(savers.ledger(), Set(try library.keys("Tag")), "killed: \(victim)")
    }

    @Test
    func `a replica that takes over has every acknowledged save, and the fence decides others`()
      throws
    {
      let primary = try #require(TestServer())
      let location = primary.location("load")
      try PostgresLibrary(at: location).store.close()
      let replica = try #require(TestServer(replicaOf: primary))
      primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
      primary.sql("SELECT pg_reload_conf()")
      primary.wait(
        until: "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
      try expectNoAnswer(primary, replica)
      let library = try PostgresLibrary(
        at: PostgresLocation(
          "host=\(primary.folder),\(replica.folder) port=5432,5432 user=oxbow dbname=postgres "
            + "target_session_attrs=read-write", schema: "load"))
      let savers = Savers(library, threads: 8)
      savers.awaitLoad()
      primary.crash()
      let between = errorOf {
        _ = try PostgresLibrary(
          at: PostgresLocation(
            "host=\(replica.folder) user=oxbow dbname=postgres target_session_attrs=read-write",
            schema: "load"))
      }
      #expect(between?.message.contains("'target_session_attrs'") == true)
      #expect(replica.promote())
      savers.letEnd()
      let ledger = savers.ledger()
      let kept = try PostgresLibrary(at: replica.location("load")).keys("Tag")
      check(ledger, Set(kept), "failed over")
    }

    /// A commit that waits for its replica is not acknowledged, and not ended: it would be there.
    private func expectNoAnswer(_ primary: TestServer, _ replica: TestServer) throws {
      let library = try PostgresLibrary(at: primary.location("load"), options: Self.impatient)
      try library.save { $0.inserts = [try library.insert("Shelf", 1)] }
      replica.freeze()
      let error = errorOf { try library.save { $0.inserts = [try library.insert("Shelf", 2)] } }
      #expect(error?.code == .commitUnknown, "\(error?.description ?? "")")
      #expect(primary.sql("SELECT count(*) FROM load.\"Shelf\"") == "1")
      #expect(library.store.pool.news.undecided == 1)
      replica.thaw()
      primary.wait(until: "SELECT count(*) = 2 FROM load.\"Shelf\"")
      // The next save lets it be found out that it is there.
      try library.save { $0.inserts = [try library.insert("Shelf", 3)] }
      while library.store.pool.news.undecided > 0 { primary.sql("SELECT pg_sleep(0.02)") }
      #expect(library.store.pool.counts.saves == 3)
    }

    @Test func `a save does not wait until the outcome of an earlier one is known`() throws {
      let own = try #require(TestServer())
      let library = try PostgresLibrary(at: own.location("store"))
      let pool = library.store.pool
      try library.save { $0.inserts = [try library.insert("Tag", 1)] }
      own.sql("INSERT INTO store._oxbow_sessions VALUES (77, 0, 5, now())")
      pool.noteUndecided(SaveFence(id: 77, names: library.store.names), 5)
      let holder = try OtherProgram(
        "UPDATE store._oxbow_sessions SET seen = seen WHERE session = 77", on: own)
      try library.save { $0.inserts = [try library.insert("Tag", 2)] }
      #expect(
        own.becomes(
          "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
            + "AND query LIKE '%_oxbow_sessions%epoch%'"))
      #expect(pool.news.undecided == 1)
      holder.end()
      while pool.news.undecided > 0 {
        pool.decide {}
        own.sql("SELECT pg_sleep(0.02)")
      }
      #expect(pool.counts.saves == 3)
    }

    private func check(_ ledger: Savers.Ledger, _ kept: Set<Int64>, _ event: String) {
      #expect(ledger.saved.subtracting(kept).isEmpty, "acknowledged and lost")
      let denied = ledger.failed.filter { $0.value != .commitUnknown }
      #expect(kept.isDisjoint(with: denied.keys), "denied and kept")
      #expect(ledger.failed.values.allSatisfy { Savers.expected.contains($0) }, "\(ledger.failed)")
      #expect(kept.subtracting(ledger.saved).isSubset(of: ledger.failed.keys))
      print(
        "\(event): \(ledger.saved.count) acknowledged, \(kept.count) kept, "
          + "\(ledger.failed.count) failed, \(ledger.failed.count - denied.count) unknown")
    }
  }

  /// Threads that save one new object after the other.
  final class Savers: Sendable {
    /// What became of each save, by its key.
    struct Ledger: Sendable {
      var saved: Set<Int64> = []
      var failed: [Int64: PersistenceError.Code] = [:]
    }

    static let expected: Set<PersistenceError.Code> = [
      .storeUnreachable, .storeLocked, .storeReadOnly, .commitUnknown,
    ]

    private let library: PostgresLibrary
    private let threads: Int
    private let total = Mutex(Ledger())
    private let mayEnd = Shared(false)
    private let isWorking = DispatchSemaphore(value: 0)
    private let end = DispatchGroup()

    /// Open once the server is back.
    private let gate = DispatchGroup()

    init(_ library: PostgresLibrary, threads: Int) {
      self.library = library
      self.threads = threads
      gate.enter()
      for thread in 1...threads {
        end.enter()
        Thread.detachNewThread { [self] in
          let ledger = work(from: Int64(thread) * 1_000_000)
          total.withLock {
            $0.saved.formUnion(ledger.saved)
            $0.failed.merge(ledger.failed) { first, _ in first }
          }
          end.leave()
        }
      }
    }

    /// Waits until each thread has saved something.
    func awaitLoad() { for _ in 0..<threads { isWorking.wait() } }

    /// Says that the server is there, and that each thread may end some saves later.
    func letEnd() {
      mayEnd.value.withLock { $0 = true }
      gate.leave()
    }

    /// What became of all saves; waits for the threads.
    func ledger() -> Ledger {
      end.wait()
      return total.withLock { $0 }
    }

    private func work(from first: Int64) -> Ledger {
      var ledger = Ledger()
      var (key, rest) = (first, 10)
      while rest > 0 {
        key += 1
        if mayEnd.value.withLock({ $0 }) { rest -= 1 }
        let error = errorOf { try library.save { $0.inserts = [try library.insert("Tag", key)] } }
        if let error {
          ledger.failed[key] = error.code
          gate.wait()
        } else {
          ledger.saved.insert(key)
        }
        if key == first + 10 { isWorking.signal() }
      }
      return ledger
    }
  }
#endif
