/// What a node of a `#Predicate` means.
enum TranslatedTerm {
  /// The object at the end of a path of to-one relationships.
  case object([String])

  /// A value of an attribute or a constant.
  case expression(FetchExpression)

  /// The value of a composite attribute at the end of a path.
  case composite([String], any _PartedValue.Type)

  /// A condition, true or false.
  case condition(FetchPredicate)

  /// A condition at the end of an optional chain: it has a value where the first one holds.
  case optionalCondition(FetchPredicate, FetchPredicate)

  /// The objects of a to-many relationship, or those of them that meet a condition.
  case members([String], FetchPredicate?)

  /// A list of constants.
  case values([FetchValue])

  /// Everything from a lower bound to an upper one.
  case range(FetchExpression, FetchExpression, includesUpper: Bool)

  func expression() throws(PersistenceError) -> FetchExpression {
    switch self {
    case .object(let path): return .path(path)
    case .expression(let expression): return expression
    case .condition(let condition): return .condition(condition)
    case .optionalCondition(let exists, let condition):
      return .conditional(exists, .condition(condition), .value(.null))
    case .members(let path, _):
      throw PersistenceError(
        .invalidPredicate,
        "the to-many relationship '\(path.joined(separator: "."))' is not a value; use 'contains',"
          + " 'allSatisfy', 'count' or 'isEmpty'")
    case .values, .range:
      throw PersistenceError(
        .invalidPredicate, "a list of constants is not a value; use 'contains'")
    case .composite(let path, let type):
      throw .wholeComposite("the composite attribute '\(path.joined(separator: "."))'", type)
    }
  }

  /// The meaning as a condition; no value counts as false.
  func condition() throws(PersistenceError) -> FetchPredicate {
    switch self {
    case .condition(let condition): return condition
    case .optionalCondition(let exists, let condition): return exists && condition
    default:
      switch try expression() {
      case .value(.attribute(.boolean(let truth))): return .constant(truth)
      case .condition(let condition): return condition
      case let expression: return .truth(expression)
      }
    }
  }

  /// The truth value when this is a constant one.
  var constantTruth: Bool? {
    if case .expression(.value(.attribute(.boolean(let truth)))) = self { truth } else { nil }
  }

  /// Compares two terms; conditions compared with a constant truth value stay conditions.
  static func comparison(
    _ a: TranslatedTerm, _ comparison: ComparisonOperator, _ b: TranslatedTerm
  ) throws(PersistenceError) -> TranslatedTerm {
    if comparison == .equal, let truth = b.constantTruth, let result = a.equals(truth) {
      return result
    }
    if comparison == .equal, let truth = a.constantTruth, let result = b.equals(truth) {
      return result
    }
    if let presence = a.presence(comparison, b) ?? b.presence(comparison, a) {
      return .condition(presence)
    }
    return .condition(.comparison(try a.expression(), comparison, try b.expression()))
  }

  private func equals(_ truth: Bool) -> TranslatedTerm? {
    switch self {
    case .condition(let condition): .condition(truth ? condition : !condition)
    case .optionalCondition(let exists, let condition):
      .condition(exists && (truth ? condition : !condition))
    default: nil
    }
  }

  /// The first term's value, or the second's when it has none.
  static func coalescing(
    _ a: TranslatedTerm, _ b: TranslatedTerm
  ) throws(PersistenceError) -> TranslatedTerm {
    if case .optionalCondition(let exists, let condition) = a, let truth = b.constantTruth {
      return .condition(truth ? !exists || condition : exists && condition)
    }
    return .expression(.coalesced(try a.expression(), try b.expression()))
  }

  /// This term where `wrapped` has a value, and no value elsewhere.
  func chained(to wrapped: TranslatedTerm) throws(PersistenceError) -> TranslatedTerm {
    if case .composite(let path, let type) = wrapped {
      return chained(to: .path(path), if: type.hasValue(at: path))
    }
    let expression = try wrapped.expression()
    return chained(to: expression, if: .comparison(expression, .notEqual, .value(.null)))
  }

  private func chained(to wrapped: FetchExpression, if exists: FetchPredicate) -> TranslatedTerm {
    switch self {
    case .condition(let condition): return .optionalCondition(exists, condition)
    case .optionalCondition(let inner, let condition):
      return .optionalCondition(exists && inner, condition)
    case .expression(let expression) where !expression.isNull(without: wrapped):
      return .expression(.conditional(exists, expression, .value(.null)))
    default: return self
    }
  }
}

extension FetchExpression {
  /// Whether the expression surely has no value where another one has none.
  fileprivate func isNull(without other: FetchExpression) -> Bool {
    if self == other { return true }
    switch (self, other) {
    case (.path(let path), .path(let prefix)), (.count(let path), .path(let prefix)):
      return path.count > prefix.count && path.starts(with: prefix)
    case (.arithmetic(let a, _, let b), _):
      return a.isNull(without: other) || b.isNull(without: other)
    case (.negated(let inner), _): return inner.isNull(without: other)
    default: return false
    }
  }
}
