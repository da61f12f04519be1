extension FetchPredicate {
  /// Conditions and expressions within each other, at most.
  private static var depthLimit: Int { 200 }

  /// Checks that working through the predicate needs a limited amount of stack.
  ///
  /// - Parameter extra: How many levels a context may have put around it.
  /// - Throws: ``PersistenceError`` with code `invalidPredicate`.
  package func requireLimitedDepth(besides extra: Int = 0) throws(PersistenceError) {
    guard hasDepth(within: Self.depthLimit + extra) else {
      throw PersistenceError(
        .invalidPredicate,
        "the condition is nested too deeply: more than \(Self.depthLimit) conditions and expressions "
          + "are within each other; write it flatter, many alternatives as one list of 'or' or as "
          + "'oneOf'")
    }
  }

  /// Whether the predicate has at most so many levels; never looks deeper than that.
  fileprivate func hasDepth(within limit: Int) -> Bool {
    guard limit > 0 else { return false }
    switch self {
    case .constant, .sql: return true
    case .comparison(let a, _, let b), .text(let a, _, let b, _):
      return a.hasDepth(within: limit - 1) && b.hasDepth(within: limit - 1)
    case .words(let texts, let query):
      return (texts + [query]).allSatisfy { $0.hasDepth(within: limit - 1) }
    case .isBetween(let a, let b, let c):
      return [a, b, c].allSatisfy { $0.hasDepth(within: limit - 1) }
    case .isIn(let expression, _), .truth(let expression):
      return expression.hasDepth(within: limit - 1)
    case .and(let parts), .or(let parts):
      return parts.allSatisfy { $0.hasDepth(within: limit - 1) }
    case .not(let inner), .any(_, let inner), .all(_, let inner), .quantified(_, let inner):
      return inner.hasDepth(within: limit - 1)
    }
  }
}

extension FetchExpression {
  fileprivate func hasDepth(within limit: Int) -> Bool {
    guard limit > 0 else { return false }
    switch self {
    case .value, .path, .count, .aggregate, .now: return true
    case .arithmetic(let a, _, let b), .coalesced(let a, let b):
      return a.hasDepth(within: limit - 1) && b.hasDepth(within: limit - 1)
    case .negated(let inner), .folded(let inner, _): return inner.hasDepth(within: limit - 1)
    case .conditional(let test, let a, let b):
      return test.hasDepth(within: limit - 1) && a.hasDepth(within: limit - 1)
        && b.hasDepth(within: limit - 1)
    case .condition(let predicate), .subqueryCount(_, _, let predicate):
      return predicate.hasDepth(within: limit - 1)
    }
  }
}
