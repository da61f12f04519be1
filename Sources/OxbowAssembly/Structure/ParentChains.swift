internal import OxbowContainer

/// Where the parents of definitions lead, found in one walk over all of them.
struct ParentChains {
  /// For each circle its path, under the member whose name comes first.
  private(set) var circles: [String: [String]] = [:]
  /// The definitions that neither name nor inherit a class, and are made by no factory.
  private(set) var withoutClass: Set<String> = []
  private var finished: Set<String> = []

  init(_ definitions: NamedDefinitions) {
    for name in definitions.names { walk(from: name, definitions) }
  }

  private mutating func walk(from start: String, _ definitions: NamedDefinitions) {
    var path: [ObjectDefinition] = []
    var positions: [String: Int] = [:]
    var next = definitions[start]
    while let step = next, !finished.contains(step.name) {
      if let position = positions[step.name] {
        addCircle(path[position...].map(\.name))
        // Its members are reported as a circle, and what leads into it as nothing.
        return finished.formUnion(positions.keys)
      }
      positions[step.name] = path.count
      path.append(step)
      next = step.parent.flatMap { definitions[$0] }
    }
    for step in path.reversed() { finish(step, definitions) }
  }

  private mutating func addCircle(_ names: [String]) {
    guard let first = names.min(), let index = names.firstIndex(of: first) else { return }
    circles[first] = Array(names[index...] + names[..<index]) + [first]
  }

  private mutating func finish(
    _ definition: ObjectDefinition, _ definitions: NamedDefinitions
  ) {
    finished.insert(definition.name)
    guard definition.className == nil, definition.factoryComponent == nil else { return }
    if let parent = definition.parent {
      guard definitions[parent] != nil, withoutClass.contains(parent) else { return }
    }
    withoutClass.insert(definition.name)
  }
}
