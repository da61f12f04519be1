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

// What a failing disk and a killed process do to values in files: each that was acknowledged can be
// read, and no file is left that no row has.
@Suite struct ExternalKillTests {
  /// Opens a store anew, and looks whether rows and files belong together.
  ///
  /// - Returns: The number of each photo, which is that of its image.
  private static func photos(_ kind: StoreKind, in scratch: Scratch) throws -> [Int64: Int] {
    let library = try albums(kind, in: scratch)
    defer { library.store.close() }
    var photos: [Int64: Int] = [:]
    let slabs = try library.store.rows(of: try library.fetch("Photo"))
    let (number, picture) = (
      try library.property("Photo", "number"), try library.property("Photo", "image")
    )
    for slab in slabs {
      for row in 0..<slab.count {
        guard case .integer(let value)? = slab.storedValue(row, number),
          case .data(let data)? = slab.storedValue(row, picture)
        else { continue }
        #expect(data == image(Int(value)))
        photos[slab._key(row)] = Int(value)
      }
    }
    try library.tidy()
    #expect(library.incomingNames == [])
    #expect(library.externalNames.count == photos.count)
    #expect(try SQLiteStoreFile(library.store.path).check() == [])
    return photos
  }

  /// The change that gives a photo its next image: an insert first, then updates, a delete now and
  /// then.
  private static func change(_ key: Int64, _ number: Int, _ library: Library) throws -> ChangeSet {
    var changes = ChangeSet()
    let values: [String: AttributeValue] = [
      "image": .data(image(number)), "number": .integer(Int64(number)),
    ]
    let round = Int64(number / 100)
    if round == 0 {
      changes.inserts = [try library.insert("Photo", key, values)]
    } else if round == 7 {
      changes.deletes = [try library.delete("Photo", key, round)]
    } else {
      changes.updates = [try library.update("Photo", key, round, values)]
    }
    return changes
  }

  // MARK: Faults

  @Test(arguments: filed, [FaultPlan.Cause.inputOutput, .fullDisk])
  func `PG-17 each fault leaves what was acknowledged, whole, and no other file`(
    _ kind: StoreKind, _ cause: FaultPlan.Cause
  ) throws {
    var faults = 0
    while try Self.survive(faults + 1, cause, kind) { faults += 1 }
    #expect(faults > 4)
    print("faults of values in files, \(kind), \(cause.rawValue): \(faults)")
  }

  /// Saves while an operation on SQLite's files fails.
  ///
  /// - Returns: Whether the operation was reached.
  private static func survive(
    _ operation: Int, _ cause: FaultPlan.Cause, _ kind: StoreKind
  ) throws -> Bool {
    let scratch = try Scratch()
    let plan = FaultyFiles.plan(for: scratch.path)
    defer { FaultyFiles.forget(scratch.path) }
    let library = try albums(kind, in: scratch)
    try library.store.save(try change(1, 1, library))
    plan.arm(operation, cause)
    var wanted: [Int64: Set<Int?>] = [1: [1], 2: [nil]]
    for (key, number) in [(1, 101), (2, 2)] as [(Int64, Int)] {
      let error = errorOf { try library.store.save(try change(key, number, library)) }
      if error == nil { wanted[key] = [number] }
      if error?.code == .commitUnknown { wanted[key]?.insert(number) }
    }
    let wasReached = plan.count >= operation
    plan.disarm()
    try library.store.save(try change(3, 3, library))
    #expect(library.incomingNames == [], "\(operation)")
    library.store.close()
    let seen = try photos(kind, in: scratch)
    for (key, numbers) in wanted {
      #expect(numbers.contains(seen[key]), "\(operation), photo \(key): \(seen)")
    }
    return wasReached
  }

