import Foundation
import OxbowMigration
import OxbowModel
import OxbowTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// A program that is killed before one of its file operations, or in the middle of a write: the
// store is as before or after a whole transaction, and the next start finishes, with no row
// changed twice.
@Suite struct KillTests {
  /// OXBOW_KILLS=1000 kills as often; OXBOW_RANDOM_SEED begins at another seed.
  private static let count = number("OXBOW_KILLS") ?? 28
  private static let firstSeed = number("OXBOW_RANDOM_SEED") ?? 1

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private static let migrations: [FaultCase] = [
    .create, .rebuild, .links, .script, .plainCode, .batchedCode, .severalSteps,
    .convert,
  ]

  @Test(arguments: ["wal", "delete"])
  func `a killed migration goes on at the next start, in both journal modes`(
    journalMode: String
  ) async throws {
    var benches: [(bench: FaultBench, operations: Int)] = []
    for migration in Self.migrations {
      let bench = try FaultBench(migration, journalMode: journalMode)
      benches.append((bench, try operations(of: bench)))
    }
    var kills: [String: Int] = [:]
    for seed in Self.firstSeed..<Self.firstSeed + Self.count / 2 {
      var random = SeededRandom(seed: UInt64(seed))
      let (bench, operations) = benches[seed % benches.count]
      try bench.reset()
      // Every third is killed again when it goes on.
      for round in 0..<(seed % 3 == 0 ? 2 : 1) {
        let operation = Int.random(in: 1...operations, using: &random)
        try await kill(bench, at: operation)
        kills["\(bench.migration)", default: 0] += 1
        let (state, report) = try bench.state()
        #expect(state != nil, "seed \(seed), \(bench.migration), round \(round): \(report)")
      }
      #expect(throws: Never.self, "seed \(seed)") { try bench.migration.run(bench.lab) }
      #expect(try bench.state().index == bench.lastState, "seed \(seed)")
    }
    let counts = kills.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    print("kills in mode \(journalMode): \(counts.joined(separator: ", "))")
  }

  /// The file operations of the whole migration.
  private func operations(of bench: FaultBench) throws -> Int {
    let plan = FaultyFiles.plan(for: bench.lab.folder.path)
    defer { FaultyFiles.forget(bench.lab.folder.path) }
    try bench.reset()
    plan.disarm()
    try bench.migration.run(bench.lab)
    return plan.count
  }

  private func kill(_ bench: FaultBench, at operation: Int) async throws {
    let result = await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        folder = bench.lab.folder.path as String, store = bench.lab.store as String,
        migrations = bench.lab.migrations as String,
        migration = bench.migration.rawValue as String, operation = operation as Int
      ] in
      FaultyFiles.plan(for: folder).arm(operation, .kill)
      try FaultCase(rawValue: migration)?.run(store, migrations)
      // What is left of the migration after an earlier kill can be shorter.
      raise(SIGKILL)
    }
    #expect(result != nil)
  }
}
