internal import OxbowDocuments

/// The other names of objects, each led to the name of a definition.
package struct AliasTable: Sendable {
  /// The names of definitions by their other names.
  package private(set) var targets: [String: String] = [:]
  package private(set) var problems: [ContainerError.Problem] = []

  package static let none = AliasTable()

  private init() {}

  /// Follows aliases to definitions.
  ///
  /// - Parameters:
  ///   - aliases: The aliases.
  ///   - names: The names of what makes objects.
  ///   - absent: The names of what does not, each with the reason.
  init(
    _ aliases: [ObjectAlias], names: Set<String>, absent: [String: GraphChecks.UnavailableReason]
  ) {
    let named = Dictionary(aliases.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for alias in aliases {
      switch Self.follow(alias, named) {
      case .name(let target) where names.contains(target): targets[alias.name] = target
      case .name(let target):
        if let problem = Self.missing(target, alias, names, absent) { problems.append(problem) }
      case .circle(let path):
        // One member of the circle reports it, for all.
        if path.min() == alias.name, path.first == alias.name {
          problems.append(.cyclicAliases(path + [alias.name], at: alias.location))
        }
      }
    }
  }

  /// Where a name leads; nowhere new in a circle.
  static func end(of name: String, _ targets: [String: String]) -> String {
    var end = name
    for _ in 0..<targets.count {
      guard let next = targets[end] else { break }
      end = next
    }
    return end
  }

  private enum End {
    case name(String)
    case circle([String])
  }

  private static func follow(_ alias: ObjectAlias, _ named: [String: ObjectAlias]) -> End {
    var path = [alias.name]
    var seen: Set<String> = [alias.name]
    var target = alias.target
    while let next = named[target] {
      guard seen.insert(target).inserted else {
        return .circle(Array(path.drop { $0 != target }))
      }
      path.append(target)
      target = next.target
    }
    return .name(target)
  }

  private static func missing(
    _ target: String, _ alias: ObjectAlias, _ names: Set<String>,
    _ absent: [String: GraphChecks.UnavailableReason]
  ) -> ContainerError.Problem? {
    switch absent[target] {
    case .faulty: return nil
    case .abstract:
      return .abstractReference(target, in: alias.name, role: "alias", at: alias.location)
    case .bootstrap, .later:
      return .bootstrapReference(target, in: alias.name, role: "alias", at: alias.location)
    case nil:
      let visible = names.filter { !HiddenName.isHidden($0) }
      return .missingReference(
        target, in: alias.name, role: "alias", at: alias.location,
        near: nearNames(to: target, among: visible), count: visible.count)
    }
  }
}
