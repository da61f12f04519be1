import OxbowModel
import OxbowStore

@testable import OxbowContext

/// Plays a program in one context and compares it with the oracle after each step.
///
/// With one context nothing is stale, so the oracle knows everything: values, links, order, flags
/// and what a save writes.
final class SoloPlayer: Player {
  let bench: Bench
  let context: ManagedObjectContext

  let holding: Bench.Holding
  let looksAtTheGone: Bool
  private var held: [Int: ManagedObject] = [:]
  private(set) var graves: [ManagedObject] = []

  /// What the context should hold, and what the store should.
  private(set) var working: OracleState
  private(set) var committed: OracleState

  /// Whether nothing was done since the context was clean.
  private(set) var isUntouched = true
  var tally = Tally()

  init(_ bench: Bench, _ holding: Bench.Holding, looksAtTheGone: Bool = true) {
    self.bench = bench
    self.holding = holding
    self.looksAtTheGone = looksAtTheGone
    context = ManagedObjectContext(coordinator: bench.coordinator)
    working = OracleState(bench.world)
    committed = working
  }

  func scene(_ context: Int) -> OracleState { working }

  func play(_ step: Step) throws {
    tally.steps += 1
    do {
      try perform(step.action)
    } catch let error as PersistenceError {
      throw Divergence("throws.\(error.code.rawValue)", "the step threw \(error)")
    }
    held = held.filter { holding.keeps($0.key) }
    try check()
  }

  func end() throws {
    try play(Step(action: .save(.keep)))
    for label in working.objects.keys.sorted() { try play(Step(action: .read(label, nil))) }
  }

  private func perform(_ action: Step.Action) throws {
    switch action {
    case .insert(let label, let entity): try insert(label, entity)
    case .set(let label, let name, let value): try set(label, name, value)
    case .point(let label, let end, let other): try point(label, end, other)
    case .replace(let label, let end, let members): try replace(label, end) { _ in members }
    case .add(let label, let end, let other): try replace(label, end) { $0 + [other] }
    case .remove(let label, let end, let other):
      try replace(label, end) { $0.filter { $0 != other } }
    case .delete(let label): try delete(label)
    case .read(let label, let end): try read(label, end)
    case .prefetch(let end): try prefetch(end)
    case .fetch(let entity, let filter): try fetch(entity, filter)
    case .refresh(let label): try refresh(label)
    case .sweep: context.sweep()
    case .save: try save()
    case .rollback: try rollback()
    case .reset: try reset()
    case .misuse(let end, let label): try misuse(end, label)
    case .copy, .undo, .redo: break
    }
  }

  func object(_ label: Int) throws -> ManagedObject {
    if let known = held[label] { return known }
    guard let id = bench.ids[label] else { throw Divergence("test", "o\(label) has no ID") }
    let object = try context.object(with: id)
    held[label] = object
    return object
  }

  func objects(_ labels: [Int]) throws -> [ManagedObject] { try labels.map { try object($0) } }

  func label(_ object: ManagedObject) -> Int { bench.label(of: object.objectID) }

  private func has(_ label: Int, _ entity: String) -> Bool {
    working.entity(label).map { bench.world.isKind($0, of: entity) } ?? false
  }

  private func accepts(_ other: Int, _ end: World.End, of label: Int) -> Bool {
    has(label, end.entity) && has(other, end.destination)
      && (end.inverse != end.index || label != other)
  }
}

// MARK: - Edits

extension SoloPlayer {
  private func change(_ body: (inout OracleState) -> Void) {
    isUntouched = false
    body(&working)
  }

  private func insert(_ label: Int, _ entity: String) throws {
    let object = try context.insert(entityNamed: entity)
    held[label] = object
    bench.name(object.objectID, label)
    change { $0.insert(label, entity) }
  }

  private func set(_ label: Int, _ name: String, _ value: Value) throws {
    guard working.objects[label]?.values[name] != nil else { return }
    try object(label).set(name, to: value)
    change { $0.set(label, name, value) }
  }

  private func point(_ label: Int, _ end: World.End, _ other: Int?) throws {
    guard has(label, end.entity), other.map({ accepts($0, end, of: label) }) ?? true else { return }
    try object(label).setObjects(objects(other.map { [$0] } ?? []), for: end.name)
    change { $0.point(label, end, other) }
  }

  private func replace(_ label: Int, _ end: World.End, _ members: ([Int]) -> [Int]) throws {
    guard has(label, end.entity) else { return }
    var wanted: [Int] = []
    for member in members(working.many(label, end)) where !wanted.contains(member) {
      if accepts(member, end, of: label) { wanted.append(member) }
    }
    try object(label).setObjects(objects(wanted), for: end.name)
    change { $0.replace(label, end, wanted) }
  }

  private func delete(_ label: Int) throws {
    guard working.objects[label] != nil else { return }
    var after = working
    after.delete(label, isNew: { committed.objects[$0] == nil })
    try context.delete(object(label))
    change { $0 = after }
    buryTheGone()
  }

