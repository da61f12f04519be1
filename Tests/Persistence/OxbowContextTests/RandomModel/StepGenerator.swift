import OxbowTestSupport

/// Makes random steps that fit what is there.
///
/// Each program uses some of the relationships only, and few or many objects, so that its steps
/// meet often enough.
struct StepGenerator {
  let world: World
  var random: SeededRandom

  private var ends: [World.End] = []
  private var entities: [String] = []
  private var limit = 16

  /// How many contexts there are.
  var contexts = 1

  /// Whether changes are undone and done again.
  var reverses = false

  /// Whether saves have policies.
  var merges = false

  /// The kinds of steps that are left out.
  var without: Set<String> = []

  private var made = 0
  private var nextLabel = 0

  init(_ world: World, seed: UInt64, contexts: Int = 1) {
    self.world = world
    self.contexts = contexts
    random = SeededRandom(seed: seed)
    chooseEnds()
    limit = Int.random(in: 4...16, using: &random)
  }

  private mutating func chooseEnds() {
    let seeds = world.ends.shuffled(using: &random).prefix(random.chance(70) ? 3 : 30)
    ends = world.ends.filter { end in
      seeds.contains { $0.index == end.index || $0.inverse == end.index }
    }
    let kinds = ends.flatMap { [$0.entity, $0.destination] }
    entities = world.concrete.filter { entity in
      kinds.contains { world.isKind(entity, of: $0) }
    }
  }

  /// Chooses the context of the next step: the last one is rarely at work, so that it grows stale.
  mutating func context() -> Int {
    guard contexts > 1 else { return 0 }
    return random.chance(12) ? contexts - 1 : Int.random(in: 0..<(contexts - 1), using: &random)
  }

  /// Makes a step for `context`, which should hold what `state` says.
  mutating func next(_ state: OracleState, context: Int) -> Step {
    made += 1
    if made <= min(6, limit) || state.objects.count < 3 {
      return Step(context: context, action: insert())
    }
    let action = action(state) ?? .sweep
    return Step(context: context, action: without.contains(action.name) ? .sweep : action)
  }

  private mutating func action(_ state: OracleState) -> Step.Action? {
    switch Int.random(in: 0..<(reverses ? 126 : 118), using: &random) {
    case 0..<7: state.objects.count < limit ? insert() : .sweep
    case 7..<15: set(state)
    case 15..<37: point(state)
    case 37..<58: many(state)
    case 58..<64: label(state).map { .delete($0) }
    case 64..<74: read(state)
    case 74..<76: ends.randomElement(using: &random).map { .prefetch($0) }
    case 76..<82: fetch(state)
    case 82..<87: label(state).map { .refresh($0) }
    case 87..<93: .sweep
    case 93..<109: .save(afterFailure(), policy())
    case 109..<113: .rollback
    case 113..<115: .reset
    case 115..<117: misuse(state)
    case 118..<126: random.chance(70) ? .undo : .redo
    default: copy(state)
    }
  }

  private mutating func copy(_ state: OracleState) -> Step.Action? {
    guard contexts > 1, let label = label(state) else { return nil }
    return .copy(label, from: Int.random(in: 1...nextLabel, using: &random))
  }

  private mutating func insert() -> Step.Action {
    nextLabel += 1
    return .insert(nextLabel, entities.randomElement(using: &random) ?? "")
  }

  private mutating func label(_ state: OracleState) -> Int? {
    state.objects.keys.sorted().randomElement(using: &random)
  }

  private mutating func set(_ state: OracleState) -> Step.Action? {
    guard let label = label(state), let entity = state.entity(label),
      let attribute = world.attributes(of: entity).randomElement(using: &random),
      let value = attribute.choices.randomElement(using: &random)
    else { return nil }
    return .set(label, attribute.name, value)
  }

  /// An end that an object of `state` has.
  private mutating func end(_ state: OracleState, where fits: (World.End) -> Bool)
    -> (label: Int, end: World.End)?
  {
    guard let end = ends.filter(fits).randomElement(using: &random),
      let label = state.labels(end.entity).randomElement(using: &random)
    else { return nil }
    return (label, end)
  }

  private func partners(_ state: OracleState, _ label: Int, _ end: World.End) -> [Int] {
    state.labels(end.destination).filter { end.inverse != end.index || $0 != label }
  }

  private mutating func point(_ state: OracleState) -> Step.Action? {
    guard let (label, end) = end(state, where: { !$0.isToMany }) else { return nil }
    if random.chance(25) { return .point(label, end, nil) }
    return partners(state, label, end).randomElement(using: &random).map { .point(label, end, $0) }
  }

  private mutating func many(_ state: OracleState) -> Step.Action? {
    guard let (label, end) = end(state, where: \.isToMany) else { return nil }
    let (members, partners) = (state.many(label, end), partners(state, label, end))
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<5: return partners.randomElement(using: &random).map { .add(label, end, $0) }
    case 5: return members.randomElement(using: &random).map { .remove(label, end, $0) }
    case 6: return .replace(label, end, members.shuffled(using: &random))
    case 7: return .replace(label, end, random.some(of: members, atMost: members.count))
    default:
      let kept = random.some(of: members, atMost: 3)
      let new = random.some(of: partners.filter { !kept.contains($0) }, atMost: 4)
      return .replace(label, end, (kept + new).shuffled(using: &random))
    }
  }

  private mutating func read(_ state: OracleState) -> Step.Action? {
    if random.chance(20) { return label(state).map { .read($0, nil) } }
    return end(state, where: { _ in true }).map { .read($0.label, $0.end) }
  }

  private mutating func fetch(_ state: OracleState) -> Step.Action? {
    guard let entity = entities.flatMap({ world.lineage(of: $0) }).randomElement(using: &random)
    else { return nil }
    let lineage = world.lineage(of: entity)
    let end = ends.filter { !$0.isToMany && lineage.contains($0.entity) }
      .randomElement(using: &random)
    switch (Int.random(in: 0..<6, using: &random), end) {
    case (0, _): return .fetch(entity, .number(Int64.random(in: 0...2, using: &random)))
    case (1, let end?):
      let target = state.labels(end.destination).randomElement(using: &random)
      return target.map { .fetch(entity, .target(end, $0)) }
    case (2, let end?):
      return .fetch(entity, .path(end, Int64.random(in: 0...2, using: &random)))
    default: return .fetch(entity, .all)
    }
  }

  private mutating func afterFailure() -> Step.AfterFailure {
    guard contexts > 1 else { return .keep }
    let choice = Step.AfterFailure.allCases.randomElement(using: &random) ?? .reset
    return choice == .refresh && without.contains("refresh") ? .reset : choice
  }

  private mutating func policy() -> Step.Policy {
    guard merges, random.chance(80) else { return .error }
    return Step.Policy.allCases.randomElement(using: &random) ?? .error
  }

  private mutating func misuse(_ state: OracleState) -> Step.Action? {
    guard contexts == 1, let end = ends.randomElement(using: &random) else { return nil }
    return state.labels(end.destination).randomElement(using: &random).map { .misuse(end, $0) }
  }
}
