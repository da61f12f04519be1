import OxbowModel
import OxbowStore

@testable import OxbowContext

/// What a save should do: whether it fails, and what the store has after it.
///
/// It fails when a row that it changes or deletes has another version by now, or when a key would
/// lead nowhere. A change of a to-many end alone neither checks nor raises a version. A row whose
/// values were set to what they were may be written or not. A row that the context has read and
/// that leads to what it deletes, by an end without inverse, is changed: it leads nowhere.
struct Forecast {
  /// Why the save must fail.
  private(set) var obstacles: [String] = []
  /// Whether it may fail.
  private(set) var mayFail = false

  /// Whether two objects would have the same unique value.
  private(set) var hasEqual = false

  /// Whether a rule may deny it.
  private(set) var mayDeny = false

  let world: World
  let before: Bench.Contents
  /// What is edited, with the links that a deletion ends (``Desk/editsUntied(in:_:_:)``).
  let edits: [Int: Desk.Edit]
  /// The versions of the rows that the context holds.
  let held: [Int: Int64]
  private var after: OracleState
  /// How much the version of each row rises.
  private var raises: [Int: ClosedRange<Int64>] = [:]
  /// The order that the context has in mind for the ends that it changed.
  private var orders: [Place: Order] = [:]

  private struct Order {
    var members: [Int]?
    /// Whether it was given as a whole.
    let isGiven: Bool
    let arrivals: Set<Int>
  }

  private struct Place: Hashable {
    let label: Int
    let end: Int
  }

  init(
    _ desk: Desk, _ before: Bench.Contents, _ history: [Int: [Int64: OracleState.Object]],
    _ world: World
  ) {
    self.world = world
    self.before = before
    after = before.state
    let known = Set(history.keys).union(desk.view.edits.keys)
    held = desk.view.objects.compactMapValues(\.version)
    edits = desk.editsUntied(in: world, known, history)
    for (label, edit) in edits.sorted(by: { $0.key < $1.key }) {
      if edit.isInserted {
        if edit.isDeleted { continue }
        if before.state.objects[label] != nil {
          obstacles.append("o\(label), which came back, was written again by another context")
        }
        after.insert(label, edit.entity)
      } else if edit.isDeleted {
        delete(label, edit)
      }
    }
    for (label, edit) in edits.sorted(by: { $0.key < $1.key }) where !edit.isDeleted {
      write(label, edit, edit.version.flatMap { history[label]?[$0] })
      for end in world.ends(of: edit.entity) where end.isOrdered && edit.cells.changes(end.name) {
        orders[Place(label: label, end: end.index)] = Order(
          members: desk.peek(label, end), isGiven: edit.cells.reordered.contains(end.name),
          arrivals: (edit.cells.added[end.name] ?? []).union(edit.cells.arrivals[end.name] ?? []))
      }
    }
    for (label, edit) in edits.sorted(by: { $0.key < $1.key }) where !edit.isDeleted {
      join(label, edit, known)
    }
    let denying = world.ends.filter { $0.rule == .deny }
    mayDeny = edits.values.contains { edit in
      edit.isDeleted && denying.contains { world.isKind(edit.entity, of: $0.entity) }
    }
    gatherMembers()
    findEqual()
    obstacles += after.dangling().map { "o\($0.label).\($0.end.name) would lead nowhere" }
    mayFail = mayFail || !obstacles.isEmpty
  }

  private mutating func delete(_ label: Int, _ edit: Desk.Edit) {
    after.objects[label] = nil
    if before.state.objects[label] == nil {
      obstacles.append("o\(label) was deleted by another context")
    } else if let version = edit.version, version != before.versions[label] {
      obstacles.append("o\(label), to be deleted, was changed by another context")
    }
  }

  private mutating func write(_ label: Int, _ edit: Desk.Edit, _ base: OracleState.Object?) {
    guard edit.cells.changesRow || edit.isInserted else { return }
    var row = after.objects[label] ?? base ?? OracleState.Object(entity: edit.entity, values: [:])
    var isChanged = false
    for attribute in world.attributes(of: edit.entity) {
      guard let edited = edit.cells.values[attribute.name] else { continue }
      row.values[attribute.name] = edited
      if base?.values[attribute.name] != edited { isChanged = true }
    }
    for end in world.ends(of: edit.entity) where !end.isToMany {
      guard let target = edit.cells.ones[end.name] else { continue }
      row.ones[end.index] = target
      if base?.ones[end.index] != target { isChanged = true }
    }
    if !edit.isInserted { checkVersion(label, edit, isChanged) }
    if edit.isInserted || before.state.objects[label] != nil { after.objects[label] = row }
    raises[label] = isChanged ? 1...1 : 0...1
  }

  private mutating func checkVersion(_ label: Int, _ edit: Desk.Edit, _ isChanged: Bool) {
    if edit.version == before.versions[label], before.state.objects[label] != nil { return }
    mayFail = true
    if isChanged { obstacles.append("o\(label) was changed or deleted by another context") }
  }

