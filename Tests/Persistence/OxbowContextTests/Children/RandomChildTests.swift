import OxbowContext
import OxbowModel
import Testing

/// Random changes in children and their parent, which have to agree with each other and with the
/// store after each save.
@Suite struct RandomChildTests {
  @Test(arguments: 0..<40)
  func `what a child saves is what its parent has, and then the store (PG-10)`(seed: Int) throws {
    let graph = try Graph()
    for entity in GraphSnapshot.entities { _ = try graph.make(entity, 2) }
    let parent = graph.context("parent")
    var children = ["a", "b"].map { ManagedObjectContext(parent: parent, name: $0) }
    children.append(ManagedObjectContext(parent: children[0], name: "grandchild"))
    var changes = RandomChanges(seed: UInt64(seed))
    for step in 0..<60 {
      if let problem = try play(graph, parent, children, &changes) {
        Issue.record("seed \(seed), step \(step): \(problem)\n\(changes.log.suffix(14))")
        return
      }
    }
  }

  private func play(
    _ graph: Graph, _ parent: ManagedObjectContext, _ children: [ManagedObjectContext],
    _ changes: inout RandomChanges
  ) throws -> String? {
    let child = children[Int.random(in: 0..<children.count, using: &changes.random)]
    switch Int.random(in: 0..<6, using: &changes.random) {
    case 0:
      changes.log.append("parent:")
      try changes.change(parent)
      return nil
    case 1:
      changes.log.append("save")
      let before = try GraphSnapshot(of: parent)
      try parent.save()
      let reader = graph.context("reader")
      return try GraphSnapshot(of: reader).difference(from: before).map { "stored: \($0)" }
    case 2:
      changes.log.append("\(child.name) discards")
      let before = try GraphSnapshot(of: parent)
      try child.reset()
      try changes.change(child)
      try child.rollback()
      let problem = try GraphSnapshot(of: parent).difference(from: before)
      return problem.map { "discarded: \($0)" }
    default: return try save(child, &changes)
    }
  }

  private func save(
    _ child: ManagedObjectContext, _ changes: inout RandomChanges
  ) throws -> String? {
    changes.log.append("\(child.name):")
    guard let parent = child.parent else { return nil }
    // It has not seen what its siblings saved.
    if parent.parent != nil { try parent.reset() }
    try child.reset()
    if let problem = try GraphSnapshot(of: child).difference(from: GraphSnapshot(of: parent)) {
      return "seen by the child: \(problem)"
    }
    for _ in 0..<Int.random(in: 1...3, using: &changes.random) {
      for _ in 0..<Int.random(in: 1...4, using: &changes.random) { try changes.change(child) }
      let expected = try GraphSnapshot(of: child)
      try child.save()
      if child.hasChanges { return "the child still has changes" }
      if let problem = try GraphSnapshot(of: parent).difference(from: expected) {
        return "saved by the child: \(problem)"
      }
      if let problem = try GraphSnapshot(of: child).difference(from: expected) {
        return "of the child after its save: \(problem)"
      }
    }
    if parent.parent != nil { try parent.save() }
    return nil
  }
}
