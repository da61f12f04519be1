import OxbowModel
import OxbowStore

@testable import OxbowContext

/// One of several contexts on a store, and what is known of it.
final class Desk {
  let context: ManagedObjectContext
  let bench: Bench
  var held: [Int: ManagedObject] = [:]

  /// What was edited, as seen after the last step.
  var edits: [Int: Edit] = [:]

  /// Whether others have deleted objects since the context was reset.
  var missedDeletes = false

  struct Edit: Equatable {
    let entity: String
    let isInserted: Bool
    let isDeleted: Bool
    /// The version of the row, or `nil` for a fault and for a new object.
    let version: Int64?
    let isFault: Bool
    let cells: PeekedEdits
  }

  init(_ bench: Bench, _ name: String) {
    self.bench = bench
    context = ManagedObjectContext(coordinator: bench.coordinator, name: name)
  }

  func object(_ label: Int) throws -> ManagedObject {
    if let known = held[label] { return known }
    guard let id = bench.ids[label] else { throw Divergence("test", "o\(label) has no ID") }
    let object = try context.object(with: id)
    held[label] = object
    return object
  }

  func label(_ object: ManagedObject) -> Int { bench.label(of: object.objectID) }

  /// The objects that the context holds.
  var registered: [(label: Int, object: ManagedObject)] {
    bench.ids.keys.sorted().compactMap { label in
      bench.ids[label].flatMap { context.registeredObject(for: $0) }.map { (label, $0) }
    }
  }

  func registered(_ label: Int) -> ManagedObject? {
    bench.ids[label].flatMap { context.registeredObject(for: $0) }
  }

  /// What the context has edited by now.
  func peekEdits() -> [Int: Edit] {
    var edits: [Int: Edit] = [:]
    for (label, object) in registered {
      let cells = object.peekEdits()
      guard object.isInserted || object.isDeleted || cells != PeekedEdits() else { continue }
      edits[label] = Edit(
        entity: object.entityName, isInserted: object.isInserted, isDeleted: object.isDeleted,
        version: object.peekedVersion, isFault: object.isFault, cells: cells)
    }
    return edits
  }

  /// What an end is known to lead to, without reading anything.
  func peek(_ label: Int, _ end: World.End) -> [Int]? {
    guard let object = registered(label), let property = object.entity.property(named: end.name)
    else { return nil }
    return object.peek(property, end)?.map { bench.label(of: $0) }
  }
}
