import OxbowModel
import OxbowStore

@testable import OxbowContext

// What is looked at after each step, without reading anything, and after each save.

extension SoloPlayer {
  func check() throws {
    let touched = !working.differences(to: committed).isEmpty
    if isUntouched, context.hasChanges { throw Divergence("flags", "the context has changes") }
    if touched, !context.hasChanges { throw Divergence("flags", "the context has no changes") }
    for (label, id) in bench.ids {
      guard let object = context.registeredObject(for: id) else { continue }
      try checkFlags(object, label)
      if working.objects[label] != nil { try checkCells(object, label) }
    }
    if looksAtTheGone { for grave in graves { try checkGrave(grave) } }
  }

  private func checkFlags(_ object: ManagedObject, _ label: Int) throws {
    let (isThere, isStored) = (working.objects[label] != nil, committed.objects[label] != nil)
    guard isThere || isStored else {
      // A fault may be of what is gone, where a key still leads to it.
      if object.isFault { return }
      throw Divergence("flags", "o\(label) is gone and still registered")
    }
    try expect(object.isInserted == (isThere && !isStored), "o\(label).isInserted is wrong")
    try expect(object.isDeleted == !isThere, "o\(label).isDeleted is wrong")
    if isUntouched { try expect(!object.hasChanges, "o\(label).hasChanges, and nothing was done") }
    if isThere, isStored, differsInRow(label) {
      try expect(object.hasChanges, "o\(label).hasChanges is false, and it differs from its row")
    }
  }

  private func expect(_ condition: Bool, _ text: String) throws {
    if !condition { throw Divergence("flags", text) }
  }

  private func differsInRow(_ label: Int) -> Bool {
    guard let mine = working.objects[label], let stored = committed.objects[label] else {
      return false
    }
    // What is to be deleted is untied without inverse when it is looked at, at the latest by the
    // save.
    let ends = bench.world.ends(of: mine.entity).filter { end in
      end.inverse != nil
        || [mine, stored].compactMap { $0.ones[end.index] }.allSatisfy {
          working.objects[$0] != nil
        }
    }
    return mine.values != stored.values
      || ends.contains { mine.ones[$0.index] != stored.ones[$0.index] }
  }

  /// Compares what is loaded of an object with the oracle.
  private func checkCells(_ object: ManagedObject, _ label: Int) throws {
    for property in object.entity.properties {
      if let end = bench.world.ends.first(where: { $0.name == property.name }) {
        guard let seen = object.peek(property, end) else { continue }
        try compare(label, end, seen.map { bench.label(of: $0) }, "memory")
      } else if !object.isFault {
        let seen = object.attributeValue(of: property)
        let expected = working.objects[label]?.values[property.name]?.attribute
        if !seen.isSame(as: expected) {
          throw Divergence(
            "memory.value",
            "o\(label).\(property.name) is \(seen.map { "\($0)" } ?? "nil"), should be "
              + (expected.map { "\($0)" } ?? "nil"))
        }
      }
    }
  }

  /// An object whose deletion was saved or whose insertion was rolled back is neither new nor to be
  /// deleted.
  private func checkGrave(_ grave: ManagedObject) throws {
    let label = bench.label(of: grave.objectID)
    guard committed.objects[label] == nil, working.objects[label] == nil else { return }
    if grave.hasChanges {
      throw Divergence("flags.gone", "o\(label) is gone and has changes: \(grave._state)")
    }
  }

  func checkStore(_ expected: OracleState, _ moment: String) throws {
    let contents = try bench.contents()
    if !contents.faults.isEmpty {
      throw Divergence("store.layout", "\(moment): " + contents.faults.joined(separator: "; "))
    }
    let differences = expected.differences(to: contents.state)
    guard differences.isEmpty else {
      throw Divergence(
        expected.kind("store", comparedTo: contents.state),
        "\(moment), in the store: " + differences.joined(separator: "; "))
    }
  }

  /// Reads the whole store through a context of its own.
  func checkFreshContext() throws {
    let fresh = ManagedObjectContext(coordinator: bench.coordinator, name: "fresh")
    let seen = try bench.state(seenBy: fresh)
    let differences = committed.differences(to: seen)
    guard differences.isEmpty else {
      throw Divergence(
        committed.kind("fresh", comparedTo: seen),
        "a fresh context sees: " + differences.joined(separator: "; "))
    }
  }
}

extension ManagedObject {
  /// What is loaded of an end, or `nil`.
  func peek(_ property: CompiledProperty, _ end: World.End) -> [ObjectReference]? {
    if end.isToMany { return peekMany(property) }
    guard case .known(let reference) = peekOne(property) else { return nil }
    return reference.map { [$0] } ?? []
  }

  func set(_ name: String, to value: Value) throws(PersistenceError) {
    switch value {
    case .none: try setValue(nil as String?, for: name)
    case .text(let text): try setValue(text, for: name)
    case .whole(let number): try setValue(number, for: name)
    case .truth(let truth): try setValue(truth, for: name)
    case .real(let number): try setValue(number, for: name)
    }
  }

  func get(_ attribute: World.Attribute) throws(PersistenceError) -> Value {
    let name = attribute.name
    return switch attribute.choices.compactMap(\.type).first {
    case .string: try value(name, as: String.self).map { .text($0) } ?? .none
    case .integer64: try value(name, as: Int64.self).map { .whole($0) } ?? .none
    case .boolean: try value(name, as: Bool.self).map { .truth($0) } ?? .none
    case .double: try value(name, as: Double.self).map { .real($0) } ?? .none
    default: .none
    }
  }
}

extension AttributeValue? {
  /// Whether both are the same; texts are when their bytes are.
  func isSame(as other: AttributeValue?) -> Bool {
    if case (.string(let a)?, .string(let b)?) = (self, other) {
      return a.utf8.elementsEqual(b.utf8)
    }
    return self == other
  }
}

extension Bench {
  /// Everything that a context sees, read through its calls.
  func state(seenBy context: ManagedObjectContext) throws -> OracleState {
    var state = OracleState(world)
    for entity in world.entities where entity.parent == nil {
      let objects = try context.fetch(FetchRequest<ManagedObject>(entityNamed: entity.name))
      for object in objects { try read(object, into: &state) }
    }
    return state
  }

  private func read(_ object: ManagedObject, into state: inout OracleState) throws {
    let label = label(of: object.objectID)
    state.insert(label, object.entityName)
    for attribute in world.attributes(of: object.entityName) {
      state.set(label, attribute.name, try object.get(attribute))
    }
    for end in world.ends(of: object.entityName) {
      let members = try object.objects(end.name).map { self.label(of: $0.objectID) }
      if end.isToMany {
        state.objects[label]?.many[end.index] = members.isEmpty ? nil : members
      } else {
        state.objects[label]?.ones[end.index] = members.first
      }
    }
  }
}
