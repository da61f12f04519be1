extension FetchPredicate: CustomStringConvertible {
  /// The condition as text, for messages.
  public var description: String {
    switch self {
    case .constant(let truth): truth ? "true" : "false"
    case .comparison(let a, let comparison, let b): "\(a) \(comparison.rawValue) \(b)"
    case .text(let text, let comparison, let part, let options):
      "\(text) \(comparison.rawValue)\(options.contains(.caseInsensitive) ? "[c]" : "") \(part)"
    case .isIn(let expression, let values):
      "\(expression) in [\(values.map(\.description).joined(separator: ", "))]"
    case .truth(let expression): "\(expression)"
    case .and(let parts): parts.isEmpty ? "true" : joined(parts, " and ")
    case .or(let parts): parts.isEmpty ? "false" : joined(parts, " or ")
    case .not(let inner): "not (\(inner))"
    case .any(let path, let inner): "any \(path.joined(separator: ".")) (\(inner))"
    case .all(let path, let inner): "all \(path.joined(separator: ".")) (\(inner))"
    }
  }

  private func joined(_ parts: [FetchPredicate], _ word: String) -> String {
    parts.map { part in
      switch part {
      case .and(let inner) where inner.count > 1, .or(let inner) where inner.count > 1: "(\(part))"
      default: "\(part)"
      }
    }
    .joined(separator: word)
  }
}

extension FetchExpression: CustomStringConvertible {
  /// The expression as text, for messages.
  public var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .path(let path): path.isEmpty ? "self" : path.joined(separator: ".")
    case .count(let path): path.joined(separator: ".") + ".count"
    case .arithmetic(let a, let sign, let b): "(\(a) \(sign.rawValue) \(b))"
    case .negated(let inner): "-(\(inner))"
    case .coalesced(let a, let b): "(\(a) ?? \(b))"
    case .conditional(let test, let a, let b): "(\(test) ? \(a) : \(b))"
    case .condition(let predicate): "(\(predicate))"
    }
  }
}

extension FetchValue: CustomStringConvertible {
  /// The constant as text, for messages.
  public var description: String {
    switch self {
    case .null: "nil"
    case .attribute(let value): "\(value)"
    case .object(let id): "<\(id)>"
    }
  }
}
