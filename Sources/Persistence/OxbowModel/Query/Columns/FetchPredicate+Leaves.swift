// A condition on values that are not properties of an object: the columns of a group.

extension FetchPredicate {
  /// The condition with something else in place of its paths, counts and aggregates.
  package func replacingLeaves(
    _ replace: (FetchExpression) throws(PersistenceError) -> FetchExpression
  ) throws(PersistenceError) -> FetchPredicate {
    func replaced(_ part: FetchPredicate) throws(PersistenceError) -> FetchPredicate {
      switch part {
      case .any, .all, .quantified, .sql: throw .aboutObjects("\(part)")
      default: return try part.mapParts(replaced, replaced)
      }
    }
    func replaced(_ part: FetchExpression) throws(PersistenceError) -> FetchExpression {
      switch part {
      case .path, .count, .aggregate: return try replace(part)
      case .subqueryCount: throw .aboutObjects("\(part)")
      default: return try part.mapParts(replaced, replaced)
      }
    }
    return try replaced(self)
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
