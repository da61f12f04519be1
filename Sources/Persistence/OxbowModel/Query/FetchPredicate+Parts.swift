extension FetchPredicate {
  /// The condition with its direct parts replaced.
  func mapParts(
    _ expression: (FetchExpression) throws(PersistenceError) -> FetchExpression,
    _ condition: (FetchPredicate) throws(PersistenceError) -> FetchPredicate
  ) throws(PersistenceError) -> FetchPredicate {
    switch self {
    case .constant, .sql: self
    case .comparison(let a, let comparison, let b):
      .comparison(try expression(a), comparison, try expression(b))
    case .text(let text, let comparison, let part, let options):
      .text(try expression(text), comparison, try expression(part), options)
    case .words(let texts, let query):
      .words(try texts.map(expression), try expression(query))
    case .isIn(let value, let list): .isIn(try expression(value), list)
    case .isBetween(let value, let low, let high):
      .isBetween(try expression(value), try expression(low), try expression(high))
    case .truth(let value): .truth(try expression(value))
    case .and(let parts): .and(try parts.map(condition))
    case .or(let parts): .or(try parts.map(condition))
    case .not(let inner): .not(try condition(inner))
    case .any(let path, let inner): .any(path: path, try condition(inner))
    case .all(let path, let inner): .all(path: path, try condition(inner))
    case .quantified(let quantifier, let inner): .quantified(quantifier, try condition(inner))
    }
  }
}

extension FetchPredicate {
  /// The condition with TRUE for each part that is SQL of a program.
  package func withoutSQL() throws(PersistenceError) -> FetchPredicate {
    func replaced(_ part: FetchPredicate) throws(PersistenceError) -> FetchPredicate {
      if case .sql = part { return .constant(true) }
      return try part.mapParts({ expression throws(PersistenceError) in expression }, replaced)
    }
    return try replaced(self)
  }

  /// The condition with the values of each list in the order of their texts, because those of a set
  /// have another order in each process.
  package func withSortedLists() throws(PersistenceError) -> FetchPredicate {
    func sorted(_ part: FetchPredicate) throws(PersistenceError) -> FetchPredicate {
      guard case .isIn(let value, let list) = part else { return try part.mapParts(sorted, sorted) }
      let named = list.map { (text: Array("\($0)".utf8), value: $0) }
        .sorted { $0.text.lexicographicallyPrecedes($1.text) }
      return .isIn(try sorted(value), named.map(\.value))
    }
    func sorted(_ part: FetchExpression) throws(PersistenceError) -> FetchExpression {
      try part.mapParts(sorted, sorted)
    }
    return try sorted(self)
  }
}

extension FetchExpression {
  /// The expression with its direct parts replaced.
  func mapParts(
    _ expression: (FetchExpression) throws(PersistenceError) -> FetchExpression,
    _ condition: (FetchPredicate) throws(PersistenceError) -> FetchPredicate
  ) throws(PersistenceError) -> FetchExpression {
    switch self {
    case .value, .path, .count, .aggregate, .now: self
    case .arithmetic(let a, let sign, let b):
      .arithmetic(try expression(a), sign, try expression(b))
    case .negated(let inner): .negated(try expression(inner))
    case .coalesced(let a, let b): .coalesced(try expression(a), try expression(b))
    case .conditional(let test, let a, let b):
      .conditional(try condition(test), try expression(a), try expression(b))
    case .condition(let inner): .condition(try condition(inner))
    case .folded(let inner, let options): .folded(try expression(inner), options)
    case .subqueryCount(let path, let variable, let inner):
      .subqueryCount(path: path, variable: variable, try condition(inner))
    }
  }
}
