import OxbowModel
import OxbowStore
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
          "seed \(seed), step \(step): \(game.difference ?? "")\n\(game.log.suffix(16))")
        return
      }
    }
    #expect(game.reversals > 20, "seed \(seed)")
  }
}

private struct UndoGame {
  let graph: Graph
  let context: ManagedObjectContext
  var changes: RandomChanges
  var past: [GraphSnapshot] = []
  var future: [GraphSnapshot] = []
  var current = GraphSnapshot()
  var difference: String?
  var reversals = 0

  var log: [String] {
    get { changes.log }
    set { changes.log = newValue }
  }

  init(seed: UInt64) throws {
    graph = try Graph()
    context = graph.context()
    context.isUndoEnabled = true
    changes = RandomChanges(seed: seed)
    for entity in GraphSnapshot.entities { _ = try graph.make(entity, 2) }
    current = try GraphSnapshot(of: graph.context("reader"))
  }

  mutating func play() throws {
    switch Int.random(in: 0..<10, using: &changes.random) {
    case 0...3: try changeGroup()
    case 4: try save()
    case 5: context.sweep()
    case 6...7: try reverse(isUndo: true)
    case 8: try reverse(isUndo: false)
    default: try rush()
    }
  }

  private mutating func compare(
    _ found: GraphSnapshot, _ expected: GraphSnapshot, _ what: String
  ) {
    guard difference == nil, let text = found.difference(from: expected) else { return }
    difference = "\(what): \(text)"
  }

  /// A group that is looked at in the context itself.
  private mutating func changeGroup() throws {
    let count = context.undoLog?.undoable.count ?? 0
    log.append("group")
    try context.beginUndoGroup()
    for _ in 0..<Int.random(in: 1...4, using: &changes.random) { try changes.change(context) }
    try context.endUndoGroup()
    try finish(countBefore: count, GraphSnapshot(of: context))
  }

  /// A group that ends with a save, looked at by another context, so that this one has faults.
  private mutating func rush() throws {
    log.append("rush")
    let count = context.undoLog?.undoable.count ?? 0
    let before = context.hasChanges
    for _ in 0..<Int.random(in: 1...4, using: &changes.random) { try changes.change(context) }
    try context.save()
    if before { log.append("(with changes)") }
    try finish(countBefore: count, GraphSnapshot(of: graph.context("reader")))
  }

  private mutating func finish(countBefore: Int, _ found: GraphSnapshot) throws {
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
    compare(try GraphSnapshot(of: graph.context("reader")), current, "saved")
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
    if Bool.random(using: &changes.random) {
      compare(try GraphSnapshot(of: context), expected, isUndo ? "undone" : "redone")
    } else {
      try save()
    }
  }
}
