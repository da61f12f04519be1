import OxbowModel
import OxbowStore

@testable import OxbowContext

/// Plays a program in several contexts over one store.
///
/// What a context sees depends on when it has read what, which no oracle can know; so this player
/// looks at each context without reading, and asks what must hold whatever was read:
///
/// - A row that a context holds is a row that was once committed, with that version.
/// - Where both ends of a link are known and were read, they agree, in values and in pending
///   changes.
/// - Only edits change what is pending, and they have the effect that they say.
/// - A save fails if a row that it changes or deletes has another version by now, or if the store
///   would have a key that leads nowhere, and not else. To-many ends neither check nor raise
///   versions.
/// - A save that fails writes nothing; one that succeeds writes what was pending, and nothing else.
final class CrowdPlayer: Player {
  let bench: Bench
  let holding: Bench.Holding
  let desks: [Desk]
  private(set) var committed: Bench.Contents
  private var trail: HistoryTrail?
  /// Each row that was ever committed, by label and version.
  private(set) var history: [Int: [Int64: OracleState.Object]] = [:]
  var tally = Tally()

  /// The kinds of divergences that are let pass after a step.
  var ignored: Set<String> = []

  /// Plays in as many contexts as there are seats, in a store with a history; in three of this
  /// process without one unless said otherwise.
  init(
    _ bench: Bench, _ holding: Bench.Holding, seats: [any Seat]? = nil, reverses: Bool = false
  ) throws {
    trail = try seats == nil ? nil : HistoryTrail(bench)
    self.bench = bench
    self.holding = holding
    let seats = seats ?? (0..<3).map { LocalSeat(bench, "context \($0)") }
    desks = try seats.enumerated().map { try Desk(bench, "context \($0)", $1) }
    committed = Bench.Contents(state: OracleState(bench.world))
    if reverses { for desk in desks { try desk.run(.enableUndo) } }
  }

  func scene(_ context: Int) -> OracleState {
    let desk = desks[context]
    var state = committed.state
    for (label, object) in desk.view.objects {
      if object.isDeleted {
        state.objects[label] = nil
      } else if object.isInserted || !object.isFault {
        if state.objects[label] == nil { state.insert(label, object.entity) }
        for end in bench.world.ends(of: object.entity) where end.isToMany {
          if let seen = desk.peek(label, end) { state.objects[label]?.many[end.index] = seen }
        }
      }
    }
    return state
  }

  func play(_ step: Step) throws {
    tally.steps += 1
    let desk = desks[step.context]
    let (before, groups) = (desk.view.edits, desk.view.undoable)
    do {
      try perform(step, desk)
    } catch let error as Failure {
      guard error.code == .rowGone, desk.missedDeletes else {
        throw Divergence("throws.\(error.code.rawValue)", "the step threw \(error.text)")
      }
      tally.refusals += 1
      try reset(desk)
    }
    if !["undo", "read", "sweep", "fetch"].contains(step.action.name) {
      let isGroup = desk.view.undoable == groups + 1 && step.action.name != "copy"
      desk.lastGroup = isGroup ? Desk.Group(before: before, after: desk.view.edits) : nil
      desk.lastUndo = nil
    }
    for desk in desks {
      try desk.look(keeping: holding)
      do {
        try check(desk, isAtWork: desk === desks[step.context], step.action)
      } catch let divergence as Divergence where ignored.contains(divergence.kind) {
        continue
      }
    }
  }

  func end() throws {
    for context in desks.indices { try play(Step(context: context, action: .save(.reset))) }
    for desk in desks { try reset(desk) }
    for label in committed.state.objects.keys.sorted() {
      try play(Step(action: .read(label, nil)))
    }
    try trail?.check()
  }

  private func perform(_ step: Step, _ desk: Desk) throws {
    let scene = scene(step.context)
    switch step.action {
    case .insert(let label, let entity):
      try desk.run(.insert(label, entity))
    case .set(let label, let name, let value): try set(desk, scene, label, name, value)
    case .point(let label, let end, let other): try point(desk, scene, label, end, other)
    case .replace(let label, let end, let members):
      try replace(desk, scene, label, end) { _ in members }
    case .add(let label, let end, let other):
      try replace(desk, scene, label, end) { $0 + [other] }
    case .remove(let label, let end, let other):
      try replace(desk, scene, label, end) { $0.filter { $0 != other } }
    case .delete(let label): try delete(desk, scene, label)
    case .read(let label, let end): try read(desk, scene, label, end)
    case .prefetch(let end): try prefetch(desk, scene, end)
    case .fetch(let entity, _): try fetch(desk, scene, entity)
    case .refresh(let label): try refresh(desk, label)
    case .sweep: try desk.run(.sweep)
    case .save(let afterFailure, let policy): try save(desk, afterFailure, policy)
    case .rollback: try rollback(desk)
    case .reset: try reset(desk)
    case .copy(let label, let other): try copy(desk, scene, label, other)
    case .undo: try reverse(desk, isUndo: true)
    case .redo: try reverse(desk, isUndo: false)
    case .misuse: break
    }
  }

