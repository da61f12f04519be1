/// Makes random programs, plays them, and makes those that fail short.
struct RandomProgram {
  let world: World
  var contexts = 1
  var length = 60
  var without: Set<String> = []
  var reverses = false
  var merges = false

  /// What makes the programs of one setting differ from those of others with the same seeds.
  var salt = ""

  private let makePlayer: () throws -> any Player

  init(world: World, makePlayer: @escaping () throws -> any Player) {
    self.world = world
    self.makePlayer = makePlayer
  }

  /// A program that failed.
  struct Failure {
    let seed: UInt64
    var steps: [Step]
    var divergence: Divergence
  }

  /// Plays a random program.
  func run(seed: UInt64, _ tally: inout Tally) throws -> Failure? {
    var generator = StepGenerator(world, seed: salted(seed), contexts: contexts)
    generator.without = without
    (generator.reverses, generator.merges) = (reverses, merges)
    let player = try makePlayer()
    var steps: [Step] = []
    defer {
      tally += player.tally
      tally.sequences += 1
    }
    do {
      for _ in 0..<length {
        let context = generator.context()
        steps.append(generator.next(player.scene(context), context: context))
        try player.play(steps[steps.count - 1])
      }
      try player.end()
      return nil
    } catch let divergence as Divergence {
      tally.divergences[divergence.kind, default: 0] += 1
      return Failure(seed: seed, steps: steps, divergence: divergence)
    }
  }

  private func salted(_ seed: UInt64) -> UInt64 {
    salt.utf8.reduce(seed &+ 0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  /// Plays a program again.
  func replay(_ steps: [Step]) throws -> Divergence? {
    let player = try makePlayer()
    do {
      for step in steps { try player.play(step) }
      try player.end()
      return nil
    } catch let divergence as Divergence {
      return divergence
    }
  }

  /// Leaves out and reduces steps while the same kind of divergence persists.
  func shrink(_ failure: Failure) throws -> Failure {
    var failure = failure
    var size = failure.steps.count / 2
    while size > 0 {
      let isSmaller = try dropRuns(of: size, from: &failure)
      if !isSmaller || size > 1 { size /= 2 }
    }
    try reduceSteps(of: &failure)
    return failure
  }

  private func dropRuns(of size: Int, from failure: inout Failure) throws -> Bool {
    var isSmaller = false
    var start = failure.steps.count - size
    while start >= 0 {
      var fewer = failure.steps
      fewer.removeSubrange(start..<min(start + size, fewer.count))
      if try adopt(fewer, in: &failure) { isSmaller = true }
      start -= size
      start = min(start, failure.steps.count - size)
    }
    return isSmaller
  }

  private func reduceSteps(of failure: inout Failure) throws {
    var index = 0
    while index < failure.steps.count {
      let isSmaller = try failure.steps[index].smaller.contains { step in
        var steps = failure.steps
        steps[index] = step
        return try adopt(steps, in: &failure)
      }
      if !isSmaller { index += 1 }
    }
  }

  private func adopt(_ steps: [Step], in failure: inout Failure) throws -> Bool {
    guard let divergence = try replay(steps), divergence.kind == failure.divergence.kind else {
      return false
    }
    failure.steps = steps
    failure.divergence = divergence
    return true
  }
}

extension RandomProgram.Failure: CustomStringConvertible {
  var description: String {
    let program = steps.map { "  \($0)" }.joined(separator: "\n")
    return "seed \(seed), \(divergence.kind): \(divergence.text)\n\(program)"
  }
}
