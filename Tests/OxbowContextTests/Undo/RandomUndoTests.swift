import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowContext

/// Random groups of changes, saves, sweeps, undo and redo, against snapshots of the whole graph.
@Suite struct RandomUndoTests {
  @Test(arguments: 0..<60)
  func `each undo and redo leads to the graph that was there (PG-09)`(seed: Int) throws {
    var game = try UndoGame(seed: UInt64(seed))
    for step in 0..<150 {
      do { try game.play() } catch { game.difference = "\(error)" }
      guard game.difference == nil else {
        Issue.record(
          "seed \(seed), step \(step): \(game.difference ?? "")\n\(game.log.suffix(60))")
        return
      }
    }
    #expect(game.reversals > 20, "seed \(seed)")
  }
}

private struct UndoGame {
  typealias Snapshot = [String: String]

  let graph: Graph
  let context: ManagedObjectContext
  var random: SeededRandom
  var past: [Snapshot] = []
  var future: [Snapshot] = []
  var current: Snapshot = [:]
  var log: [String] = []
  var difference: String?
  var reversals = 0
  var counter = 0

  /// What has references without inverse, which a deletion finds in memory only.
  var held: [ManagedObject] = []

  static let entities = [
    "Folder", "File", "Label", "Person", "Passport", "Whole", "Part", "Room", "Guest", "Doc",
    "Mark",
  ]

  init(seed: UInt64) throws {
    graph = try Graph()
    context = graph.context()
    context.isUndoEnabled = true
    random = SeededRandom(seed: seed)
    for entity in Self.entities {
      _ = try graph.make(entity, 2)
    }
    current = try snapshot(graph.context("reader"))
  }

  mutating func play() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: try changeGroup()
    case 4: try save()
    case 5: context.sweep()
    case 6...7: try reverse(isUndo: true)
    case 8: try reverse(isUndo: false)
    default: try rush()
    }
  }

  private func snapshot(_ context: ManagedObjectContext) throws -> Snapshot {
    var snapshot: Snapshot = [:]
    for entity in Self.entities {
      for object in try context.all(entity) {
        var parts = ["\(try object.label ?? "-")", "\(try object.value("weight", as: Double.self) ?? -1)"]
        for property in object.entity.relationships {
          let ids = try object.objects(property.name).map { "\($0.objectID.key)" }
          let isOrdered = property.relationship?.isOrdered == true
          parts.append("\(property.name):" + (isOrdered ? ids : ids.sorted()).joined(separator: ","))
        }
        snapshot["\(object)"] = parts.joined(separator: " ")
      }
    }
    return snapshot
  }

  private mutating func compare(_ found: Snapshot, _ expected: Snapshot, _ what: String) {
    guard found != expected, difference == nil else { return }
    let keys = Set(found.keys).union(expected.keys).filter { found[$0] != expected[$0] }.sorted()
    difference =
      "\(what): "
      + keys.map { "\($0): is \(found[$0] ?? "gone"), was \(expected[$0] ?? "gone")" }
      .joined(separator: "; ")
  }

  /// A group that is looked at in the context itself.
  private mutating func changeGroup() throws {
    let count = context.undoLog?.undoable.count ?? 0
    log.append("group")
    try context.beginUndoGroup()
    for _ in 0..<Int.random(in: 1...4, using: &random) { try change() }
    try context.endUndoGroup()
    try finish(countBefore: count, snapshot(context))
  }

  /// A group that ends with a save, looked at by another context, so that this one has faults.
  private mutating func rush() throws {
    log.append("rush")
    let count = context.undoLog?.undoable.count ?? 0
    let before = context.hasChanges
    for _ in 0..<Int.random(in: 1...4, using: &random) { try change() }
    try context.save()
    if before { log.append("(with changes)") }
    try finish(countBefore: count, snapshot(graph.context("reader")))
  }

  private mutating func finish(countBefore: Int, _ found: Snapshot) throws {
    if context.undoLog?.undoable.count ?? 0 > countBefore {
      past.append(current)
      future = []
    } else {
      if context.undoLog?.redoable.isEmpty == true { future = [] }
      compare(found, current, "a change was not recorded")
    }
    current = found
  }

  private mutating func save() throws {
    log.append("save")
    try context.save()
    compare(try snapshot(graph.context("reader")), current, "saved")
  }

  private mutating func reverse(isUndo: Bool) throws {
    let isDone = isUndo ? try context.undo() : try context.redo()
    log.append((isUndo ? "undo" : "redo") + (context.hasChanges ? "*" : ""))
    guard isDone else {
      if !(isUndo ? past : future).isEmpty { difference = "nothing was done" }
      return
    }
    reversals += 1
    guard let expected = isUndo ? past.popLast() : future.popLast() else {
      difference = "something was done"
      return
    }
    if isUndo { future.append(current) } else { past.append(current) }
    current = expected
    if Bool.random(using: &random) {
      compare(try snapshot(context), expected, isUndo ? "undone" : "redone")
    } else {
      try save()
    }
  }

  // MARK: Changes

  private mutating func pick(_ entity: String) throws -> ManagedObject? {
    // In the order of the store, so that a seed gives the same run.
    try context.all(entity).sorted { $0.objectID.key < $1.objectID.key }
      .randomElement(using: &random)
  }

  private mutating func change() throws {
    held = try context.all("Doc")
    for doc in held { for name in ["marks", "order", "main"] { _ = try doc.objects(name) } }
    let entity = Self.entities.randomElement(using: &random) ?? "File"
    switch Int.random(in: 0..<10, using: &random) {
    case 0...1:
      let object = try context.insert(entityNamed: entity)
      counter += 1
      try object.setValue("n\(counter)", for: "name")
      log.append("insert \(object)")
    case 2:
      guard let object = try pick(entity) else { return }
      if entity == "Room", try !object.objects("guests").isEmpty { return }
      log.append("delete \(object)")
      try context.delete(object)
    case 3...4:
      guard let object = try pick(entity) else { return }
      counter += 1
      log.append("name \(object)")
      try object.setValue("v\(counter % 7)", for: "name")
      if counter % 3 == 0 { try object.setValue(Double(counter % 4), for: "weight") }
    default: try relate(entity)
    }
  }

  private mutating func relate(_ entity: String) throws {
    guard let object = try pick(entity),
      let property = object.entity.relationships.randomElement(using: &random),
      let relationship = property.relationship
    else { return }
    let others = try context.all(context.model.entities[relationship.destination].name)
      .sorted { $0.objectID.key < $1.objectID.key }
    var chosen = Array(
      others.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
    if !relationship.isToMany { chosen = Array(chosen.prefix(1)) }
    log.append("\(object).\(property.name) = \(chosen)")
    try object.setObjects(chosen, for: property.name)
  }
}
