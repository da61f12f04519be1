internal import OxbowDocuments

/// What is known of one object of a container.
public struct Explanation: Sendable, CustomStringConvertible {
  /// The object's definition, with what it needs.
  public let definition: DefinitionSummary
  /// The arrows that lead to the object, in the order of their owners.
  public let neededBy: [DefinitionSummary.Need]
  /// The definitions that take over parts of this one.
  public let heirs: [String]
  /// The names on a shortest way from an object that is not needed down to this one, itself last.
  public let chain: [String]

  /// The explanation in labelled lines.
  public var description: String {
    let type = definition.shownType.map { ": \($0)" } ?? ""
    let title = "\"\(definition.name)\"\(type)"
    return ([title] + Fact.all(of: self).flatMap(\.text)).joined(separator: "\n")
  }
}

extension Explanation {
  /// One labelled part of an explanation's text.
  private struct Fact {
    let label: String
    let lines: [String]

    init?(_ label: String, _ lines: [String]) {
      guard !lines.isEmpty else { return nil }
      self.label = label
      self.lines = lines
    }

    init?(_ label: String, _ line: String?) { self.init(label, line.map { [$0] } ?? []) }

    /// One line of the label and its fact, or a label above several.
    var text: [String] {
      guard lines.count > 1 else { return ["   \(label): \(lines[0])"] }
      return ["   \(label):"] + lines.map { "      \($0)" }
    }

    static func all(of explanation: Explanation) -> [Fact] {
      let definition = explanation.definition
      let users = explanation.neededBy.map { "\"\($0.owner)\" as \($0.role), \($0.how.phrase)" }
      return [
        Fact("at", definition.location.map { "\($0)" } ?? "code that says no place"),
        Fact("also called", definition.aliases.map { "\"\($0)\"" }),
        Fact("summary", definition.summary),
        Fact("class", definition.shownClass),
        Fact("a proxy", definition.surrounded?.reason),
        Fact("parent", definition.parent.map { "\"\($0)\"" }),
        Fact("parent of", explanation.heirs.map { "\"\($0)\"" }),
        Fact("scope", "\(definition.scope), \(definition.scopeMeaning)"),
        Fact("built", definition.moment),
        Fact(
          "primary", definition.isPrimary ? "the one that counts where several fit a type" : nil),
        Fact("needs", definition.needs.isEmpty ? ["nothing"] : definition.needs.map(\.line)),
        Fact("by type", definition.placesByType),
        Fact("needed by", users.isEmpty ? ["no object"] : users),
        Fact("way", explanation.shownChain),
      ].compactMap(\.self)
    }
  }
}

extension Explanation {
  fileprivate var shownChain: String? {
    guard chain.count > 1 else { return nil }
    return quoted(chain, by: " → ")
  }
}

extension DefinitionSummary {
  /// The class, where it is not the type that the first line shows.
  fileprivate var shownClass: String? {
    guard let className, let typeName, className != typeName else { return nil }
    return isProxy && !isLazy ? "\(className)" : "\(className), which makes the \(typeName)"
  }

  /// When an object is built.
  fileprivate var moment: String {
    if isAbstract { return "never: the definition only lends its parts to others" }
    if isLazy { return "by the first call of one of its methods; users get a proxy" }
    if isEager { return "by build(), when everything has been checked" }
    return "when somebody asks for it or for an object that needs it"
  }
}

extension DefinitionSummary.Need {
  fileprivate var line: String {
    let what = "\"\(target)\" as \(role), \(how.phrase)"
    let source = location.map { " (\($0))" } ?? ""
    return what + source + (isDefined ? "" : ": no object has that name")
  }
}

extension DefinitionSummary.How {
  /// The words for it behind a role.
  fileprivate var phrase: String {
    switch self {
    case .constructor: "needed to construct it"
    case .property: "set after construction"
    case .provider: "asked for through a Provider"
    case .factory: "made by each call of a factory"
    case .lazy: "built by the first use of a Lazy"
    case .lazyProxy: "built by the first call of the proxy"
    case .threadProxy: "one for each thread that calls the proxy"
    case .taskProxy: "the one of the task that calls the proxy"
    default: description
    }
  }
}
