internal import OxbowDocuments

extension DefinitionPreparation {
  /// A definition with what its parents lend; nil when that is a problem.
  ///
  /// - Parameters:
  ///   - definition: The definition.
  ///   - path: The names from the definition that is prepared down to this one.
  /// - Returns: The definition.
  mutating func inherited(
    _ definition: ObjectDefinition, from path: [String]
  ) -> ObjectDefinition? {
    guard let name = definition.parent else { return definition }
    guard !path.contains(name) else {
      // One member of the circle reports it, for all.
      if name == path.first, name == path.min() {
        problems.append(.cyclicParents(path + [name], at: named[name]?.location))
      }
      return nil
    }
    guard let parent = named[name] else {
      if path.count == 1 { reportMissingParent(name, of: definition) }
      return nil
    }
    return inherited(parent, from: path + [name]).map { definition.takingOver($0) }
  }

  private mutating func reportMissingParent(_ name: String, of definition: ObjectDefinition) {
    problems.append(
      .missingParent(
        name, of: definition.name, at: definition.location,
        isInCode: isInCode(name), near: nearNames(to: name, among: named.keys)))
  }
}

extension ObjectDefinition {
  /// This definition with what a parent lends.
  fileprivate func takingOver(_ parent: ObjectDefinition) -> ObjectDefinition {
    var whole = self
    if className == nil {
      whole.className = parent.className
      whole.classLocation = parent.classLocation ?? classLocation
    }
    if initializer == nil {
      whole.initializer = parent.initializer
      whole.factoryComponent = factoryComponent ?? parent.factoryComponent
    }
    whole.properties = properties.takingOver(parent.properties)
    if let lent = parent.product {
      whole.product = ProductDefinition(
        class: product?.className ?? lent.className,
        properties: (product?.properties ?? []).takingOver(lent.properties),
        at: product?.location ?? lent.location)
    }
    return whole
  }
}

extension [PropertyAssignment] {
  /// Another list's assignments, then these; of the others only those of names that are not here.
  func takingOver(_ others: [PropertyAssignment]) -> [PropertyAssignment] {
    let own = Set(map(\.name))
    return others.filter { !own.contains($0.name) } + self
  }
}
