import OxbowContext
import OxbowModel
import OxbowTestSupport
import Testing

/// Random changes in a parent, its children and others, whose saves the children merge: they show
/// what their parent has without being reset (PG-10, PG-12).
@Suite struct RandomFollowingTests {
  private final class Family {
    let graph: Graph
    let parent: ManagedObjectContext
    let children: [ManagedObjectContext]
    var changes: RandomChanges
    private var unsure: Set<String> = []

    init(seed: Int) throws {
      graph = try Graph()
      for entity in GraphSnapshot.entities { _ = try graph.make(entity, 3) }
      let parent = graph.context("parent")
      var children = ["a", "b"].map { ManagedObjectContext(parent: parent, name: $0) }
      children.append(ManagedObjectContext(parent: children[0], name: "grandchild"))
      (self.parent, self.children) = (parent, children)
      changes = RandomChanges(seed: UInt64(seed))
      for context in [parent] + children {
        context.automaticallyMergesChangesFromParent = true
        _ = try GraphSnapshot(of: context)
      }
    }

    /// Saves, or rolls back what somebody else's changes refuse.
    ///
    /// - Returns: Whether it was saved.
    func save(_ context: ManagedObjectContext) throws -> Bool {
      do throws(PersistenceError) {
        try context.save()
        return true
      } catch {
        guard [.conflict, .validation].contains(error.code) else { throw error }
        changes.log.append("\(context.name) is refused: \(error.code)")
        try context.rollback()
        return false
      }
    }

    func change(_ context: ManagedObjectContext) throws {
      changes.log.append("\(context.name):")
      for _ in 0..<Int.random(in: 1...4, using: &changes.random) { try changes.change(context) }
    }

    /// Makes a step, and notes which children cannot know what their parent has: those that were
    /// not notified of its unsaved changes.
    func step() throws {
      switch Int.random(in: 0..<8, using: &changes.random) {
      case 0:
        try change(parent)
        unsure = Set(children.map(\.name))
      case 1:
        changes.log.append("parent saves")
        guard parent.hasChanges else { return }
        _ = try save(parent)
        unsure = []
      case 2:
        changes.log.append("parent rolls back")
        try parent.rollback()
        unsure = []
      case 3 where !parent.hasChanges:
        let others = graph.context("others")
        try change(others)
        _ = try save(others)
      default: try saveChild(children[Int.random(in: 0..<3, using: &changes.random)])
      }
    }

    private func saveChild(_ child: ManagedObjectContext) throws {
      try change(child)
      // What changes nothing is not reported.
      let isTold = child.hasChanges
      guard try save(child), isTold else {
        // What it read for its changes may be newer than the rest.
        unsure.formUnion(child === children[0] ? ["a", "grandchild"] : [child.name])
        return
      }
      if child === children[2] { return try saveAgain(children[0]) }
      let isUnsure = unsure.contains(child.name)
      unsure = isUnsure ? [child.name] : []
      if isUnsure, child === children[0] { unsure.insert("grandchild") }
    }

    /// Saves what a child's child has saved.
    private func saveAgain(_ child: ManagedObjectContext) throws {
      let before = unsure
      if try save(child) { unsure.remove("b") } else { unsure.formUnion(before) }
    }

    func problem() throws -> String? {
      for child in children where !unsure.contains(child.name) {
        guard let parent = child.parent else { continue }
        let expected = try GraphSnapshot(of: parent)
        if let difference = try GraphSnapshot(of: child).difference(from: expected) {
          return "\(child.name): \(difference)"
        }
      }
      return nil
    }
  }

  @Test(arguments: 0..<10)
  func `children that merge changes show what their parent has`(seed: Int) throws {
    let family = try Family(seed: seed)
    for step in 0..<60 {
      do {
        try family.step()
        guard let problem = try family.problem() else { continue }
        Issue.record("seed \(seed), step \(step): \(problem)\n\(family.changes.log.suffix(14))")
      } catch {
        Issue.record("seed \(seed), step \(step): \(error)\n\(family.changes.log.suffix(14))")
      }
      return
    }
  }
}