  /// Links in rows of their own.
  private mutating func join(_ label: Int, _ edit: Desk.Edit, _ known: Set<Int>) {
    for end in world.ends(of: edit.entity) where world.isJoined(end) {
      for member in edit.cells.removed[end.name] ?? [] {
        after.untie(label, end, member)
      }
      for member in edit.cells.added[end.name] ?? [] {
        let isGone = edits[member]?.isDeleted == true || !known.contains(member)
        if isGone, end.inverse == nil || edits[member]?.isDeleted == true { continue }
        if after.objects[label] == nil || after.objects[member] == nil {
          obstacles.append("o\(label).\(end.name) gets a member, and one of both is gone")
        }
        after.tie(label, end, member)
      }
    }
  }

  /// No two objects have the same unique value.
  private mutating func findEqual() {
    for (entity, name) in world.unique {
      let values = after.labels(entity).compactMap { after.objects[$0]?.values[name]?.attribute }
      guard Set(values).count != values.count else { continue }
      obstacles.append("\(entity).\(name) has equals")
      hasEqual = true
    }
  }

  /// What to-many ends have follows from the keys at the other end, and goes with deleted objects.
  private mutating func gatherMembers() {
    for end in world.ends where end.isToMany {
      for label in after.labels(end.entity) {
        var members = after.many(label, end).filter { after.objects[$0] != nil }
        if let back = world.inverse(of: end), !back.isToMany {
          members = members.filter { after.one($0, back) == label }
          let all = after.labels(back.entity).filter { after.one($0, back) == label }
          members += all.filter { !members.contains($0) }
        }
        after.objects[label]?.many[end.index] = members.isEmpty ? nil : members
      }
    }
  }
}

// MARK: - After the save

extension Forecast {
  /// Compares what the store has after the save with what it should have.
  func compare(_ contents: Bench.Contents) throws {
    if !contents.faults.isEmpty {
      throw Divergence("store.layout", contents.faults.joined(separator: "; "))
    }
    let differences = after.unordered.differences(to: contents.state.unordered)
    guard differences.isEmpty else {
      throw Divergence("store", "in the store: " + differences.joined(separator: "; "))
    }
    try comparePairs(contents.state)
    try compareOrders(contents.state)
    try compareVersions(contents)
  }

  /// Both keys of a one-to-one relationship agree.
  func comparePairs(_ state: OracleState) throws {
    for end in world.ends where !end.isToMany {
      guard let back = world.inverse(of: end), !back.isToMany else { continue }
      for label in state.labels(end.entity) {
        guard let other = state.one(label, end), state.one(other, back) != label else { continue }
        throw Divergence(
          "store.pair",
          "in the store, o\(label).\(end.name) is o\(other), whose \(back.name) is "
            + (state.one(other, back).map { "o\($0)" } ?? "nil"))
      }
    }
  }

  /// An order that was given as a whole is kept among its members.
  ///
  /// Else members keep the order that the store has, and new ones come last, as they came. What
  /// another context has linked meanwhile may stay where that context has put it.
  private func compareOrders(_ state: OracleState) throws {
    for end in world.ends where end.isOrdered {
      for label in state.labels(end.entity) {
        let seen = state.many(label, end)
        let old = before.state.many(label, end).filter { seen.contains($0) }
        let order = orders[Place(label: label, end: end.index)]
        if order.map({ isRight(seen, old, $0) }) ?? (Array(seen.prefix(old.count)) == old) {
          continue
        }
        throw Divergence(
          "store.order",
          "in the store, o\(label).\(end.name) is \(OracleState.list(seen)), was "
            + "\(OracleState.list(before.state.many(label, end))), the context had "
            + (order?.members.map { OracleState.list($0) } ?? "nothing"))
      }
    }
  }

  private func isRight(_ seen: [Int], _ old: [Int], _ order: Order) -> Bool {
    if order.isGiven, let wanted = order.members {
      return seen.filter { wanted.contains($0) } == wanted.filter { seen.contains($0) }
    }
    let rest = old.filter { !order.arrivals.contains($0) }
    let new = seen.filter { !old.contains($0) }
    let inOrder = order.members.map { wanted in
      new.filter { wanted.contains($0) } == wanted.filter { new.contains($0) }
    }
    return seen.filter { rest.contains($0) } == rest && inOrder ?? true
      && seen.filter { rest.contains($0) || new.contains($0) } == rest + new
  }

  private func compareVersions(_ contents: Bench.Contents) throws {
    for (label, version) in contents.versions.sorted(by: { $0.key < $1.key }) {
      guard let old = before.versions[label] else { continue }
      let raise = raises[label] ?? 0...0
      if !raise.contains(version - old) {
        throw Divergence(
          "store.version", "o\(label) went from version \(old) to \(version), expected +\(raise)")
      }
    }
  }
}
