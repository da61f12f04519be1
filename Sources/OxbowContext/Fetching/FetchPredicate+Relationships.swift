internal import OxbowModel

extension FetchPredicate {
  /// Whether the condition asks for values of other objects than the one it is about.
  var followsRelationships: Bool {
    switch self {
    case .constant: false
    // What the path of CONTAINS leads to is known to the model: an attribute, or many objects.
    case .text(.path(let path), .contains, let part, _):
      path.count > 1 || !part.isConstantValue
    case .comparison(let a, _, let b), .text(let a, _, let b, _):
      a.followsRelationships || b.followsRelationships
    case .isBetween(let a, let b, let c): [a, b, c].contains(where: \.followsRelationships)
    case .isIn(let expression, _), .truth(let expression): expression.followsRelationships
    case .and(let parts), .or(let parts): parts.contains(where: \.followsRelationships)
    case .not(let part): part.followsRelationships
    // What SQL asks for is not known.
    case .any, .all, .quantified, .sql: true
    }
  }
}

extension FetchExpression {
  /// Whether the value depends on other objects than the one it is computed from.
  var followsRelationships: Bool {
    switch self {
    case .value, .now: false
    case .path(let path): path.count > 1
    case .count, .aggregate, .subqueryCount: true
    case .arithmetic(let a, _, let b), .coalesced(let a, let b):
      a.followsRelationships || b.followsRelationships
    case .negated(let expression), .folded(let expression, _): expression.followsRelationships
    case .conditional(let condition, let a, let b):
      condition.followsRelationships || a.followsRelationships || b.followsRelationships
    case .condition(let condition): condition.followsRelationships
    }
  }

  /// Whether it is a constant value of an attribute.
  fileprivate var isConstantValue: Bool {
    if case .value(.attribute) = self { true } else { false }
  }
}
