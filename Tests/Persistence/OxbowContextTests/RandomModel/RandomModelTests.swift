import Foundation
import OxbowModel
import OxbowTestSupport
import Testing

/// Random programs against an oracle of plain values.
///
/// The suite plays a few thousand steps. `OXBOW_RANDOM_STEPS=100000` plays that many in each
/// family, `OXBOW_RANDOM_SEED=7` begins with that seed, and a failure says which seed to begin
/// with. `OXBOW_RANDOM_WITHOUT=refresh,gone` leaves out kinds of steps (`Step.Action.name`), the
/// looks at objects that are gone, and kinds of divergences between several contexts, to see what
/// else there is behind a known defect.
@Suite struct RandomModelTests {
  private static let steps = number("OXBOW_RANDOM_STEPS") ?? 1500
  private static let seed = UInt64(number("OXBOW_RANDOM_SEED") ?? 1)

  private static let without = Set(
    (ProcessInfo.processInfo.environment["OXBOW_RANDOM_WITHOUT"] ?? "")
      .split(separator: ",").map(String.init))

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// A world, a kind of store, and which objects the program keeps.
  struct Setting: Sendable, CustomTestStringConvertible {
    let world: World
    let kind: Bench.Kind
    let holding: Bench.Holding

    var testDescription: String { "\(world.name), \(kind), holding \(holding)" }

    static func all(_ world: World) -> [Setting] {
      [
        (Bench.Kind.log, .all), (.log, .none), (.journal, .some), (.journal, .none),
        (.memory, .all), (.memory, .some),
      ].map { Setting(world: world, kind: $0, holding: $1) } + onServer(world)
    }

    /// Likewise on a server, where the machine has one.
    private static func onServer(_ world: World) -> [Setting] {
      #if PostgreSQL
        guard TestServer.shared != nil else { return [] }
        return [Setting(world: world, kind: .server, holding: .some)]
      #else
        return []
      #endif
    }
  }

  @Test(arguments: Setting.all(.flat))
  func `one context agrees with the oracle`(_ setting: Setting) throws {
    try play(setting, contexts: 1)
  }

  @Test(arguments: Setting.all(.inherited))
  func `one context agrees with the oracle where entities inherit`(_ setting: Setting) throws {
    try play(setting, contexts: 1)
  }

  @Test(arguments: Setting.all(.flat) + Setting.all(.inherited))
  func `three contexts over one store lose nothing and conflict by versions`(
    _ setting: Setting
  ) throws {
    try play(setting, contexts: 3)
  }

  private func play(_ setting: Setting, contexts: Int) throws {
    let compiled = try CompiledModel(setting.world.model)
    var program = RandomProgram(world: setting.world) {
      let bench = try Bench(setting.world, compiled, setting.kind)
      if contexts > 1 {
        let player = try CrowdPlayer(bench, setting.holding)
        player.ignored = Self.without
        return player
      }
      return SoloPlayer(bench, setting.holding, looksAtTheGone: !Self.without.contains("gone"))
    }
    program.contexts = contexts
    program.without = Self.without
    program.salt = setting.testDescription
    try play(
      program, "\(contexts) contexts, \(setting.testDescription)",
      Self.steps / (contexts > 1 ? 12 : 6))
  }

  /// Plays programs until the steps are used up; the first few that fail are made short and
  /// reported.
  private func play(_ program: RandomProgram, _ name: String, _ steps: Int) throws {
    var tally = Tally()
    var reported: [String: Int] = [:]
    var seed = Self.seed
    while tally.steps < steps {
      if let failure = try program.run(seed: seed, &tally) {
        reported[failure.divergence.kind, default: 0] += 1
        if reported[failure.divergence.kind] ?? 0 <= 2 {
          Issue.record("\(name), \(try program.shrink(failure))")
        }
      }
      seed += 1
    }
    print("random model, \(name): \(tally)")
  }
}