  private func accepts(_ scene: OracleState, _ label: Int, _ end: World.End, _ other: Int) -> Bool {
    guard let mine = scene.entity(label), let theirs = scene.entity(other) else { return false }
    return bench.world.isKind(mine, of: end.entity)
      && bench.world.isKind(theirs, of: end.destination)
      && (end.inverse != end.index || label != other)
  }

  private func has(_ scene: OracleState, _ label: Int, _ end: World.End) -> Bool {
    scene.entity(label).map { bench.world.isKind($0, of: end.entity) } ?? false
  }
}

// MARK: - Edits, and what they must have done

extension CrowdPlayer {
  private func set(
    _ desk: Desk, _ scene: OracleState, _ label: Int, _ name: String, _ value: Value
  ) throws {
    guard
      let attribute = scene.objects[label].flatMap({ object in
        bench.world.attributes(of: object.entity).first { $0.name == name }
      })
    else { return }
    let seen = try desk.run(.set(label, attribute.name, value)).value
    if seen != value {
      throw Divergence("edit", "o\(label).\(name) is \(seen as Any), not \(value)")
    }
  }

  /// Copies a number as an accessor does, which cannot throw.
  ///
  /// If the other object is gone, what was read is a stand-in, and no save may write it.
  private func copy(_ desk: Desk, _ scene: OracleState, _ label: Int, _ other: Int) throws {
    guard scene.objects[label] != nil, history[other] != nil else { return }
    // Whether it was read as a stand-in.
    let isFault = try desk.run(.copy(label, other)).truth
    guard isFault, committed.state.objects[other] == nil else { return }
    for attempt in ["first", "second"] {
      do {
        try desk.run(.save(.error))
      } catch is Failure { continue }
      throw Divergence("save.standin", "the \(attempt) save wrote what was read from o\(other)")
    }
    try expectUnwritten()
    try rollback(desk)
  }

  private func point(
    _ desk: Desk, _ scene: OracleState, _ label: Int, _ end: World.End, _ other: Int?
  ) throws {
    guard has(scene, label, end), other.map({ accepts(scene, label, end, $0) }) ?? true else {
      return
    }
    try desk.run(.assign(label, end.name, other.map { [$0] } ?? []))
    try expect(desk, label, end, other.map { [$0] } ?? [])
  }

  private func replace(
    _ desk: Desk, _ scene: OracleState, _ label: Int, _ end: World.End,
    _ members: ([Int]) -> [Int]
  ) throws {
    guard has(scene, label, end) else { return }
    let before = try desk.run(.members(label, end.name)).labels
    var wanted: [Int] = []
    for member in members(before) where !wanted.contains(member) {
      if accepts(scene, label, end, member) { wanted.append(member) }
    }
    try desk.run(.assign(label, end.name, wanted))
    try expect(desk, label, end, wanted)
  }

  /// What was set is there, at both ends.
  private func expect(_ desk: Desk, _ label: Int, _ end: World.End, _ wanted: [Int]) throws {
    // Its order may be known to the store alone.
    let seen = try desk.run(.members(label, end.name)).labels
    guard
      (end.isOrdered ? seen : seen.sorted()) == (end.isOrdered ? wanted : wanted.sorted())
    else {
      throw Divergence(
        "edit",
        "o\(label).\(end.name) is \(OracleState.list(seen)), was set to "
          + OracleState.list(wanted))
    }
    guard let back = bench.world.inverse(of: end) else { return }
    for other in wanted {
      guard desk.peek(other, back)?.contains(label) ?? true else {
        throw Divergence(
          "edit", "o\(other).\(back.name) does not lead to o\(label), whose \(end.name) leads there"
        )
      }
    }
  }

  private func delete(_ desk: Desk, _ scene: OracleState, _ label: Int) throws {
    guard scene.objects[label] != nil else { return }
    let before = cells(desk)
    let gone = Set(desk.view.edits.filter { $0.value.isDeleted }.keys)
    let new = Set(desk.view.edits.filter { $0.value.isInserted }.keys)
    let isGone: Bool
    do {
      isGone = try desk.run(.delete(label)).truth
    } catch let error as Failure where error.code == .validation {
      tally.refusals += 1
      return
    }
    guard isGone || desk.edits[label]?.isInserted == true else {
      throw Divergence("edit", "o\(label) was deleted and is not")
    }
    // A new object that is deleted is known no more.
    let forgotten = new.filter { desk.view.objects[$0] == nil }
    let doomed = Set(desk.view.edits.filter { $0.value.isDeleted }.keys)
      .union([label]).union(forgotten)
    try checkCascade(doomed, doomed.subtracting(gone).subtracting([label]), before)
  }

