internal import OxbowDocuments

extension [ObjectAlias] {
  /// The names of definitions, which make objects or are absent for a reason, by their other names;
  /// and what is wrong.
  func targets(
    among names: Set<String>, absent: [String: GraphChecks.UnavailableReason]
  ) -> (names: [String: String], problems: [ContainerError.Problem]) {
    let followed = AliasEnds(
      Dictionary(map { ($0.name, $0.target) }, uniquingKeysWith: { first, _ in first }))
    var targets: [String: String] = [:]
    var problems: [ContainerError.Problem] = []
    var budget = NearNamesBudget()
    for alias in self {
      guard let target = followed.ends[alias.name] else {
        // One member of the circle reports it, for all.
        if let circle = followed.circles[alias.name] {
          problems.append(.cyclicAliases(circle + [alias.name]).at(alias.location))
        }
        continue
      }
      if names.contains(target) {
        targets[alias.name] = target
      } else if let problem = alias.missing(target, names, absent, &budget) {
        problems.append(problem)
      }
    }
    return (targets, problems)
  }
}

extension ObjectAlias {
  fileprivate func missing(
    _ target: String, _ names: Set<String>, _ absent: [String: GraphChecks.UnavailableReason],
    _ budget: inout NearNamesBudget
  ) -> ContainerError.Problem? {
    switch absent[target] {
    case .faulty: return nil
    case .abstract:
      return .abstractReference(target, in: name, role: "alias").at(location)
    case .bootstrap, .later:
      return .bootstrapReference(target, in: name, role: "alias").at(location)
    case nil:
      let visible = names.filter { !HiddenName.isHidden($0) }
      return .missingReference(
        target, in: name, role: "alias", near: budget.nearNames(to: target, among: visible),
        count: visible.count
      ).at(location)
    }
  }
}
