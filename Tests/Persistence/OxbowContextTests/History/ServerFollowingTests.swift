#if PostgreSQL
  import Foundation
  import OxbowContext
  import OxbowModel
  import OxbowPlatform
  import OxbowPostgres
  import OxbowSQLite
  import OxbowStore
  import OxbowTestSupport
  import Testing

  /// Saves of other programs in a store on a server, which stores that follow them announce.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct ServerFollowingTests {
    private let server: TestServer
    private let library: HistoryLibrary

    init() throws {
      server = try #require(TestServer.shared)
      library = try HistoryLibrary(.server)
    }

    private func follower(
      waitMilliseconds: Int = 5000
    ) throws -> PersistentStoreCoordinator {
      try library.open {
        $0.followsOtherProcesses = true
        $0.busyMilliseconds = waitMilliseconds
      }
    }

    private func add(_ title: String, in context: ManagedObjectContext) throws {
      _ = try context.insert(Book.self) { $0.title = title }
      try context.save()
    }

    /// The contexts that saved, until a number of events has come.
    private func authors(_ events: SaveEvents, _ count: Int) async -> [String] {
      var authors: [String] = []
      for await news in events {
        #expect(news.isComplete)
        authors += news.events.map(\.author)
        if authors.count >= count { break }
      }
      return authors
    }

    @Test func `PS-11 two programs hear of each other, each of itself once`() async throws {
      let (first, second) = (try follower(), try follower())
      defer {
        first.close()
        second.close()
      }
      let events = [first.didSaveEvents(), second.didSaveEvents()]
      let contexts = [first.context("first"), second.context("second")]
      for number in 0..<6 { try add("\(number)", in: contexts[number % 2]) }
      for (index, sequence) in events.enumerated() {
        var seen: [SaveEvent] = []
        for await news in sequence {
          #expect(news.isComplete)
          seen += news.events
          if seen.count >= 6 { break }
        }
        let own = ["first", "second"][index]
        #expect(seen.count == 6 && seen.filter { $0.author == own }.count == 3)
        #expect(seen.allSatisfy { ($0.origin == .here) == ($0.author == own) })
      }
    }

    @Test func `PS-11 a save of another process is an event, and changes lists and objects`()
      async throws
    {
      let coordinator = try follower()
      defer { coordinator.close() }
      let context = coordinator.context("list")
      context.automaticallyMergesChangesFromParent = true
      let books = try ["a", "b"].map { title in
        try context.insert(Book.self) { $0.title = title }
      }
      try context.save()
      let shelf = try FetchedResults(
        FetchRequest<Book>(sortedBy: [SortKey("title")]), in: context)
      let events = coordinator.didSaveEvents()
      await #expect(processExitsWith: .success) { [path = library.path as String] in
        let coordinator = try HistoryLibrary.open(path)
        let context = coordinator.context("elsewhere")
        let books = try context.fetch(Book.self, sortedBy: [.ascending(\.title)])
        books[0].title = "renamed"
        try context.delete(books[1])
        try context.save()
        coordinator.close()
      }
      #expect(await authors(events, 1) == ["elsewhere"])
      for try await _ in shelf.changes() where shelf.objects.map(\.title) == ["renamed"] { break }
      #expect(books[0].title == "renamed" && books[1].context == nil)
    }

    @Test func `PS-11 a listener whose connection the server ends misses nothing`() async throws {
      let (reader, writer) = (try follower(), try library.open())
      defer {
        reader.close()
        writer.close()
      }
      let events = reader.didSaveEvents()
      let context = writer.context("writer")
      try add("0", in: context)
      #expect(await authors(events, 1) == ["writer"])
      let ended = server.sql(
        """
        SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE (query LIKE '%\(reader.store.identifier)%' OR query LIKE '%_oxbow_saves%')
          AND pid <> pg_backend_pid()
        """)
      #expect(Int(ended) ?? 0 > 0)
      for number in 1...20 { try add("\(number)", in: context) }
      #expect(await authors(events, 20).count == 20)
    }

    @Test func `PS-11 a consumer that waits hears of saves, and ends with its task`() async throws {
      let (reader, writer) = (try library.open(), try library.open())
      defer {
        reader.close()
        writer.close()
      }
      let consumer = try reader.historyConsumer(named: "mailer", from: .beginning)
      let task = Task {
        var numbers: [Int64] = []
        for try await batch in consumer {
          numbers += batch.transactions.map(\.number)
          if numbers.count >= 3 { break }
        }
        return numbers
      }
      let context = writer.context()
      for number in 0..<3 { try add("\(number)", in: context) }
      #expect(try await task.value == [1, 2, 3])
      let waiting = Task { try await consumer.run { _ in } }
      waiting.cancel()
      try? await waiting.value
    }

    @Test func `PS-11 a right that the server ends is taken again, unless another has it`()
      async throws
    {
      let (first, second) = (try library.open(), try library.open())
      defer {
        first.close()
        second.close()
      }
      let schema = try #require(HistoryLibrary.location(library.path)).schema
      let lock =
        "FROM pg_locks WHERE locktype = 'advisory' AND granted "
        + "AND (classid::int8 << 32) | objid::int8 "
        + "= hashtextextended('oxbow consumer \"\(schema)\" \"mailer\"', 0)"
      func endRight() async throws {
        server.sql("SELECT pg_terminate_backend(pid) \(lock)")
        try await wait { server.sql("SELECT count(*) \(lock)") == "0" }
      }
      let mine = try first.historyConsumer(named: "mailer", from: .beginning)
      try await endRight()
      try await wait {
        _ = try mine.nextBatch()
        return server.sql("SELECT count(*) \(lock)") == "1"
      }
      try await endRight()
      let theirs = try second.historyConsumer(named: "mailer", from: .beginning)
      try await wait {
        do throws(PersistenceError) {
          _ = try mine.nextBatch()
          return false
        } catch { return error.code == .consumerInUse }
      }
      _ = try theirs.nextBatch()
    }

    @Test func `PS-11 who comes and goes does not wait for the saves that are being read`()
      async throws
    {
      let (reader, writer) = (try follower(waitMilliseconds: 600_000), try library.open())
      defer {
        reader.close()
        writer.close()
      }
      let events = reader.didSaveEvents()
      let context = writer.context("writer")
      try add("0", in: context)
      #expect(await authors(events, 1) == ["writer"])
      let schema = try #require(HistoryLibrary.location(library.path)).schema
      let names = "\"\(schema)\"._oxbow_names"
      let holder = try OtherProgram("LOCK TABLE \(names) IN ACCESS EXCLUSIVE MODE", on: server)
      try add("1", in: context)
      let waiting =
        "SELECT waitstart FROM pg_locks WHERE NOT granted AND relation = '\(names)'::regclass"
      server.wait(until: waiting)
      let start = server.sql(waiting)
      for _ in 0..<3 { withExtendedLifetime(reader.didSaveEvents()) {} }
      #expect(server.sql(waiting) == start)
      holder.end()
      #expect(await authors(events, 1) == ["writer"])
    }

    @Test func `PS-11 a store that is closed ends what waits for events`() async throws {
      let coordinator = try follower()
      let events = coordinator.didSaveEvents()
      coordinator.close()
      for await news in events {
        #expect(!news.isComplete)
        break
      }
    }
  }
#endif
