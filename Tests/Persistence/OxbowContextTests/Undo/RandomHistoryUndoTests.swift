import Foundation
import OxbowContext
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

/// Random saves, of which random ones are taken back, against the states that were there.
///
/// `OXBOW_SEEDS=1000` plays as many games; `OXBOW_RANDOM_SEED=7` begins with that one.
@Suite struct RandomHistoryUndoTests {
  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap(Int.init)
  }

  private static let seeds: Range<Int> = {
    let first = number("OXBOW_RANDOM_SEED") ?? 0
    return first..<first + (number("OXBOW_SEEDS") ?? 20)
  }()

  @Test(arguments: seeds)
  func `PS-11 an undo gives what was before, or a conflict`(seed: Int) throws {
    var game = try HistoryUndoGame(seed: UInt64(seed))
    for _ in 0..<12 {
      for _ in 0..<Int.random(in: 1...4, using: &game.changes.random) { try game.save() }
      try game.undo()
      try #require(
        game.difference == nil,
        "seed \(seed): \(game.difference ?? "")\n\(game.changes.log.suffix(24))")
    }
    #expect(game.undone > 0, "seed \(seed)")
  }
}

/// What the objects of a ``Graph`` have: of a to-many relationship the members, in no order.
private struct GraphState: Equatable {
  private(set) var objects: [String: [String: Set<String>]] = [:]

  init(of context: ManagedObjectContext) throws {
    for entity in GraphSnapshot.entities {
      for object in try context.all(entity) { objects["\(object)"] = try Self.values(object) }
    }
  }

  private static func values(_ object: ManagedObject) throws -> [String: Set<String>] {
    let weight = try object.value("weight", as: Double.self)
    var values = ["name": [try object.label ?? "-"], "weight": ["\(weight ?? -1)"] as Set]
    for relationship in Graph.relationships(of: object.entityName) {
      // Keys of objects whose deletion leaves them are compared at the other end.
      if relationship.deleteRule == .noAction { continue }
      values[relationship.name] = Set(
        try object.objects(relationship.name).map { "\($0.objectID.key)" })
    }
    return values
  }

  private static func isToMany(_ name: String, _ object: String) -> Bool {
    let entity = String(object.prefix { $0 != "/" })
    return Graph.relationships(of: entity).first { $0.name == name }?.isToMany == true
  }

  /// The state now, without what led from one state to the next.
  func takingBack(_ before: Self, _ after: Self) -> Self {
    var result = self
    for (object, old) in before.objects {
      guard let new = after.objects[object] else {
        result.objects[object] = old
        continue
      }
      // Others have deleted it since, and what the save did not change does not conflict.
      guard let now = objects[object] else { continue }
      for (name, value) in old where value != new[name] {
        let changed = new[name] ?? []
        result.objects[object]?[name] =
          Self.isToMany(name, object)
          ? (now[name] ?? []).subtracting(changed.subtracting(value))
            .union(value.subtracting(changed)) : value
      }
    }
    // Last, because the others have what led to them until then.
    for object in after.objects.keys where before.objects[object] == nil { result.remove(object) }
    return result
  }

  /// Removes an object, and what leads to it without an inverse.
  private mutating func remove(_ object: String) {
    objects[object] = nil
    guard object.hasPrefix("Mark/p") else { return }
    for doc in objects.keys where doc.hasPrefix("Doc/") {
      for name in ["marks", "order", "main"] {
        objects[doc]?[name]?.remove(String(object.dropFirst("Mark/p".count)))
      }
    }
  }

  /// Whether the objects that differ in two states, and those beside them, are as in the second.
  func isAsLeft(_ before: Self, _ after: Self) -> Bool {
    Set(before.objects.keys).union(after.objects.keys).allSatisfy { object in
      before.objects[object] == after.objects[object] || objects[object] == after.objects[object]
    }
  }

  func difference(from expected: Self) -> String? {
    let keys = Set(objects.keys).union(expected.objects.keys)
      .filter { objects[$0] != expected.objects[$0] }.sorted()
    return keys.isEmpty
      ? nil
      : keys.map {
        "\($0): is \(objects[$0] ?? [:]), should be \(expected.objects[$0] ?? [:])"
      }.joined(separator: "\n")
  }
}

private struct HistoryUndoGame {
  let graph: Graph
  var changes: RandomChanges
  var states: [GraphState] = []
  var saves: [HistoryTransaction] = []
  var difference: String?
  var undone = 0

  init(seed: UInt64) throws {
    graph = try Graph(history: .values)
    changes = RandomChanges(seed: seed)
    for entity in GraphSnapshot.entities { _ = try graph.make(entity, 2) }
    states = [try GraphState(of: graph.context("reader"))]
  }

  /// A save of random changes.
  mutating func save() throws {
    let context = graph.context()
    for _ in 0..<Int.random(in: 1...5, using: &changes.random) { try changes.change(context) }
    try keep(context)
  }

  private mutating func keep(_ context: ManagedObjectContext) throws {
    let start = try graph.coordinator.currentHistoryToken()
    try context.save()
    for save in try graph.coordinator.saves(after: start) {
      changes.log.append("save \(save.number)")
      saves.append(save)
      states.append(try GraphState(of: graph.context("reader")))
    }
  }

  /// Reads what has references without inverse: a deletion finds it in memory only.
  private func holdDocs(_ context: ManagedObjectContext) throws -> [ManagedObject] {
    let docs = try context.all("Doc")
    for doc in docs { for name in ["marks", "order", "main"] { _ = try doc.objects(name) } }
    return docs
  }

  /// Takes a random save back, one of the last ones mostly, and that again.
  mutating func undo() throws {
    guard let now = states.last, !saves.isEmpty else { return }
    let recent = Int.random(in: 0...3, using: &changes.random)
    let index = max(0, saves.count - 1 - recent)
    let (save, before, after) = (saves[index], states[index], states[index + 1])
    changes.log.append("undo \(save.number)")
    let context = graph.context()
    let docs = try holdDocs(context)
    defer { withExtendedLifetime(docs) {} }
    do throws(PersistenceError) { try context.undo(save) } catch {
      if context.hasChanges { difference = "a refused undo has changed something" }
      let isOrder = error.code == .undoRefused && error.message.contains("the order of")
      let mayConflict = error.code == .conflict && !now.isAsLeft(before, after)
      if !isOrder, !mayConflict { difference = "\(error)" }
      return
    }
    let count = saves.count
    try keep(context)
    guard saves.count > count, let state = states.last, let reversal = saves.last else { return }
    undone += 1
    difference = state.difference(from: now.takingBack(before, after))
    guard difference == nil else { return }
    let again = graph.context()
    let others = try holdDocs(again)
    defer { withExtendedLifetime(others) {} }
    do throws(PersistenceError) { try again.undo(reversal) } catch {
      if !error.message.contains("the order of") { difference = "undo of the undo: \(error)" }
      return
    }
    try keep(again)
    difference = states.last?.difference(from: now).map { "undo of the undo: \($0)" }
  }
}
