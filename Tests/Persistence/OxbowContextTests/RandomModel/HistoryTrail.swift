import OxbowContext
import OxbowModel
import OxbowStore

/// The states that a store had after its saves, and a way back from the last to the first by what
/// the history of the store says.
///
/// The order of members is left out: a history says that a member has another place, not which.
struct HistoryTrail {
  private var states: [Int64: OracleState] = [:]
  private let bench: Bench

  init(_ bench: Bench) throws {
    self.bench = bench
    try note(OracleState(bench.world))
  }

  /// Notes the state after the last save.
  mutating func note(_ state: OracleState) throws {
    states[try bench.coordinator.currentHistoryToken().number] = state
  }

  /// Takes back all saves, and compares what is left each time with what was there.
  func check() throws {
    var state = try bench.contents().state
    for save in try bench.coordinator.saves().reversed() {
      for change in save.changes { try takeBack(change, &state) }
      for link in save.links.reversed() { takeBack(link, &state) }
      settle(&state)
      for link in save.links { try check(link, in: state, save.number) }
      guard let known = states[save.number - 1] else { continue }
      let differences = known.unordered.differences(to: state.unordered)
      guard differences.isEmpty else {
        throw Divergence(
          "history",
          "before save \(save.number), its history says: " + differences.joined(separator: "; "))
      }
    }
  }

  /// A link in a row of its own that a save has begun was not there before it, and one that it has
  /// ended was.
  private func check(_ link: HistoryLink, in state: OracleState, _ number: Int64) throws {
    guard link.kind != .placed, let ends = link.link,
      let end = bench.world.ends.first(where: { $0.name == link.name }), bench.world.isJoined(end)
    else { return }
    let (owner, member) = (bench.label(of: ends.owner), bench.label(of: ends.member))
    guard state.isTied(owner, end, member) == (link.kind == .begun) else { return }
    throw Divergence(
      "history.link",
      "save \(number) says that o\(owner).\(end.name) to o\(member) has \(link.kind)")
  }

  private func takeBack(_ change: HistoryChange, _ state: inout OracleState) throws {
    guard let id = change.objectID else {
      throw Divergence("history", "a change of \(change.entityName) has no object")
    }
    let label = bench.label(of: id)
    switch change.kind {
    case .insert: state.objects[label] = nil
    case .update: put(change.before ?? [:], into: label, &state)
    case .delete:
      state.insert(label, id.entityName)
      put(change.before ?? [:], into: label, &state)
    }
  }

  private func put(
    _ values: [String: PropertyValue], into label: Int, _ state: inout OracleState
  ) {
    for (name, value) in values {
      if let end = bench.world.ends.first(where: { $0.name == name }) {
        state.objects[label]?.ones[end.index] = value.objectIDs.first.map { bench.label(of: $0) }
      } else {
        state.set(label, name, Value(value.attribute))
      }
    }
  }

  /// Takes back a link in a row of its own; of others, the keys before are values of a change.
  private func takeBack(_ link: HistoryLink, _ state: inout OracleState) {
    let world = bench.world
    guard let ends = link.link, let end = world.ends.first(where: { $0.name == link.name }),
      world.isJoined(end), link.kind != .placed
    else { return }
    let (owner, member) = (bench.label(of: ends.owner), bench.label(of: ends.member))
    if link.kind == .begun {
      state.untie(owner, end, member)
    } else {
      state.tie(owner, end, member)
    }
  }

  /// Gives to-many ends what leads to their objects by keys.
  private func settle(_ state: inout OracleState) {
    let world = bench.world
    for end in world.ends where end.isToMany && !world.isJoined(end) {
      for label in state.objects.keys { state.objects[label]?.many[end.index] = nil }
      guard let back = world.inverse(of: end) else { continue }
      for (label, object) in state.objects {
        guard let owner = object.ones[back.index] else { continue }
        state.objects[owner]?.many[end.index, default: []].append(label)
      }
    }
  }
}
