// A condition on values that are no properties of an object: the columns of a group.

extension FetchPredicate {
  /// The condition with something else in place of its paths, counts and aggregates.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidPredicate` for a form that is about objects,
  ///   and whatever `replace` throws.
  package func replacingLeaves(
    _ replace: (FetchExpression) throws(PersistenceError) -> FetchExpression
  ) throws(PersistenceError) -> FetchPredicate {
    func replaced(_ part: FetchPredicate) throws(PersistenceError) -> FetchPredicate {
      try part.replacingLeaves(replace)
    }
    switch self {
    case .constant: return self
    case .comparison(let a, let comparison, let b):
      return .comparison(
        try a.replacingLeaves(replace), comparison, try b.replacingLeaves(replace))
    case .text(let a, let comparison, let b, let options):
      return .text(
        try a.replacingLeaves(replace), comparison, try b.replacingLeaves(replace), options)
    case .isIn(let expression, let list):
      return .isIn(try expression.replacingLeaves(replace), list)
    case .isBetween(let a, let b, let c):
      return .isBetween(
        try a.replacingLeaves(replace), try b.replacingLeaves(replace),
        try c.replacingLeaves(replace))
    case .truth(let expression): return .truth(try expression.replacingLeaves(replace))
    case .and(let parts): return .and(try parts.map(replaced))
    case .or(let parts): return .or(try parts.map(replaced))
    case .not(let inner): return .not(try inner.replacingLeaves(replace))
    case .any, .all, .quantified, .sql: throw .aboutObjects("\(self)")
    }
  }
}

extension FetchExpression {
  fileprivate func replacingLeaves(
    _ replace: (FetchExpression) throws(PersistenceError) -> FetchExpression
  ) throws(PersistenceError) -> FetchExpression {
    switch self {
    case .value, .now: return self
    case .path, .count, .aggregate: return try replace(self)
    case .arithmetic(let a, let sign, let b):
      return .arithmetic(try a.replacingLeaves(replace), sign, try b.replacingLeaves(replace))
    case .negated(let inner): return .negated(try inner.replacingLeaves(replace))
    case .coalesced(let a, let b):
      return .coalesced(try a.replacingLeaves(replace), try b.replacingLeaves(replace))
    case .conditional(let test, let a, let b):
      return .conditional(
        try test.replacingLeaves(replace), try a.replacingLeaves(replace),
        try b.replacingLeaves(replace))
    case .condition(let inner): return .condition(try inner.replacingLeaves(replace))
    case .folded(let inner, let options):
      return .folded(try inner.replacingLeaves(replace), options)
    case .subqueryCount: throw .aboutObjects("\(self)")
    }
  }
}

extension PersistenceError {
  fileprivate static func aboutObjects(_ form: String) -> PersistenceError {
    PersistenceError(
      .invalidPredicate,
      "'\(form)' is about objects, and a condition on groups is about their columns; write it as "
        + "the condition of the objects")
  }
}