  /// What each end leads to in the context's eyes; what was not read, as committed.
  private func cells(_ desk: Desk) -> OracleState {
    var state = committed.state
    for (label, object) in desk.view.objects where !object.isDeleted {
      if state.objects[label] == nil { state.insert(label, object.entity) }
      for end in bench.world.ends(of: object.entity) where !end.isToMany {
        guard let seen = desk.peek(label, end) else { continue }
        state.objects[label]?.ones[end.index] = seen.first
      }
    }
    return state
  }

  /// A cascade takes what leads to what is deleted, and nothing else.
  private func checkCascade(_ doomed: Set<Int>, _ more: Set<Int>, _ before: OracleState) throws {
    let cascades = bench.world.ends.filter { $0.rule == .cascade }
    for victim in more {
      // Deleting reads what it needs, and so may bring a row up to date.
      let isMember = cascades.contains { end in
        guard let back = bench.world.inverse(of: end) else { return false }
        return [before, committed.state].contains {
          $0.one(victim, back).map { doomed.contains($0) } ?? false
        }
      }
      if !isMember {
        throw Divergence("delete.stray", "o\(victim) was deleted, and leads to nothing deleted")
      }
    }
  }
}

// MARK: - Reading

extension CrowdPlayer {
  private func read(
    _ desk: Desk, _ scene: OracleState, _ label: Int, _ end: World.End?
  ) throws {
    guard let entity = scene.entity(label) else { return }
    for end in end.map({ [$0] }) ?? bench.world.ends(of: entity) where has(scene, label, end) {
      let wasKnown = desk.peek(label, end) != nil
      let seen = try desk.run(.members(label, end.name)).labels
      try expectPair(desk, label, end, seen)
      if !wasKnown, desk.edits.isEmpty { try compare(desk, label, end, seen) }
    }
  }

  /// What was read anew into a clean context is what is committed, but for members whose rows the
  /// context has in an older version.
  private func compare(_ desk: Desk, _ label: Int, _ end: World.End, _ seen: [Int]) throws {
    guard committed.state.objects[label] != nil else { return }
    let stored = committed.state.members(label, end)
    let different = Set(seen).symmetricDifference(stored)
    let isRight = different.allSatisfy { isOutdated(desk, $0) } && Set(seen).count == seen.count
    let inOrder = !end.isOrdered || seen == stored || !different.isEmpty
    if !isRight || !inOrder {
      throw Divergence(
        "read",
        "o\(label).\(end.name) was read as \(OracleState.list(seen)), is stored as "
          + OracleState.list(stored))
    }
  }

  private func isOutdated(_ desk: Desk, _ label: Int) -> Bool {
    guard let version = desk.view.objects[label]?.version else { return false }
    return version != committed.versions[label]
  }

  private func prefetch(_ desk: Desk, _ scene: OracleState, _ end: World.End) throws {
    var owners = scene.labels(end.entity)
    if !end.isToMany, !bench.world.isNetted(end) {
      // A key that leads nowhere on purpose, by the rule no action, would be found missing.
      owners.removeAll { owner in
        let known = [desk.peek(owner, end)?.first, committed.state.one(owner, end)]
        return known.contains { $0.map { scene.objects[$0] == nil } ?? false }
      }
    }
    try desk.run(.load(end.name, owners))
  }

  private func fetch(_ desk: Desk, _ scene: OracleState, _ entity: String) throws {
    let reply = try desk.run(.fetch(entity))
    let (found, count) = (reply.labels.sorted(), reply.count)
    let expected = scene.labels(entity)
    // What is gone from the store may be found while it has changes.
    let different = Set(found).symmetricDifference(expected)
    let isRight = different.allSatisfy { committed.state.objects[$0] == nil }
    if !isRight || Set(found).count != found.count || count != found.count {
      throw Divergence(
        "fetch",
        "found \(OracleState.list(found)), count \(count); should be \(OracleState.list(expected))")
    }
  }
}

// MARK: - Units of work

extension CrowdPlayer {
  private func refresh(_ desk: Desk, _ label: Int) throws {
    guard let object = desk.view.objects[label],
      !object.isInserted || committed.state.objects[label] != nil
    else { return }
    try desk.run(.refresh(label))
    guard let object = desk.view.objects[label] else { return }
    if object.isDeleted || !object.edits.values.isEmpty {
      throw Divergence("refresh", "o\(label) has changes after its refresh: \(object.edits)")
    }
  }

  private func rollback(_ desk: Desk) throws {
    try desk.run(.rollback)
    try expectClean(desk, "rollback")
  }

  func reset(_ desk: Desk) throws {
    try desk.run(.reset)
    desk.missedDeletes = false
    try expectClean(desk, "reset")
  }

