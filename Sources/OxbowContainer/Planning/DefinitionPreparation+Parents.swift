internal import OxbowDocuments

extension DefinitionPreparation {
  /// A definition with what its parents lend; nil when that is a problem.
  mutating func inherited(_ definition: ObjectDefinition) -> ObjectDefinition? {
    guard definition.parent != nil else { return definition }
    switch heritage.result(of: definition) {
    case .whole(let whole): return whole
    case .missing(let parent, let heir):
      // The others of its heirs have nothing else to say.
      if heir.name == definition.name { reportMissingParent(parent, of: definition) }
    case .circle(let path):
      // One member of the circle reports it, for all.
      if path.min() == definition.name { reportCircle(path, from: definition) }
    }
    return nil
  }

  private mutating func reportCircle(_ path: [String], from definition: ObjectDefinition) {
    let members = path.dropLast()
    guard let start = members.firstIndex(of: definition.name) else { return }
    problems.append(
      .cyclicParents(
        Array(members[start...] + members[..<start]) + [definition.name],
        at: definition.location))
  }

  private mutating func reportMissingParent(_ name: String, of definition: ObjectDefinition) {
    problems.append(
      .missingParent(
        name, of: definition.name, at: definition.location,
        isInCode: isInCode(name), near: nearNames(to: name, among: named.keys)))
  }
}
