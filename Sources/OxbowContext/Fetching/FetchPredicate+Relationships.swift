internal import OxbowModel

extension FetchPredicate {
  /// Whether the condition asks for values of other objects than the one it is about.
  var followsRelationships: Bool {
    switch self {
    case .constant: false
    case .comparison(let a, _, let b), .text(let a, _, let b, _):
      a.followsRelationships || b.followsRelationships
    case .isIn(let expression, _), .truth(let expression): expression.followsRelationships
    case .and(let parts), .or(let parts): parts.contains(where: \.followsRelationships)
    case .not(let part): part.followsRelationships
    case .any, .all: true
    }
  }
}

extension FetchExpression {
  /// Whether the value depends on other objects than the one it is computed from.
  var followsRelationships: Bool {
    switch self {
    case .value: false
    case .path(let path): path.count > 1
    case .count: true
    case .arithmetic(let a, _, let b), .coalesced(let a, let b):
      a.followsRelationships || b.followsRelationships
    case .negated(let expression): expression.followsRelationships
    case .conditional(let condition, let a, let b):
      condition.followsRelationships || a.followsRelationships || b.followsRelationships
    case .condition(let condition): condition.followsRelationships
    }
  }
}
