import Foundation
import OxbowModel
import OxbowPlatform
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

@testable import OxbowSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Indexes of boxes whose writers are killed, or are in another process.
///
/// `OXBOW_KILLS=500` kills as often; `OXBOW_RANDOM_SEED=7` begins with another seed.
@Suite(.timeLimit(.minutes(60))) struct BoxProcessTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private static func open(_ path: String, _ kind: StoreKind) throws -> Library {
    try Library(kind, model: bookingsModel(), in: Scratch(path: path))
  }

  private static func date(_ seconds: Double) -> AttributeValue {
    .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  /// What overlaps a time, by the index and by a condition that has no filter.
  private static func overlapping(
    _ low: Double, _ high: Double, _ library: Library
  ) throws -> (byIndex: [Int64], read: [Int64]) {
    func limit(_ name: String, _ sign: ComparisonOperator, _ bound: Double) -> FetchPredicate {
      .comparison(.path([name]), sign, .value(.attribute(date(bound))))
    }
    let (begin, end) = (limit("begin", .lessOrEqual, high), limit("end", .greaterOrEqual, low))
    let ends = Set(try library.keys("Item", end))
    return (
      try library.keys("Item", .and([begin, end])).sorted(),
      try library.keys("Item", begin).filter(ends.contains).sorted()
    )
  }

  /// Saves random intervals, moves and removes some.
  private static func edit(
    _ library: Library, _ random: inout SeededRandom, saves: Int
  ) throws {
    var known = Set(try library.keys("Item"))
    for _ in 0..<saves {
      var changes = ChangeSet()
      var used: Set<Int64> = []
      for _ in 0..<6 {
        let key = Int64.random(in: 1...120, using: &random)
        guard used.insert(key).inserted else { continue }
        let begin = Double(Int.random(in: -400...400, using: &random)) / 2
        let values = ["begin": date(begin), "end": date(begin + 7.5)]
        if known.insert(key).inserted {
          changes.inserts.append(try library.insert("Area", key, values))
        } else if random.chance(25) {
          changes.deletes.append(try library.delete("Area", key))
          known.remove(key)
        } else {
          var update = try library.update("Area", key, 1, values.mapValues { $0 })
          update.checksVersion = false
          changes.updates.append(update)
        }
      }
      try library.store.save(changes)
    }
  }

  private static func ask(
    _ library: Library, _ random: inout SeededRandom, _ note: Comment
  ) throws {
    for _ in 0..<4 {
      let low = Double(Int.random(in: -400...400, using: &random)) / 2
      let found = try overlapping(low, low + 20.5, library)
      #expect(found.byIndex == found.read, note)
    }
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal, .withHistory])
  func `PS-15 an index of boxes has what its rows have after each killed writer`(
    _ kind: StoreKind
  ) async throws {
    let first = Self.number("OXBOW_RANDOM_SEED") ?? 1
    let kills = max(1, (Self.number("OXBOW_KILLS") ?? 9) / 3)
    for seed in first..<first + kills {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [folder = scratch.path as String, kind = kind.rawValue as String, seed = seed as Int] in
        let plan = FaultyFiles.plan(for: folder)
        var random = SeededRandom(seed: UInt64(seed))
        let library = try Self.open(folder, try #require(StoreKind(rawValue: kind)))
        plan.arm(Int.random(in: 1...250, using: &random), .kill)
        try Self.edit(library, &random, saves: 60)
        raise(SIGKILL)
      }
      let library = try Self.open(scratch.path, kind)
      var random = SeededRandom(seed: UInt64(seed))
      try Self.ask(library, &random, "seed \(seed)")
      library.store.close()
      #expect(try SQLiteStoreFile(scratch.file()).check() == [], "seed \(seed)")
    }
    print("kills of writers of boxes, \(kind): \(kills)")
  }

  @Test(arguments: [StoreKind.file, .rollbackJournal])
  func `PS-15 an index of boxes has what another process writes meanwhile`(
    _ kind: StoreKind
  ) async throws {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Boxes in two processes: seed \(seed)")
    let library = try Self.open(scratch.path, kind)
    async let isWritten: ExitTest.Result? = #expect(processExitsWith: .success) {
      [folder = scratch.path as String, kind = kind.rawValue as String, seed = seed as UInt64] in
      let library = try Self.open(folder, try #require(StoreKind(rawValue: kind)))
      var random = SeededRandom(seed: seed)
      try Self.edit(library, &random, saves: 60)
      library.store.close()
    }
    for key in 1001...1030 as ClosedRange<Int64> {
      let begin = 10_000 + 100 * Double(key)
      try library.save { changes in
        changes.inserts = [
          try library.insert(
            "Item", key, ["begin": Self.date(begin), "end": Self.date(begin + 1)])
        ]
      }
      #expect(try Self.overlapping(begin + 0.5, begin + 50, library).byIndex == [key])
    }
    _ = await isWritten
    var random = SeededRandom(seed: seed)
    try Self.ask(library, &random, "seed \(seed)")
    let all = try Self.overlapping(-1e6, 1e6, library)
    #expect(all.byIndex == all.read && all.byIndex.suffix(30) == Array(1001...1030))
    library.store.close()
    #expect(try SQLiteStoreFile(scratch.file()).check() == [])
  }
}
