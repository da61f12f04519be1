import Foundation
import OxbowModel
import OxbowPlatform
import OxbowSQLite
import OxbowStore
import OxbowStoreContract
import OxbowTestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// What a failing disk and a killed process do to saves that share a commit: each that was
// acknowledged is in the store, each that was refused is not, and none is half in it.
@Suite struct SharedCommitFaultTests {
  /// A save of two objects.
  private static func pair(_ number: Int64, _ library: Library) throws -> ChangeSet {
    var changes = ChangeSet()
    changes.inserts = try [2 * number, 2 * number + 1].map { try library.insert("Tag", $0) }
    return changes
  }

  /// The saves in a store, opened anew; `nil` when a save is half in it.
  private static func saves(_ kind: StoreKind, in scratch: Scratch) throws -> Set<Int64>? {
    let keys = Set(try Library(kind, in: scratch).keys("Tag"))
    return keys.allSatisfy { keys.contains($0 ^ 1) } ? Set(keys.map { $0 / 2 }) : nil
  }

  // MARK: Faults

  @Test(
    arguments: SharedCommitTests.kinds, [FaultPlan.Cause.inputOutput, .fullDisk])
  func `each fault leaves what was acknowledged, and not what was refused (PS-06)`(
    _ kind: StoreKind, _ cause: FaultPlan.Cause
  ) throws {
    var faults = 0
    var errors: [PersistenceError.Code: Int] = [:]
    while let seen = try Self.errors(at: faults + 1, cause, kind) {
      faults += 1
      for code in seen { errors[code, default: 0] += 1 }
    }
    #expect(faults > 4)
    #expect(!errors.isEmpty)
    print("faults of shared commits, \(kind), \(cause.rawValue): \(faults), \(errors)")
  }

  /// Saves four pairs together while an operation on the files fails.
  ///
  /// - Returns: The codes of the errors; `nil` when the saves end before the operation.
  private static func errors(
    at operation: Int, _ cause: FaultPlan.Cause, _ kind: StoreKind
  ) throws -> [PersistenceError.Code]? {
    let scratch = try Scratch()
    let plan = FaultyFiles.plan(for: scratch.path)
    defer { FaultyFiles.forget(scratch.path) }
    let library = try Library(kind, in: scratch)
    let saves = try (1...4).map { (library.store, try pair($0, library)) }
    let errors = try saveTogether(saves) { plan.arm(operation, cause) }
    let wasReached = plan.count >= operation
    plan.disarm()
    library.store.close()
    let stored = try #require(
      try Self.saves(kind, in: scratch), "\(operation): a save is half there")
    for (number, error) in zip(Int64(1)..., errors) where error?.code != .commitUnknown {
      #expect(stored.contains(number) == (error == nil), "\(operation), save \(number): \(errors)")
    }
    return wasReached ? errors.compactMap(\.?.code) : nil
  }

  // MARK: Kills

  /// OXBOW_KILLS=500 kills as often; OXBOW_RANDOM_SEED begins at another seed.
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  @Test(arguments: SharedCommitTests.kinds)
  func `a killed program has lost no save that it heard of (PS-06)`(_ kind: StoreKind)
    async throws
  {
    var acknowledged = 0
    let first = Self.number("OXBOW_RANDOM_SEED") ?? 1
    for seed in first..<first + (Self.number("OXBOW_KILLS") ?? 12) / 2 {
      var random = SeededRandom(seed: UInt64(seed))
      let scratch = try Scratch()
      _ = try Library(kind, in: scratch)
      try await kill(scratch, kind, at: Int.random(in: 1...200, using: &random))
      let heard = try String(contentsOfFile: scratch.file("heard"), encoding: .utf8)
        .split(separator: "\n").compactMap { Int64($0) }
      let saves = try #require(
        try Self.saves(kind, in: scratch), "seed \(seed): a save is half there")
      #expect(saves.isSuperset(of: heard), "seed \(seed)")
      acknowledged += heard.count
    }
    #expect(acknowledged > 0)
    print("kills of shared commits, \(kind): \(acknowledged) acknowledged saves")
  }

  private func kill(_ scratch: Scratch, _ kind: StoreKind, at operation: Int) async throws {
    _ = FileManager.default.createFile(atPath: scratch.file("heard"), contents: nil)
    let result = await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        folder = scratch.path as String, kind = kind.rawValue as String,
        operation = operation as Int
      ]
      in
      try Self.saveUntilKilled(folder, kind, operation)
    }
    #expect(result != nil)
  }

  /// Saves on eight threads, and writes down what was acknowledged.
  private static func saveUntilKilled(
    _ folder: String, _ kind: String, _ operation: Int
  ) throws {
    let plan = FaultyFiles.plan(for: folder)
    let library = try Library(
      try #require(StoreKind(rawValue: kind)), in: Scratch(path: folder))
    let heard = open(folder + "/heard", O_WRONLY | O_APPEND)
    plan.arm(operation, .kill)
    let threads = DispatchGroup()
    for thread in 0..<8 as Range<Int64> {
      threads.enter()
      Thread.detachNewThread {
        for number in 1...50 as ClosedRange<Int64> {
          let save = 100 * thread + number
          guard errorOf({ try library.store.save(try pair(save, library)) }) == nil else {
            continue
          }
          _ = "\(save)\n".withCString { write(heard, $0, strlen($0)) }
        }
        threads.leave()
      }
    }
    threads.wait()
    raise(SIGKILL)
  }
}
