// One extension for each structure that `#Predicate` builds, without conditions on its parameters,
// so that a cast to `TranslatableNode` always succeeds for the ones that a store can answer.

internal import OxbowFoundation

extension PredicateExpressions {
  /// What a key path says about a collection, as far as a store can answer it.
  enum PredicateKeyPathKind { case other, count, isEmpty, unsupported }
}

extension PredicateExpressions.Variable: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    try walker.term(of: key)
  }
}

extension PredicateExpressions.Value: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    if let type = Output.self as? any FetchValueConvertible.Type {
      return .expression(.value(constant(type)))
    }
    return try TranslatedTerm(captured: value)
  }

  private func constant<Known: FetchValueConvertible>(_ type: Known.Type) -> FetchValue {
    // `Known` is `Output`.
    unsafeBitCast(value, to: type).fetchValue
  }
}

extension PredicateExpressions.NilLiteral: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .expression(.value(.null))
  }
}

extension PredicateExpressions.KeyPath: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    let kind: PredicateExpressions.PredicateKeyPathKind =
      switch self.kind {
      case .none: .other
      case .collectionCount: .count
      case .collectionIsEmpty: .isEmpty
      default: .unsupported
      }
    return try walker.translate(root).property(keyPath, kind: kind)
  }
}

// MARK: - Optionals

extension PredicateExpressions.OptionalFlatMap: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    let wrapped = try walker.translate(self.wrapped)
    walker.bind(variable.key, to: wrapped)
    return try walker.translate(transform).chained(to: wrapped)
  }
}

extension PredicateExpressions.NilCoalesce: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    try .coalescing(walker.translate(lhs), walker.translate(rhs))
  }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    try walker.translate(inner)
  }
}

extension PredicateExpressions.Conditional: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    let test = try walker.condition(test)
    let first = try walker.translate(trueBranch)
    let second = try walker.translate(falseBranch)
    if case .condition(let first) = first, case .condition(let second) = second {
      return .condition((test && first) || (!test && second))
    }
    return .expression(.conditional(test, try first.expression(), try second.expression()))
  }
}

// MARK: - Arithmetic

extension PredicateExpressions.Arithmetic: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    let sign: ArithmeticOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default:
        throw PersistenceError(.unsupported, "arithmetic with '\(op)' cannot be done by a store")
      }
    return .expression(.arithmetic(try walker.expression(lhs), sign, try walker.expression(rhs)))
  }
}

extension PredicateExpressions.FloatDivision: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .expression(.arithmetic(try walker.expression(lhs), .divide, try walker.expression(rhs)))
  }
}

extension PredicateExpressions.IntDivision: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .expression(.arithmetic(try walker.expression(lhs), .divide, try walker.expression(rhs)))
  }
}

extension PredicateExpressions.IntRemainder: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .expression(.arithmetic(try walker.expression(lhs), .remainder, try walker.expression(rhs)))
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableNode {
  func translate(_ walker: inout FoundationTranslator) throws(PersistenceError) -> TranslatedTerm {
    .expression(.negated(try walker.expression(wrapped)))
  }
}
