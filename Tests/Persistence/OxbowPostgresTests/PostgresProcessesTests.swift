#if PostgreSQL
  import Foundation
  import OxbowModel
  import OxbowPostgres
  import OxbowStore
  import OxbowStoreContract
  import OxbowTestSupport
  import Synchronization
  import Testing

  /// Eight processes with four threads each save in one store: this program again, with what names
  /// the store and its number.
  ///
  /// `OXBOW_SAVES=10000` lets each thread save as often.
  @Suite(.timeLimit(.minutes(60))) struct PostgresProcessesTests {
    private static let variable = "OXBOW_LOADED_STORE"
    private static let place = ProcessInfo.processInfo.environment[variable]
    private static let rounds =
      ProcessInfo.processInfo.environment["OXBOW_SAVES"].flatMap { Int($0) } ?? 12
    private static let (processes, threads) = (8, 4)

    /// What threads have done that was acknowledged.
    struct Tally: Codable, Equatable {
      var (increments, changes, inserts) = (0, 0, 0)
      var (conflicts, clashes) = (0, 0)

      var saves: Int { increments + changes + inserts }

      static func + (a: Self, b: Self) -> Self {
        Self(
          increments: a.increments + b.increments, changes: a.changes + b.changes,
          inserts: a.inserts + b.inserts, conflicts: a.conflicts + b.conflicts,
          clashes: a.clashes + b.clashes)
      }
    }

    private static func open(_ place: String, follows: Bool = false) throws -> PostgresLibrary {
      let parts = place.split(separator: "\n")
      return try PostgresLibrary(
        at: PostgresLocation(String(parts[0]), schema: String(parts[1])),
        options: PostgresStoreOptions(
          connections: 4, waitMilliseconds: 60_000, history: .keys, followsOtherProcesses: follows))
    }

    // MARK: The first process

    @Test(.enabled(if: place == nil && TestServer.shared != nil))
    func `sums are exact, no acknowledged save is lost, and no event is missed`() async throws {
      let server = try #require(TestServer.shared)
      let place = "\(server.connection)\n\(server.newSchema())"
      let library = try Self.open(place)
      try library.save { changes in
        changes.inserts = try (1...5).map {
          try library.insert("Book", $0, ["copies": .integer(0)])
        }
      }
      let following = try Self.open(place, follows: true)
      let coordinator = PersistentStoreCoordinator(store: following.store)
      let events = coordinator.didSaveEvents()
      let heard = Shared(0)
      let start = try coordinator.currentHistoryToken()
      let listening = Task {
        var isComplete = true
        for await news in events {
          isComplete = isComplete && news.isComplete
          heard.value.withLock { $0 += news.events.count }
        }
        return isComplete
      }
      let total = try await tally(place)
      try check(total, library)
      var history = try coordinator.history(after: start)
      let saves = try history.transactions()
      #expect(saves.count == total.saves)
      #expect(Set(saves.map(\.session)).count == Self.processes)
      checkVersions(saves)
      try await wait { heard.value.withLock { $0 >= total.saves } }
      listening.cancel()
      #expect(await listening.value)
      #expect(heard.value.withLock(\.self) == total.saves)
      withExtendedLifetime(following) {}
      print("\(Self.processes) processes, \(Self.threads) threads: \(total)")
    }

    private func check(_ total: Tally, _ library: PostgresLibrary) throws {
      #expect(total.increments > 0 && total.changes > 0 && total.inserts > 0 && total.clashes > 0)
      let counters = try (1...4).map { Self.number(try library.only("Book", $0)["copies"]) }
      #expect(counters.reduce(0, +) == total.increments)
      #expect(Self.number(try library.only("Book", 5)["pages"]) == total.changes)
      #expect(try library.keys("Book").count == 5 + total.inserts)
    }

    /// The number in the text of a value.
    private static func number(_ text: String?) -> Int {
      Int((text ?? "").filter(\.isNumber)) ?? 0
    }

    /// Each object's versions are there once, in order.
    private func checkVersions(_ saves: [HistoryTransaction]) {
      for key in 1...5 as ClosedRange<Int64> {
        let versions = saves.flatMap(\.changes).filter { $0.key == key }.map(\.version)
        #expect(versions == Array(1..<Int64(versions.count + 1)), "object \(key)")
      }
    }

    /// Runs the processes, each on a thread of its own that waits for it.
    private func tally(_ place: String) async throws -> Tally {
      let folder = try TemporaryFolder()
      let files = (0..<Self.processes).map { folder.file("\($0)") }
      await withTaskGroup { group in
        for (number, file) in files.enumerated() {
          group.addTask {
            await withCheckedContinuation { continuation in
              Thread.detachNewThread {
                Self.run("\(place)\n\(number)\n\(file)")
                continuation.resume()
              }
            }
          }
        }
      }
      return try files.reduce(Tally()) { total, file in
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        return total + (try JSONDecoder().decode(Tally.self, from: data))
      }
    }

    /// Runs a process to its end.
    ///
    /// `Process` would leave it to a thread that looks after all of them, and so would tests of
    /// exits.
    private static func run(_ place: String) {
      let words = [
        CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter",
        "PostgresProcessesTests",
      ]
      let environment = ProcessInfo.processInfo.environment.merging([variable: place]) { $1 }
      let copies = words.map { strdup($0) } + [nil]
      let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
      defer { for copy in copies + settings { free(copy) } }
      var process: pid_t = 0
      guard posix_spawn(&process, words[0], nil, nil, copies, settings) == 0 else { return }
      var status: Int32 = 0
      while waitpid(process, &status, 0) == -1 && errno == EINTR {}
    }

    // MARK: The others

    @Test(.enabled(if: place != nil)) func `threads save`() async throws {
      let place = try #require(Self.place)
      let library = try Self.open(place)
      let parts = place.split(separator: "\n").map(String.init)
      let process = try #require(Int(parts[2]))
      let tallies = Shared<[Result<Tally, any Error>]>([])
      for thread in 0..<Self.threads {
        Thread.detachNewThread {
          var saver = Saver(library, seed: UInt64(process * Self.threads + thread))
          let result = Result { try saver.run(Self.rounds) }
          tallies.value.withLock { $0.append(result) }
        }
      }
      try await wait { tallies.value.withLock { $0.count == Self.threads } }
      let total = try tallies.value.withLock { try $0.map { try $0.get() } }.reduce(Tally(), +)
      try JSONEncoder().encode(total).write(to: URL(fileURLWithPath: parts[3]))
    }

    /// One thread that saves.
    private struct Saver {
      private let library: PostgresLibrary
      private let seed: UInt64
      private var random: SeededRandom
      private var tally = Tally()

      init(_ library: PostgresLibrary, seed: UInt64) {
        (self.library, self.seed) = (library, seed)
        random = SeededRandom(seed: seed)
      }

      mutating func run(_ rounds: Int) throws -> Tally {
        for round in 0..<rounds {
          switch round % 3 {
          case 0: try increment()
          case 1: try change()
          default: try insert(round)
          }
        }
        return tally
      }

      private mutating func increment() throws {
        let key = Int64.random(in: 1...4, using: &random)
        let copies = try library.property("Book", "copies").index
        try library.save {
          var update = try library.update("Book", key, 0, [:])
          update.increments = [(copies, .integer(1))]
          update.checksVersion = false
          $0.updates = [update]
        }
        tally.increments += 1
      }

      /// Writes over what was read, until nothing has come between.
      private mutating func change() throws {
        let book = try library.entity("Book").index
        while true {
          let slab = try #require(try library.store.rows(of: book, keys: [5]).first)
          let pages = Int64(PostgresProcessesTests.number(library.values(slab, 0)["pages"]))
          let error = errorOf {
            try library.save {
              $0.updates = [
                try library.update("Book", 5, slab._version(0), ["pages": .integer(pages + 1)])
              ]
            }
          }
          guard let error else { break }
          guard error.code == .conflict else { throw error }
          tally.conflicts += 1
        }
        tally.changes += 1
      }

      /// Inserts a book whose number others may have taken.
      private mutating func insert(_ round: Int) throws {
        let number = UInt8.random(in: 0...63, using: &random)
        let group = UInt8(truncatingIfNeeded: round / 64)
        let uuid = UUID(uuid: (number, group, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        let error = errorOf {
          try library.save {
            $0.inserts = [
              try library.insert(
                "Book", Int64(seed + 1) * 1_000_000 + Int64(round), ["number": .uuid(uuid)])
            ]
          }
        }
        guard let error else { return tally.inserts += 1 }
        guard error.code == .uniquenessViolated else { throw error }
        tally.clashes += 1
      }
    }
  }
#endif