  #if canImport(Glibc)
    @Test func `PG-17 a file that cannot grow leaves nothing, and the save is refused`()
      async throws
    {
      let scratch = try Scratch()
      let result = await #expect(processExitsWith: .success) { [folder = scratch.path as String] in
        signal(SIGXFSZ, SIG_IGN)
        let library = try albums(in: Scratch(path: folder))
        var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
        let error = errorOf { try library.addPhoto(1, ["image": .data(image(1, 2 << 20))]) }
        #expect(error?.code == .ioFailure)
        #expect(error?.message.contains("', which cannot be written (File too large); ") == true)
        #expect(library.incomingNames == [])
        #expect(library.externalNames == [])
        try library.addPhoto(1, ["image": .data(image(1))])
        #expect(try library.data(1) == image(1))
      }
      #expect(result != nil)
    }
  #endif

  // MARK: Kills

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  /// OXBOW_KILLS=500 kills as often; OXBOW_RANDOM_SEED begins at another seed.
  @Test(arguments: filed, [true, false])
  func `PG-17 a killed program has lost no image that it heard of, and left no file`(
    _ kind: StoreKind, inOperation: Bool
  ) async throws {
    var acknowledged = 0
    let first = Self.number("OXBOW_RANDOM_SEED") ?? 1
    for seed in first..<first + (Self.number("OXBOW_KILLS") ?? 16) / 4 {
      var random = SeededRandom(seed: UInt64(seed))
      let scratch = try Scratch()
      try albums(kind, in: scratch).store.close()
      let moment = Int.random(in: 1...(inOperation ? 200 : 60), using: &random)
      try await kill(scratch, kind, inOperation, at: moment)
      let heard = try String(contentsOfFile: scratch.file("heard"), encoding: .utf8)
        .split(separator: "\n").compactMap { Int($0) }
      let photos = try Self.photos(kind, in: scratch)
      for (key, numbers) in Dictionary(grouping: heard, by: { Int64($0 % 100) }) {
        let last = numbers.max() ?? 0
        // The save after the last one that it heard of may be there as well.
        let allowed = [last, last + 100].map { $0 / 100 == 7 ? nil : $0 }
        #expect(allowed.contains(photos[key]), "seed \(seed), photo \(key): \(photos)")
      }
      acknowledged += heard.count
    }
    print("kills of values in files, \(kind), \(inOperation): \(acknowledged) acknowledged saves")
  }

  private func kill(
    _ scratch: Scratch, _ kind: StoreKind, _ inOperation: Bool, at moment: Int
  ) async throws {
    _ = FileManager.default.createFile(atPath: scratch.file("heard"), contents: nil)
    let result = await #expect(processExitsWith: .signal(SIGKILL)) {
      [
        folder = scratch.path as String, kind = kind.rawValue as String,
        inOperation = inOperation as Bool, moment = moment as Int
      ]
      in
      try Self.saveUntilKilled(folder, kind, inOperation, moment)
    }
    #expect(result != nil)
  }

  /// Saves on four threads, and writes down what was acknowledged, until an operation on SQLite's
  /// files, or until so many saves were acknowledged: then at whatever the others are doing.
  private static func saveUntilKilled(
    _ folder: String, _ kind: String, _ inOperation: Bool, _ moment: Int
  ) throws {
    let plan = FaultyFiles.plan(for: folder)
    let library = try albums(
      try #require(StoreKind(rawValue: kind)), in: Scratch(path: folder))
    let heard = open(folder + "/heard", O_WRONLY | O_APPEND)
    if inOperation { plan.arm(moment, .kill) }
    let count = Lock(0)
    let threads = DispatchGroup()
    for thread in 1...4 as ClosedRange<Int64> {
      threads.enter()
      Thread.detachNewThread {
        for round in 0...7 {
          for key in 8 * thread..<8 * thread + 8 {
            let number = 100 * round + Int(key)
            guard errorOf({ try library.store.save(try change(key, number, library)) }) == nil
            else {
              continue
            }
            _ = "\(number)\n".withCString { write(heard, $0, strlen($0)) }
            let all = count.withLock { count in
              count += 1
              return count
            }
            if !inOperation, all == moment { raise(SIGKILL) }
          }
        }
        threads.leave()
      }
    }
    threads.wait()
    raise(SIGKILL)
  }
}
