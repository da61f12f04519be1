import Foundation
import OxbowModel
import OxbowStore
import OxbowTestSupport
import Testing

@testable import OxbowContext

/// Random groups of changes in a ``Knot``, undone and redone, against snapshots of the whole graph.
///
/// Links are made and deleted in one group, new objects become owners, objects lead to themselves,
/// and nothing is fetched inside of a group, which would untie what was deleted. The suite plays
/// some thousand steps; `OXBOW_RANDOM_STEPS=100000` plays that many, `OXBOW_RANDOM_SEED=7` begins
/// with that seed.
@Suite struct RandomKnotTests {
  private static let stepsOfGame = 60

  private static func number(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  @Test(arguments: [false, true])
  func `undo and redo lead to the graph that was there, with links of every kind`(
    isSmall: Bool
  ) throws {
    let steps = Self.number("OXBOW_RANDOM_STEPS") ?? 3000
    let first = Self.number("OXBOW_RANDOM_SEED") ?? 1
    var reversals = 0
    for seed in first..<(first + max(1, steps / Self.stepsOfGame)) {
      var game = try KnotGame(seed: UInt64(seed), objects: isSmall ? 1 : 3)
      for step in 0..<Self.stepsOfGame {
        do { try game.play() } catch { game.difference = "\(error)" }
        guard game.difference == nil else {
          Issue.record(
            "seed \(seed), step \(step): \(game.difference ?? "")\n\(game.log.suffix(240))")
          return
        }
      }
      reversals += game.reversals
    }
    #expect(reversals > steps / 10)
  }
}

private struct KnotGame {
  let knot: Knot
  let context: ManagedObjectContext
  var random: SeededRandom
  var objects: [ManagedObject] = []
  var past: [KnotSnapshot] = []
  var future: [KnotSnapshot] = []
  var current = KnotSnapshot()
  var difference: String?
  var log: [String] = []
  var reversals = 0
  private var counter = 0

  init(seed: UInt64, objects count: Int) throws {
    knot = try Knot()
    context = knot.context()
    random = SeededRandom(seed: seed)
    for name in Knot.names {
      for _ in 0..<count { objects.append(try context.insert(entityNamed: name)) }
    }
    try context.save()
    context.isUndoEnabled = true
    current = try KnotSnapshot(of: context)
  }

  mutating func play() throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...4: try changeGroup()
    case 5: try save()
    case 6: context.sweep()
    case 7...8: try reverse(isUndo: true)
    default: try reverse(isUndo: false)
    }
  }

  private mutating func compare(
    _ found: KnotSnapshot, _ expected: KnotSnapshot, _ what: String
  ) {
    guard difference == nil, let text = found.difference(from: expected) else { return }
    difference = "\(what): \(text)"
  }

  private mutating func changeGroup() throws {
    let count = context.undoLog?.undoable.count ?? 0
    log.append("group")
    try context.beginUndoGroup()
    for _ in 0..<Int.random(in: 1...6, using: &random) { try change() }
    try context.endUndoGroup()
    let found = try KnotSnapshot(of: context)
    if context.undoLog?.undoable.count ?? 0 > count {
      past.append(current)
      future = []
    } else {
      if context.undoLog?.redoable.isEmpty == true { future = [] }
      compare(found, current, "a change was not recorded")
    }
    current = found
  }

  private mutating func change() throws {
    counter += 1
    let alive = objects.filter { $0.context != nil && !$0.isDeleted }
    let object = alive.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...1:
      let name = Knot.names.randomElement(using: &random) ?? "Node"
      let made = try context.insert(entityNamed: name)
      objects.append(made)
      log.append("insert \(made)")
    case 2...3:
      guard let object, try !isDenied(object) else { return }
      log.append("delete \(object)")
      try context.delete(object)
    case 4:
      log.append("name \(object.map { "\($0)" } ?? "")")
      try object?.setValue("v\(counter % 5)", for: "name")
    default:
      if let object { try relate(object, among: alive) }
    }
  }

  /// Whether a deletion would reach a box with items, which the save denies.
  private func isDenied(_ object: ManagedObject) throws -> Bool {
    var met: Set<ManagedObject> = []
    var queue = [object]
    while let next = queue.popLast() {
      guard met.insert(next).inserted else { continue }
      if next.entityName == "Box" {
        if try !next.objects("items").isEmpty { return true }
      } else {
        queue += try next.objects("children") + next.objects("heart")
      }
    }
    return false
  }

  private mutating func relate(_ object: ManagedObject, among alive: [ManagedObject]) throws {
    guard
      let relationship = Knot.relationships(of: object.entityName).randomElement(using: &random)
    else { return }
    let isBox = relationship.destination == "Box"
    let others = alive.filter { ($0.entityName == "Box") == isBox }.shuffled(using: &random)
    switch Int.random(in: 0..<(relationship.isToMany ? 4 : 2), using: &random) {
    case 2:
      guard let other = others.first else { return }
      log.append("\(object).\(relationship.name) + \(other)")
      try object.add(other, to: relationship.name)
    case 3:
      guard let other = others.first else { return }
      log.append("\(object).\(relationship.name) - \(other)")
      try object.remove(other, from: relationship.name)
    default:
      let count = Int.random(in: 0...(relationship.isToMany ? 3 : 1), using: &random)
      var chosen = Array(others.prefix(count))
      if !isBox, object.entityName != "Box", random.chance(15) { chosen = [object] }
      log.append("\(object).\(relationship.name) = \(chosen)")
      try object.setObjects(chosen, for: relationship.name)
    }
  }

  private mutating func save() throws {
    log.append("save")
    try context.save()
    compare(try KnotSnapshot(of: knot.context("reader")), current, "saved")
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
    if random.chance(60) {
      compare(try KnotSnapshot(of: context), expected, isUndo ? "undone" : "redone")
    } else {
      try save()
    }
  }
}
