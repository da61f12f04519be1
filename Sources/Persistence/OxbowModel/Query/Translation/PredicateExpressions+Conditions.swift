internal import OxbowFoundation

extension PredicateExpressions.Equal: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    try .comparison(walker.translate(lhs), .equal, walker.translate(rhs))
  }
}

extension PredicateExpressions.NotEqual: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    try .comparison(walker.translate(lhs), .notEqual, walker.translate(rhs))
  }
}

extension PredicateExpressions.Comparison: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    let comparison: ComparisonOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default:
        throw PersistenceError(.unsupported, "a comparison with '\(op)' cannot be done by a store")
      }
    return try .comparison(walker.translate(lhs), comparison, walker.translate(rhs))
  }
}

extension PredicateExpressions.Conjunction: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .condition(try walker.condition(lhs) && walker.condition(rhs))
  }
}

extension PredicateExpressions.Disjunction: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .condition(try walker.condition(lhs) || walker.condition(rhs))
  }
}

extension PredicateExpressions.Negation: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .condition(!(try walker.condition(wrapped)))
  }
}

// MARK: - Ranges

extension PredicateExpressions.Range: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .range(try walker.expression(lower), try walker.expression(upper), includesUpper: false)
  }
}

extension PredicateExpressions.ClosedRange: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .range(try walker.expression(lower), try walker.expression(upper), includesUpper: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    try walker.translate(range).contains(walker.translate(element))
  }
}

// MARK: - Text and collections

extension PredicateExpressions.CollectionContainsCollection: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .condition(.text(try walker.expression(base), .contains, try walker.expression(other), []))
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .condition(.text(try walker.expression(base), .beginsWith, try walker.expression(prefix), []))
  }
}

extension PredicateExpressions.SequenceContains: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    try walker.translate(sequence).contains(walker.translate(element))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    switch try walker.translate(sequence) {
    case .members(let path, let filter):
      let condition = try walker.conditionOnMember(variable.key, test)
      return .condition(.any(path: path, filter.map { $0 && condition } ?? condition))
    case .values(let values):
      return .condition(.or(try walker.conditions(variable.key, on: values, test)))
    default: throw .noMembers("contains(where:)")
    }
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    switch try walker.translate(sequence) {
    case .members(let path, let filter):
      let condition = try walker.conditionOnMember(variable.key, test)
      return .condition(.all(path: path, filter.map { !$0 || condition } ?? condition))
    case .values(let values):
      return .condition(.and(try walker.conditions(variable.key, on: values, test)))
    default: throw .noMembers("allSatisfy")
    }
  }
}

extension PredicateExpressions.Filter: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    guard case .members(let path, let outer) = try walker.translate(sequence) else {
      throw .noMembers("filter")
    }
    let condition = try walker.conditionOnMember(variable.key, filter)
    return .members(path, outer.map { $0 && condition } ?? condition)
  }
}

extension TranslatedTerm {
  /// Whether a list, a range or a text contains an element.
  func contains(_ element: TranslatedTerm) throws(PersistenceError) -> TranslatedTerm {
    switch self {
    case .values(let values): return .condition(.isIn(try element.expression(), values))
    case .range(let lower, let upper, let includesUpper):
      let value = try element.expression()
      return .condition(
        .comparison(lower, .lessOrEqual, value)
          && .comparison(value, includesUpper ? .lessOrEqual : .less, upper))
    case .expression(let text):
      return .condition(.text(text, .contains, try element.expression(), []))
    case .members(let path, _):
      throw PersistenceError(
        .unsupported,
        "'\(path.joined(separator: "."))' cannot be asked for an object; write contains {"
          + " $0.objectID == id } with the object's ID")
    default: throw .noMembers("contains")
    }
  }
}

extension PersistenceError {
  fileprivate static func noMembers(_ function: String) -> PersistenceError {
    PersistenceError(
      .unsupported,
      "'\(function)' works on to-many relationships and on lists that the #Predicate captures")
  }
}