  func expectRefusal(
    _ what: String, _ code: PersistenceError.Code, _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as PersistenceError where error.code == code {
      return
    }
    throw Divergence("accepted", "\(what) should have been refused with '\(code.rawValue)'")
  }

  /// Objects that are gone are kept to see what becomes of them.
  private func buryTheGone() {
    for (label, object) in held where working.objects[label] == nil {
      held[label] = nil
      if holding.keeps(label) { graves.append(object) }
    }
  }

  /// An object that is gone becomes no end of a link: what is there keeps its ends.
  private func misuse(_ end: World.End, _ label: Int) throws {
    guard has(label, end.destination),
      let grave = graves.last(where: { bench.world.isKind($0.entityName, of: end.entity) })
    else { return }
    do {
      try grave.setObjects([object(label)], for: end.name)
    } catch is PersistenceError {
      return
    }
  }
}

// MARK: - Reading

extension SoloPlayer {
  private func read(_ label: Int, _ end: World.End?) throws {
    guard let entity = working.entity(label) else { return }
    if let end {
      if has(label, end.entity) { try compare(label, end) }
      return
    }
    for attribute in bench.world.attributes(of: entity) {
      let seen = try object(label).get(attribute)
      let expected = working.objects[label]?.values[attribute.name] ?? .none
      if seen != expected {
        throw Divergence("read.value", "o\(label).\(attribute.name) is \(seen), not \(expected)")
      }
    }
    for end in bench.world.ends(of: entity) { try compare(label, end) }
  }

  private func compare(_ label: Int, _ end: World.End) throws {
    let seen = try object(label).objects(end.name).map { self.label($0) }
    try compare(label, end, seen, "read")
  }

  /// Compares the members of an end, as the context has them, with the oracle.
  func compare(_ label: Int, _ end: World.End, _ seen: [Int], _ kind: String) throws {
    var (seen, expected) = (seen, working.members(label, end))
    if kind == "memory" {
      // What is gone or to be deleted is not shown, but may be there until a rollback.
      seen.removeAll { working.objects[$0] == nil }
      expected.removeAll { working.objects[$0] == nil }
    }
    if !end.isToMany, let target = expected.first, working.objects[target] == nil { return }
    if !end.isOrdered { (seen, expected) = (seen.sorted(), expected.sorted()) }
    guard seen != expected else { return }
    let isOrder = seen.sorted() == expected.sorted()
    throw Divergence(
      isOrder ? "\(kind).order" : "\(kind).link",
      "o\(label).\(end.name) is \(OracleState.list(seen)), should be \(OracleState.list(expected))")
  }

  private func prefetch(_ end: World.End) throws {
    // A key that leads nowhere on purpose, by the rule no action, would be found missing.
    let owners = working.labels(end.entity).filter { owner in
      working.one(owner, end).map { working.objects[$0] != nil } ?? true
    }
    try context.load(end.name, of: objects(owners))
  }

  private func fetch(_ entity: String, _ filter: Step.Filter) throws {
    guard let (predicate, expected) = wanted(entity, filter) else { return }
    let request = FetchRequest<ManagedObject>(entityNamed: entity, where: predicate)
    let found = try context.fetch(request).map { label($0) }.sorted()
    let ids = try context.fetchIDs(request).map { bench.label(of: $0) }.sorted()
    let count = try context.count(request)
    if found != expected || ids != expected || count != expected.count {
      throw Divergence(
        "fetch",
        "found \(OracleState.list(found)), IDs \(OracleState.list(ids)), count \(count); should be "
          + OracleState.list(expected))
    }
  }

  private func wanted(_ entity: String, _ filter: Step.Filter) -> (FetchPredicate?, [Int])? {
    let labels = working.labels(entity)
    switch filter {
    case .all: return (nil, labels)
    case .number(let number):
      return (.equal("n", number), labels.filter { working.n($0) == .whole(number) })
    case .target(let end, let target):
      guard let id = bench.ids[target] else { return nil }
      return (.equal(end.name, id), labels.filter { working.one($0, end) == target })
    case .path(let end, let number):
      let targets = labels.map { working.one($0, end) }
      // What a key that leads nowhere means in a condition is no matter of this test.
      guard targets.allSatisfy({ $0.map { working.objects[$0] != nil } ?? true }) else {
        return nil
      }
      return (
        .equal("\(end.name).n", number),
        zip(labels, targets).filter { $1.map { working.n($0) == .whole(number) } ?? false }
          .map(\.0)
      )
    }
  }
}

// MARK: - Units of work

extension SoloPlayer {
  private func save() throws {
    let dangling = working.dangling()
    let isDenied = dangling.contains { $0.end.inverse != nil }
    do {
      try context.save()
    } catch {
      // A to-one end without inverse may keep what was deleted: the store's foreign keys refuse it.
      guard isDenied ? error.code == .validation : error.code == .conflict && !dangling.isEmpty
      else { throw error }
      tally.refusals += 1
      return try checkStore(committed, "after a save that failed")
    }
    tally.saves += 1
    if isDenied { throw Divergence("accepted", "a rule denies the save, and it was done") }
    for (label, end) in dangling { working.objects[label]?.ones[end.index] = nil }
    committed = working
    isUntouched = true
    try checkStore(committed, "after a save")
    try checkFreshContext()
  }

