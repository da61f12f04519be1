internal import OxbowDocuments

extension [ObjectAlias] {
  /// Follows aliases to definitions.
  ///
  /// - Parameters:
  ///   - names: The names of what makes objects.
  ///   - absent: The names of what does not, each with the reason.
  /// - Returns: The names of definitions by their other names, and what is wrong.
  func targets(
    among names: Set<String>, absent: [String: GraphChecks.UnavailableReason]
  ) -> (names: [String: String], problems: [ContainerError.Problem]) {
    let named = Dictionary(map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var targets: [String: String] = [:]
    var problems: [ContainerError.Problem] = []
    for alias in self {
      switch alias.end(named) {
      case .name(let target) where names.contains(target): targets[alias.name] = target
      case .name(let target):
        if let problem = alias.missing(target, names, absent) { problems.append(problem) }
      case .circle(let path):
        // One member of the circle reports it, for all.
        if path.min() == alias.name, path.first == alias.name {
          problems.append(.cyclicAliases(path + [alias.name], at: alias.location))
        }
      }
    }
    return (targets, problems)
  }
}

extension [String: String] {
  /// Where a name leads, if these are the targets of aliases; nowhere new in a circle.
  func end(of name: String) -> String {
    var end = name
    for _ in 0..<count {
      guard let next = self[end] else { break }
      end = next
    }
    return end
  }
}

extension ObjectAlias {
  fileprivate enum End {
    case name(String)
    case circle([String])
  }

  fileprivate func end(_ named: [String: ObjectAlias]) -> End {
    var path = [name]
    var seen: Set<String> = [name]
    var target = target
    while let next = named[target] {
      guard seen.insert(target).inserted else {
        return .circle(Array(path.drop { $0 != target }))
      }
      path.append(target)
      target = next.target
    }
    return .name(target)
  }

  fileprivate func missing(
    _ target: String, _ names: Set<String>, _ absent: [String: GraphChecks.UnavailableReason]
  ) -> ContainerError.Problem? {
    switch absent[target] {
    case .faulty: return nil
    case .abstract:
      return .abstractReference(target, in: name, role: "alias", at: location)
    case .bootstrap, .later:
      return .bootstrapReference(target, in: name, role: "alias", at: location)
    case nil:
      let visible = names.filter { !HiddenName.isHidden($0) }
      return .missingReference(
        target, in: name, role: "alias", at: location,
        near: nearNames(to: target, among: visible), count: visible.count)
    }
  }
}
