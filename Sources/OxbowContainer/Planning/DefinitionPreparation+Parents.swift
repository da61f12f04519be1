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