  private func rollback() throws {
    try context.rollback()
    working = committed
    isUntouched = true
    graves.removeAll { committed.objects[label($0)] != nil }
    buryTheGone()
  }

  private func reset() throws {
    try context.reset()
    working = committed
    isUntouched = true
    held = [:]
    graves = []
  }

  /// Refreshes an object: its values are those of the store; what of its links was pending is as
  /// before or as in the store, but the same at both ends.
  private func refresh(_ label: Int) throws {
    guard let stored = committed.objects[label], let object = try? object(label) else { return }
    try context.refresh(object)
    let wasDeleted = working.objects[label] == nil
    if wasDeleted {
      graves.removeAll { $0 === object }
      change { $0.insert(label, stored.entity) }
    }
    change { $0.objects[label]?.values = stored.values }
    try adopt(label)
    if wasDeleted { try adoptReferences(to: label) }
  }

  private func adopt(_ label: Int) throws {
    guard let entity = working.entity(label) else { return }
    let before = working
    for end in bench.world.ends(of: entity) {
      if let back = bench.world.inverse(of: end), !end.isToMany, !back.isToMany {
        try adoptPair(label, end, back)
        continue
      }
      let seen = try object(label).objects(end.name).map { self.label($0) }
      let (pending, stored) = (before.members(label, end), committed.members(label, end))
      // Without inverse, the key still leads to what is to be deleted, and is not shown.
      if end.inverse == nil, !end.isToMany, seen.isEmpty,
        pending.contains(where: { before.objects[$0] == nil })
      {
        continue
      }
      let isPlain =
        seen.allSatisfy { pending.contains($0) || stored.contains($0) }
        && pending.allSatisfy { !stored.contains($0) || seen.contains($0) || !end.isToMany }
      guard isPlain else { throw strangeRefresh(label, end, seen, pending) }
      change {
        if end.isToMany { $0.replace(label, end, seen) } else { $0.point(label, end, seen.first) }
      }
      try adoptOrder(of: seen, at: bench.world.inverse(of: end))
    }
  }

  private func strangeRefresh(_ label: Int, _ end: World.End, _ seen: [Int], _ pending: [Int])
    -> Divergence
  {
    Divergence(
      "refresh",
      "o\(label).\(end.name) is \(OracleState.list(seen)) after the refresh, was "
        + "\(OracleState.list(pending)), is stored as "
        + OracleState.list(committed.members(label, end)))
  }

  /// Where both ends are to-one, the former partners may lead to what they led to before, or
  /// nowhere.
  private func adoptPair(_ label: Int, _ end: World.End, _ back: World.End) throws {
    let partners = [working.one(label, end), committed.one(label, end)].compactMap(\.self)
    let others = partners.flatMap {
      [working.one($0, back), committed.one($0, back)].compactMap(\.self)
    }
    let before = working
    for (label, end) in [(label, end)] + partners.map({ ($0, back) }) + others.map({ ($0, end) })
    where working.objects[label] != nil {
      let seen = try object(label).objects(end.name).map { self.label($0) }.first
      guard seen == nil || seen == before.one(label, end) || seen == committed.one(label, end)
      else {
        throw strangeRefresh(label, end, seen.map { [$0] } ?? [], before.members(label, end))
      }
      change { $0.objects[label]?.ones[end.index] = seen }
    }
    for (label, end) in [(label, end)] + partners.map({ ($0, back) }) + others.map({ ($0, end) }) {
      guard let other = working.one(label, end), working.objects[other] != nil,
        let inverse = bench.world.inverse(of: end), working.one(other, inverse) != label
      else { continue }
      throw Divergence("refresh", "o\(label).\(end.name) is o\(other) after the refresh, not back")
    }
  }

  /// Takes over the places that a refreshed object got in ordered ends.
  private func adoptOrder(of labels: [Int], at end: World.End?) throws {
    guard let end, end.isOrdered else { return }
    for label in labels where working.objects[label] != nil {
      let seen = try object(label).objects(end.name).map { self.label($0) }
      if seen.sorted() == working.many(label, end).sorted() {
        change { $0.objects[label]?.many[end.index] = seen.isEmpty ? nil : seen }
      }
    }
  }

  /// An object that is deleted no more may be a member again where no inverse leads back.
  private func adoptReferences(to label: Int) throws {
    for end in bench.world.ends where end.isToMany && end.inverse == nil {
      for owner in working.labels(end.entity) {
        let seen = try object(owner).objects(end.name).map { self.label($0) }
        if seen.contains(label), committed.many(owner, end).contains(label),
          seen.filter({ $0 != label }).sorted() == working.many(owner, end).sorted()
        {
          change { $0.objects[owner]?.many[end.index] = seen }
        }
      }
    }
  }
}

extension OracleState {
  fileprivate func n(_ label: Int) -> Value? { objects[label]?.values["n"] }
}
