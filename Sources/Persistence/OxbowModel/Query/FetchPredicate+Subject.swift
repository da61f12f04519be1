// What a quantifier quantifies: the path that a comparison begins with.

extension FetchPredicate {
  /// The expression that a comparison, a search, a list or a range begins with, or `nil`.
  package var firstExpression: FetchExpression? {
    switch self {
    case .comparison(let first, _, _), .text(let first, _, _, _), .isIn(let first, _),
      .isBetween(let first, _, _):
      first
    case .words(let texts, _): texts.count == 1 ? texts[0] : nil
    default: nil
    }
  }

  /// The condition about another first expression.
  package func replacingFirst(with new: FetchExpression) -> FetchPredicate {
    switch self {
    case .comparison(_, let comparison, let other): .comparison(new, comparison, other)
    case .text(_, let comparison, let part, let options): .text(new, comparison, part, options)
    case .words(_, let query): .words([new], query)
    case .isIn(_, let values): .isIn(new, values)
    case .isBetween(_, let low, let high): .isBetween(new, low, high)
    default: self
    }
  }

  /// The path of a quantified condition, and the options it is folded with.
  package func quantifiedPath(
    _ quantifier: FetchQuantifier
  ) throws(PersistenceError) -> (path: [String], options: TextOptions) {
    switch firstExpression {
    case .path(let path): return (path, [])
    case .folded(.path(let path), let options): return (path, options)
    default:
      throw PersistenceError(
        .invalidPredicate,
        "'\(quantifier.rawValue)' needs a comparison that begins with a path, not '\(self)'")
    }
  }
}

extension FetchExpression {
  /// The expression, folded if there is something to overlook.
  package func folded(_ options: TextOptions) -> FetchExpression {
    options.isEmpty ? self : .folded(self, options)
  }
}

extension PersistenceError {
  package static func notMany(_ word: String, _ path: [String]) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(word)' needs a path through a to-many relationship, and '\(path.joined(separator: "."))' "
        + "has none")
  }

  package static func tooMany(_ word: String, _ path: [String]) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(word)' takes values of one to-many relationship, and '\(path.joined(separator: "."))' "
        + "passes through more than one")
  }

  package static func unboundVariable(_ name: String, among names: [String]) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "the variable '\(name)' has no value; give it one with 'substituting', or bind it in a SUBQUERY",
      nearNames: nearNames(to: name, among: names))
  }

  package static func notAggregated(_ aggregate: FetchAggregate, _ kind: String)
    -> PersistenceError
  {
    PersistenceError(
      .invalidPredicate, "'@\(aggregate.rawValue)' cannot be taken of \(kind)")
  }
}
