#if PostgreSQL
  import Foundation
  import OxbowMigration
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// The history of a store on a server, where it differs from one in a file: many save at once.
  @Suite(.enabled(if: TestServer.shared != nil), .timeLimit(.minutes(30)))
  struct PostgresHistoryTests {
    private let server: TestServer
    private let location: PostgresLocation

    init() throws {
      server = try #require(TestServer.shared)
      location = server.location()
    }

    private func open(
      _ history: HistoryRecording = .keys, at location: PostgresLocation? = nil,
      answerMilliseconds: Int = 300_000
    ) throws -> PostgresLibrary {
      try PostgresLibrary(
        at: location ?? self.location,
        options: PostgresStoreOptions(answerMilliseconds: answerMilliseconds, history: history))
    }

    /// All saves after a place, in order; nothing may be missing.
    private func saves(
      _ library: PostgresLibrary, after token: HistoryToken? = nil
    ) throws -> [HistoryTransaction] {
      let history = try library.store.requireHistory()
      var place = try token ?? history.firstToken()
      var all: [HistoryTransaction] = []
      while let element = try history.elements(after: place, HistoryBatchLimits()).first,
        let next = element.token
      {
        guard case .saves(let saves) = element else {
          throw PersistenceError(.historyMissed, "\(element)")
        }
        all += saves
        place = next
      }
      return all
    }

    private func addTag(_ library: PostgresLibrary, _ key: Int64) throws {
      try library.save { $0.inserts = [try library.insert("Tag", key)] }
    }

    // MARK: Saving

    @Test func `a save with a history is one round trip, two where values before are kept`() throws
    {
      for (history, trips) in [(HistoryRecording.keys, 1), (.values, 2)] {
        let library = try open(history, at: server.location())
        try library.save { $0.inserts = [try library.insert("Book", 1)] }
        let before = library.store.roundTrips
        try library.save {
          $0.updates = [try library.update("Book", 1, 1, ["pages": .integer(7)])]
        }
        #expect(library.store.roundTrips - before == trips)
        #expect(try saves(library).map(\.updatedCount) == [0, 1])
      }
    }

    @Test func `an old transaction of another program keeps no save from its readers`() throws {
      let library = try open()
      let holder = try PostgresLibrary(at: server.location())
      try addTag(library, 1)
      try addTag(holder, 1)
      // It has a number of the server's, and stays open while others save.
      var seen: [Int] = []
      var changes = ChangeSet()
      changes.inserts = [try holder.insert("Tag", 2)]
      try holder.store.save(changes) { () throws(PersistenceError) in
        do {
          try addTag(library, 2)
          seen = try saves(library).map(\.insertedCount)
        } catch { throw PersistenceError(.statementFailed, "\(error)") }
      }
      #expect(seen == [1, 1])
    }

    @Test
    func `objects that many change have their versions in order, for readers beside them`()
      async throws
    {
      let library = try open()
      let objects: Range<Int64> = 1..<6
      try library.save { $0.inserts = try objects.map { try library.insert("Book", $0) } }
      let pages = try library.property("Book", "pages").index
      let start = try library.store.currentToken()
      let (savers, rounds) = (8, 25)
      let running = Shared(savers)
      let trails = try await withThrowingTaskGroup(of: [HistoryTransaction].self) { group in
        for saver in 0..<savers {
          let own = try open()
          group.addTask {
            defer { running.value.withLock { $0 -= 1 } }
            for round in 0..<rounds {
              try own.save { changes in
                changes.updates = try objects.filter { ($0 + Int64(saver + round)) % 2 == 0 }.map {
                  var update = try own.update("Book", $0, 0, [:])
                  update.increments = [(pages, .integer(1))]
                  update.checksVersion = false
                  return update
                }
              }
            }
            return []
          }
        }
        for _ in 0..<2 {
          let own = try open()
          group.addTask {
            var (all, place) = ([HistoryTransaction](), start)
            while true {
              let isOver = running.value.withLock { $0 == 0 }
              let new = try saves(own, after: place)
              all += new
              place = new.last?.token ?? place
              if isOver, new.isEmpty { return all }
            }
          }
        }
        var trails: [[HistoryTransaction]] = []
        for try await trail in group where !trail.isEmpty { trails.append(trail) }
        return trails
      }
      #expect(trails.count == 2 && trails[0] == trails[1])
      for trail in trails {
        #expect(trail.map(\.number) == Array(2...Int64(savers * rounds + 1)))
        for key in objects {
          let versions = trail.flatMap(\.changes).filter { $0.key == key }.map(\.version)
          #expect(versions == Array(1...Int64(versions.count)), "object \(key)")
        }
      }
    }

    @Test(arguments: CuttingProxy.Cut.allCases)
    func `a save whose commit is lost is in the history once`(_ cut: CuttingProxy.Cut) throws {
      let proxy = try #require(CuttingProxy(to: server, name: "history-\(cut.rawValue)"))
      let through = PostgresLocation(
        "host=\(proxy.folder) port=5432 user=oxbow dbname=postgres", schema: location.schema)
      // After a silent cut, nothing but the time says that the answer is lost.
      let library = try open(at: through, answerMilliseconds: cut == .silent ? 3000 : 300_000)
      try addTag(library, 1)
      proxy.cutNext(cut)
      try addTag(library, 2)
      #expect(proxy.hasCut)
      let found = try saves(open())
      #expect(found.flatMap(\.changes).map(\.key) == [1, 2])
      #expect(found.map(\.number) == [1, 2])
    }

    @Test func `links are named that a save changes, where values before are kept`() throws {
      let library = try open(.values)
      try library.save { changes in
        changes.inserts = [try library.insert("Book", 1)]
        changes.inserts += try (1...3).map { try library.insert("Tag", $0) }
        changes.links = [
          try library.link(("Book", 1), "tags", ("Tag", 1), at: 1024),
          try library.link(("Book", 1), "tags", ("Tag", 2), at: 2048),
        ]
      }
      try library.save { changes in
        changes.links = [
          try library.link(("Book", 1), "tags", ("Tag", 2), at: 4096),
          try library.link(("Book", 1), "tags", ("Tag", 3), at: 8192),
        ]
        changes.unlinks = [try library.link(("Book", 1), "tags", ("Tag", 1))]
      }
      try library.save { $0.unlinks = [try library.link(("Book", 1), "tags", ("Tag", 1))] }
      try library.save { $0.deletes = [try library.delete("Book", 1)] }
      func links(_ save: HistoryTransaction) -> [String] {
        save.links.map { "\($0.kind) \($0.link?.member.key ?? 0)" }.sorted()
      }
      #expect(
        try saves(library).dropFirst().map(links) == [
          ["begun 3", "ended 1"], [], ["ended 2", "ended 3"],
        ])
    }

    // MARK: Other programs

    @Test func `a program that had the store open before the history notes its saves too`() throws {
      let before = try PostgresLibrary(at: location)
      try addTag(before, 1)
      #expect(errorOf { _ = try before.store.currentToken() }?.code == .historyOff)
      let noting = try open(.values)
      try addTag(before, 2)
      try before.save {
        $0.updates = [try before.update("Tag", 2, 1, ["label": .string("b")])]
      }
      let found = try saves(noting)
      #expect(found.map(\.insertedCount) == [1, 0])
      #expect(found[1].changes.map(\.before) == [["label": .attribute(.string(""))]])
      #expect(try before.store.currentToken() == noting.store.currentToken())
      #expect(try saves(PostgresLibrary(at: location)).count == 2)
    }

    @Test func `a store that is only read has what others have given numbers`() throws {
      let writer = try open()
      let reader = try PostgresLibrary(
        at: location, options: PostgresStoreOptions(isReadOnly: true))
      try addTag(writer, 1)
      #expect(try saves(reader).isEmpty)
      #expect(try saves(writer).count == 1)
      #expect(try saves(reader).count == 1)
      #expect(errorOf { try reader.store.forget("x") }?.code == .storeReadOnly)
    }

    @Test func `a migration is an element, and what has another name is named as before`() throws {
      let before = try open(.values)
      try addTag(before, 1)
      try before.save {
        $0.updates = [try before.update("Tag", 1, 1, ["label": .string("b")])]
      }
      let start = try before.store.firstToken()
      let newer = ManagedObjectModel(
        entities: libraryModel().entities.map { entity in
          var entity = entity
          guard entity.name == "Tag" else { return entity }
          entity.attributes[0].name = "text"
          entity.attributes[0].renamingIdentifier = "label"
          return entity
        })
      _ = try Migrator(PostgresMigrationBackend(location), target: newer).apply()
      let after = try PostgresLibrary(newer, at: location)
      try after.save { $0.inserts = [try after.insert("Tag", 2)] }
      let history = try after.store.requireHistory()
      var elements: [HistoryElement] = []
      var place = start
      while let element = try history.elements(after: place, HistoryBatchLimits()).first {
        elements.append(element)
        place = try #require(element.token)
      }
      guard elements.count == 3, case .saves(let old) = elements[0],
        case .migrated(let migration) = elements[1], case .saves(let new) = elements[2]
      else {
        Issue.record("\(elements)")
        return
      }
      #expect(old[1].changes[0].changedProperties == ["label"])
      #expect(old[1].changes[0].before == ["label": .attribute(.string(""))])
      #expect(old[1].changes[0].renamed == ["label": "text"])
      #expect(migration.notes.count == 1 && migration.number == 3)
      #expect(new.map(\.insertedCount) == [1])
    }

    // MARK: Consumers

    @Test func `the smallest number of a consumer is no trap`() throws {
      let library = try open()
      _ = try library.store.register("mailer", at: .now)
      server.sql(
        "UPDATE \"\(location.schema)\"._oxbow_consumers SET number = -9223372036854775808")
      #expect(try library.store.consumers().map(\.lag) == [.max])
    }

    @Test func `of two that acknowledge one batch in their saves, one is refused`() async throws {
      let library = try open()
      _ = try library.store.register("counter", at: .beginning)
      try addTag(library, 1)
      let (start, end) = (try library.store.firstToken(), try library.store.currentToken())
      let refused = await withTaskGroup(of: Bool.self) { group in
        for number in 0..<4 as Range<Int64> {
          group.addTask {
            let error = errorOf {
              try library.save {
                $0.inserts = [try library.insert("Shelf", 10 + number)]
                $0.acknowledgments = [
                  HistoryAcknowledgment(consumer: "counter", from: start, to: end)
                ]
              }
            }
            return error?.code == .conflict
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(refused == 3)
      #expect(try library.keys("Shelf").count == 1)
      #expect(try library.store.consumers().map(\.token) == [end])
    }

    @Test func `where a consumer cannot be, a save says why`() throws {
      let library = try open()
      _ = try library.store.register("known", at: .now)
      let here = try library.store.currentToken()
      func code(_ consumer: String, _ token: HistoryToken) -> PersistenceError.Code? {
        errorOf {
          try library.save {
            $0.inserts = [try library.insert("Tag", 1)]
            $0.acknowledgments = [
              HistoryAcknowledgment(consumer: consumer, from: here, to: token)
            ]
          }
        }?.code
      }
      #expect(code("unknown", here.at(0)) == .consumerUnknown)
      #expect(code("known", here.at(99)) == .historyForeign)
      let other = try open(at: server.location())
      #expect(code("known", try other.store.currentToken()) == .historyForeign)
      #expect(try library.keys("Tag").isEmpty)
    }

    @Test func `a consumer's right is taken once among programs, and ends with its holder`() throws
    {
      let (mine, theirs) = (try open(), try open())
      var right: (any Sendable & AnyObject)? = try mine.store.own("mailer")
      let error = errorOf { _ = try theirs.store.own("mailer") }
      #expect(error?.code == .consumerInUse)
      #expect(error?.details.map(\.label) == ["at work"])
      _ = try theirs.store.own("other")
      withExtendedLifetime(right) {}
      right = nil
      _ = try theirs.store.own("mailer")
    }

    // MARK: Limits

    @Test func `what is removed goes with its parts, and numbers go on`() throws {
      let library = try open()
      try library.save { changes in
        changes.inserts = try (1...300_000).map { try library.insert("Tag", $0) }
      }
      for key in 400_001...400_003 as ClosedRange<Int64> { try addTag(library, key) }
      let parts = "SELECT count(*) FROM \"\(location.schema)\"._oxbow_save_parts"
      #expect(Int(server.sql(parts)) ?? 0 > 0)
      let found = try saves(library)
      #expect(found.filter { $0.number == 1 }.flatMap(\.changes).count == 300_000)
      library.store.keepHistory(within: HistoryLimits(days: 30, bytes: 20))
      #expect(server.sql(parts) == "0")
      #expect(try library.store.firstToken().number >= 1)
      let end = try library.store.currentToken()
      #expect(end.number == 4)
      _ = try library.store.delete(before: end, force: false)
      #expect(try library.store.currentToken() == end)
      try addTag(library, 500_000)
      #expect(try saves(library).map(\.number) == [5])
    }
  }
#endif
