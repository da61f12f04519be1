internal import OxbowDocuments

extension GraphChecks {
  /// The references of definitions, not of bindings, that lead to no name.
  ///
  /// - Parameters:
  ///   - definitions: The definitions.
  ///   - names: The names that can be referred to.
  ///   - reported: Problems that are reported already.
  /// - Returns: One problem for each reference at a location that has none yet.
  static func missingReferences(
    of definitions: [ObjectDefinition], names: Set<String>, reported: [ContainerError.Problem]
  ) -> [ContainerError.Problem] {
    let visible = names.filter { !HiddenName.isHidden($0) }
    let known = Set(reported.filter { $0.code == .missingReference }.map(\.location))
    var budget = NearNamesBudget()
    var problems: [ContainerError.Problem] = []
    var unlisted = 0
    for definition in definitions {
      definition.visit { content, site in
        guard case .reference(let target) = content, target != PlaceholderText.unresolved,
          !names.contains(target), !known.contains(site.location)
        else { return }
        guard problems.count < ContainerError.Problem.mostListed else { return unlisted += 1 }
        problems.append(
          .missingReference(
            target, in: definition.name, role: site.path.text, at: site.location,
            near: budget.nearNames(to: target, among: visible), count: visible.count))
      }
    }
    if unlisted > 0 {
      problems.append(
        .unlisted(unlisted, .missingReference, after: (reported + problems).last?.location))
    }
    return problems
  }
}
