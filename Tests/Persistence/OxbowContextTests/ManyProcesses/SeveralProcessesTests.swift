import Foundation
import OxbowModel
import OxbowPlatform
import OxbowTestSupport
import Testing

/// Random programs in three contexts over one file, two of them in another process, or each in one
/// of its own, against an oracle of plain values.
///
/// The rules of conflict that the oracle knows (see ``CrowdPlayer``, ``Forecast``):
///
/// - A context learns of what others saved only by reading: a fault, an end that it has not read, a
///   fetch, a refresh. No save event reaches another process, and none is asked for here.
/// - A row that a context holds is one that was once committed, with that version. It may be old.
/// - A save writes each row that it changes with the version that it has read. It is refused, with
///   `conflict` and without having written anything, if one of these rows has another version or is
///   gone, if a key would lead nowhere, or if two objects would have the same unique value; with
///   `validation` if a delete rule denies it; and else it is done, as a whole.
/// - Members of to-many ends in rows of their own are added and taken away one by one. They check
///   no version and raise none.
/// - What an acknowledged save has written is there until another save changes it: the store is
///   read by SQL after each save, and must have what the oracle has, rows, links, orders and
/// versions.
/// - With a merge policy, a save in conflict writes for each property my value, theirs or that of
///   the row before, as the policy says, and both ends of each link agree after it.
/// - The history of all saves, taken back one by one, gives each state that was there.
/// - An undo gives back what was pending before the group of changes, a redo what was after it,
///   where nothing else came between; it is refused with `conflict` where others changed it.
///
/// `OXBOW_STEPS=20000` plays as many steps for each arrangement, `OXBOW_RANDOM_SEED=7` begins with
/// another seed.
///
/// One arrangement at a time: a test blocks a thread of the pool for each of its processes, and two
/// arrangements that each wait for their second process would wait for ever on two threads.
@Suite(.serialized) struct SeveralProcessesTests {
  /// Where the three contexts are.
  enum Arrangement: String, CaseIterable, Sendable {
    case oneProcess, twoInAnother, twoInTwoOthers

    /// How many contexts the other processes have.
    var others: [Int] {
      switch self {
      case .oneProcess: []
      case .twoInAnother: [2]
      case .twoInTwoOthers: [1, 1]
      }
    }
  }

  private static let steps = number("OXBOW_STEPS") ?? 360
  private static let seed = UInt64(number("OXBOW_RANDOM_SEED") ?? 1)

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test(arguments: Arrangement.allCases, Bench.Kind.ofProcesses)
  func `three contexts, some in other processes, agree with the oracle (PS-02, PG-11, PS-11)`(
    _ arrangement: Arrangement, _ kind: Bench.Kind
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("seats")
    let exchange = try Exchange(path)
    let result = Lock<Result<[String], any Error>?>(nil)
    async let servers: Void = serve(path, arrangement.others.count)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        let outcome = Result { try Self.play(arrangement, kind, exchange, folder) }
        result.withLock { $0 = outcome }
        continuation.resume()
      }
    }
    await servers
    for text in try result.withLock({ try $0?.get() }) ?? ["not played"] { Issue.record("\(text)") }
  }

  /// Runs processes with seats until their lines are cut.
  private func serve(_ path: String, _ count: Int) async {
    await withTaskGroup { group in
      for _ in 0..<count {
        group.addTask {
          await #expect(processExitsWith: .success) { [path = path as String] in
            try SeatServer.serve(path)
          }
          // A process that has not come must not be waited for.
          _ = try? Line(connectingTo: path)
        }
      }
    }
  }

  /// Plays random programs, and returns what has gone wrong.
  private static func play(
    _ arrangement: Arrangement, _ kind: Bench.Kind, _ exchange: Exchange, _ folder: TemporaryFolder
  ) throws -> [String] {
    let processes = try arrangement.others.map { _ in SeatProcess(try exchange.accept()) }
    var (tally, failures, seed, number) = (Tally(), [String](), Self.seed, 0)
    let worlds = [World.unique, .inherited]
    let compiled = try worlds.map { try CompiledModel($0.model) }
    while tally.steps < steps, failures.count < 3 {
      let place = Int(seed % 2)
      let holding = [Bench.Holding.all, .some, .none][Int(seed / 2 % 3)]
      let reverses = seed / 3 % 2 == 0
      var program = RandomProgram(world: worlds[place]) {
        number += 1
        let path = try Bench.newPlace(kind, folder.file("\(number)"))
        let bench = try Bench(worlds[place], compiled[place], kind, at: path)
        return try CrowdPlayer(
          bench, holding, seats: seats(bench, path, kind, processes), reverses: reverses)
      }
      program.contexts = 3
      program.salt = "\(arrangement) \(kind)"
      (program.reverses, program.merges) = (reverses, seed % 3 != 0)
      if let failure = try program.run(seed: seed, &tally) {
        let isCrash = failure.divergence.kind == "crash"
        failures.append("\(program.salt), \(isCrash ? failure : try program.shrink(failure))")
        if isCrash { break }
      }
      seed += 1
    }
    print("\(arrangement), \(kind), seeds \(Self.seed)..<\(seed): \(tally)")
    return failures
  }

  private static func seats(
    _ bench: Bench, _ path: String, _ kind: Bench.Kind, _ processes: [SeatProcess]
  ) throws -> [any Seat] {
    var seats: [any Seat] = []
    for process in processes {
      let names = processes.count == 1 ? ["remote 1", "remote 2"] : ["remote"]
      seats += try process.open(bench, path: path, kind, names)
    }
    while seats.count < 3 { seats.insert(LocalSeat(bench, "local \(seats.count)"), at: 0) }
    return seats
  }
}