  private func expectClean(_ desk: Desk, _ action: String) throws {
    desk.edits = [:]
    let edits = desk.view.edits
    if desk.view.hasChanges || !edits.isEmpty {
      throw Divergence("flags", "there are changes after \(action): \(edits)")
    }
  }

  private func save(
    _ desk: Desk, _ afterFailure: Step.AfterFailure, _ policy: Step.Policy
  ) throws {
    let edits = desk.view.edits
    let forecast = Forecast(desk, committed, history, bench.world)
    do {
      try desk.run(.save(policy))
    } catch let error as Failure {
      let isExpected =
        error.code == .conflict && forecast.mayFail || error.code == .validation && forecast.mayDeny
        || error.code == .uniquenessViolated && forecast.hasEqual
      guard isExpected else {
        throw Divergence(
          "save.refused", "nothing is in the way of the save, it threw \(error.text)")
      }
      if error.code != .validation { tally.conflicts += 1 } else { tally.refusals += 1 }
      try expectUnwritten()
      return try recover(desk, error, afterFailure)
    }
    tally.saves += 1
    let contents = try bench.contents()
    if policy == .error || !forecast.mayFail {
      if let reason = forecast.obstacles.first {
        throw Divergence("save.lost", "the save should have failed: \(reason)")
      }
      try forecast.compare(contents)
    } else {
      tally.merges += 1
      try forecast.compareMerged(contents, edits, policy, history)
    }
    adopt(contents, savedBy: desk)
    try trail?.note(contents.state)
    try expectSaved(desk)
  }

  /// An undo takes back what the last group did, and a redo does it again, where nothing else came
  /// between.
  private func reverse(_ desk: Desk, isUndo: Bool) throws {
    let before = desk.view.edits
    let known = isUndo ? desk.lastGroup : desk.lastUndo
    do {
      guard try desk.run(isUndo ? .undo : .redo).truth else { return }
    } catch let error as Failure where error.code == .conflict {
      tally.conflicts += 1
      return try expectSame(before, desk.view.edits, "undo.torn")
    }
    tally.reversals += 1
    (desk.lastGroup, desk.lastUndo) = (nil, nil)
    // A redo leads the other way; where a refresh has come between, so may an undo.
    guard let known, same(isUndo ? known.after : known.before, before) else { return }
    if isUndo { desk.lastUndo = Desk.Group(before: desk.view.edits, after: before) }
    // What went and came back may have been moved to its place in an order.
    try expectSame(
      shown(isUndo ? known.before : known.after), shown(desk.view.edits), isUndo ? "undo" : "redo")
  }

  private func shown(_ edits: [Int: Desk.Edit]) -> [Int: Desk.Edit] {
    let gone = Set(edits.filter(\.value.isDeleted).keys)
    var all: [Int: Desk.Edit] = [:]
    for (label, edit) in edits {
      all[label] = edit.shown(
        in: bench.world, row: committed.state.objects[label], gone: gone)
    }
    return all
  }

  private func same(_ a: [Int: Desk.Edit], _ b: [Int: Desk.Edit]) -> Bool {
    a.mapValues(\.cells) == b.mapValues(\.cells)
  }

  private func expectUnwritten() throws {
    let contents = try bench.contents()
    let differences = committed.state.differences(to: contents.state)
    guard differences.isEmpty, contents.versions == committed.versions else {
      throw Divergence(
        "save.torn", "a save that failed has written: " + differences.joined(separator: "; "))
    }
  }

  private func recover(
    _ desk: Desk, _ error: Failure, _ afterFailure: Step.AfterFailure
  ) throws {
    switch afterFailure {
    case .keep: break
    case .rollback: try rollback(desk)
    case .reset: try reset(desk)
    case .refresh:
      for label in error.labels { try refresh(desk, label) }
    }
  }

  private func adopt(_ contents: Bench.Contents, savedBy desk: Desk) {
    if committed.state.objects.keys.contains(where: { contents.state.objects[$0] == nil }) {
      for other in desks where other !== desk { other.missedDeletes = true }
    }
    for (label, object) in contents.state.objects {
      history[label, default: [:]][contents.versions[label] ?? 0] = object
    }
    committed = contents
  }

  private func expectSaved(_ desk: Desk) throws {
    desk.edits = [:]
    if desk.view.hasChanges || !desk.view.edits.isEmpty {
      throw Divergence("flags", "there are changes after the save: \(desk.view.edits)")
    }
    let fresh = ManagedObjectContext(coordinator: bench.coordinator, name: "fresh")
    let differences = committed.state.differences(to: try bench.state(seenBy: fresh))
    guard differences.isEmpty else {
      throw Divergence("fresh", "a fresh context sees: " + differences.joined(separator: "; "))
    }
  }
}
