// The meaning of predicates, in memory. `OxbowRelational` says the same in SQL; the two must agree
// for every predicate that a store accepts:
//
// - Logic has two values. Comparisons with no value are false, except that nil == nil and nil != x
//   are true.
// - Text, bytes, UUIDs and URIs compare by their bytes; numbers by their values; Booleans
//   and objects are equal or not and have no order.
// - Arithmetic with no value has no value, and neither has what would be NaN. Overflow and
//   division by zero are errors here; SQL gives no row or a rounded number instead.
// - NaN is equal to nothing, itself included. A store keeps no NaN.
// - A key that leads nowhere is an object, and a path that goes on behind it ends there.

internal import OxbowFoundation

extension FetchPredicate {
  /// Whether the condition holds for an object.
  package func isTrue(for subject: some PredicateTarget) throws(PersistenceError) -> Bool {
    try isTrue(in: PredicateScope(subject))
  }

  func isTrue(in scope: PredicateScope<some PredicateTarget>) throws(PersistenceError) -> Bool {
    switch self {
    case .constant(let truth): return truth
    case .comparison(let a, let comparison, let b):
      return try comparison.holds(a.value(in: scope), b.value(in: scope))
    case .text(.path(let path), .contains, let part, let options) where try scope.isMany(path):
      return try Self.membership(part, path, options).isTrue(in: scope)
    case .text(let text, let comparison, let part, let options):
      return try comparison.holds(text.value(in: scope), part.value(in: scope), options)
    case .words(let texts, let query): return try isTrue(texts, query, in: scope)
    case .isIn(let expression, let list):
      return try isIn(expression.value(in: scope), list)
    case .isBetween(let value, let low, let high):
      return try Self.range(value, low, high).isTrue(in: scope)
    case .truth(let expression): return try isTrue(expression.value(in: scope))
    case .and(let parts):
      for part in parts where try !part.isTrue(in: scope) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.isTrue(in: scope) { return true }
      return false
    case .not(let inner): return try !inner.isTrue(in: scope)
    case .any(let path, let inner):
      for member in try scope.members(at: path) ?? []
      where try inner.isTrue(in: scope.entering(member)) {
        return true
      }
      return false
    case .all(let path, let inner):
      for member in try scope.members(at: path) ?? []
      where try !inner.isTrue(in: scope.entering(member)) {
        return false
      }
      return true
    case .quantified(let quantifier, let inner): return try isTrue(quantifier, inner, in: scope)
    case .sql(let sql): throw .sqlInMemory(sql)
    }
  }

  /// Whether texts meet a search; never when there is none.
  private func isTrue(
    _ texts: [FetchExpression], _ query: FetchExpression,
    in scope: PredicateScope<some PredicateTarget>
  ) throws(PersistenceError) -> Bool {
    var words: [TextWords] = []
    for text in texts {
      if let text = try text.value(in: scope).text(for: "words") { words.append(TextWords(text)) }
    }
    guard let query = try query.value(in: scope).text(for: "words") else { return false }
    return WordMatcher(try WordQuery(query)).matches(words)
  }

  private func isTrue(
    _ quantifier: FetchQuantifier, _ inner: FetchPredicate,
    in scope: PredicateScope<some PredicateTarget>
  ) throws(PersistenceError) -> Bool {
    let (path, options) = try inner.quantifiedPath(quantifier)
    for value in try scope.values(at: path, for: quantifier.rawValue) {
      let expression = FetchExpression.value(value).folded(options)
      let holds = try inner.replacingFirst(with: expression).isTrue(in: scope)
      if holds != (quantifier == .all) { return quantifier == .any }
    }
    return quantifier != .any
  }

  /// CONTAINS after a path through a to-many relationship: one of its values is the part.
  package static func membership(
    _ part: FetchExpression, _ path: [String], _ options: TextOptions
  ) -> FetchPredicate {
    .quantified(
      .any,
      .comparison(FetchExpression.path(path).folded(options), .equal, part.folded(options)))
  }

  /// A range as two comparisons.
  package static func range(
    _ value: FetchExpression, _ low: FetchExpression, _ high: FetchExpression
  ) -> FetchPredicate {
    .and([.comparison(value, .greaterOrEqual, low), .comparison(value, .lessOrEqual, high)])
  }

  private func isIn(_ value: FetchValue, _ list: [FetchValue]) throws(PersistenceError) -> Bool {
    for other in list where try ComparisonOperator.equal.holds(value, other) { return true }
    return false
  }

  private func isTrue(_ value: FetchValue) throws(PersistenceError) -> Bool {
    switch value {
    case .null: return false
    case .attribute(.boolean(let truth)): return truth
    default:
      throw PersistenceError(
        .invalidPredicate, "\(value.kind) is not a condition; compare it with something")
    }
  }
}

extension ComparisonOperator {
  package func holds(_ a: FetchValue, _ b: FetchValue) throws(PersistenceError) -> Bool {
    switch (a, b) {
    case (.null, .null): return self == .equal
    case (.null, _), (_, .null): return self == .notEqual
    case (.object(let x), .object(let y)):
      return try equality(of: x == y, a)
    case (.attribute(.boolean(let x)), .attribute(.boolean(let y))):
      return try equality(of: x == y, a)
    case (.attribute(.boolean(let x)), .attribute(.integer(let y))):
      return try equality(of: (x ? 1 : 0) == y, a)
    case (.attribute(.integer(let x)), .attribute(.boolean(let y))):
      return try equality(of: (y ? 1 : 0) == x, b)
    case (.attribute(let x), .attribute(let y)):
      return try holds(order: order(x, y))
    case (.object, .attribute), (.attribute, .object):
      throw .incomparable(a, b)
    }
  }

  private func equality(of isEqual: Bool, _ value: FetchValue) throws(PersistenceError) -> Bool {
    switch self {
    case .equal: return isEqual
    case .notEqual: return !isEqual
    default:
      throw PersistenceError(
        .invalidPredicate, "\(value.kind) has no order: '\(rawValue)' needs one")
    }
  }

  /// The order of two values, or `nil` when one of them is NaN.
  private func order(
    _ a: AttributeValue, _ b: AttributeValue
  ) throws(PersistenceError) -> ValueOrder? {
    if let order = a.decimalOrder(to: b) ?? a.order(to: b) { return order }
    guard a.isNaN || b.isNaN else { throw .incomparable(.attribute(a), .attribute(b)) }
    return nil
  }

  private func holds(order: ValueOrder?) -> Bool {
    switch self {
    case .equal: order == .same
    case .notEqual: order != .same
    case .less: order == .ascending
    case .lessOrEqual: order == .ascending || order == .same
    case .greater: order == .descending
    case .greaterOrEqual: order == .descending || order == .same
    }
  }
}

extension TextOperator {
  /// Whether a part is in a text in this way; false when one of them has no value.
  func holds(
    _ text: FetchValue, _ part: FetchValue, _ options: TextOptions
  ) throws(PersistenceError) -> Bool {
    guard let whole = try text.text(for: rawValue), let part = try part.text(for: rawValue) else {
      return false
    }
    return try TextTest(self, part, options).holds(whole)
  }
}

extension FetchValue {
  /// The text that an operator searches, or searches for; `nil` for no value.
  func text(for word: String) throws(PersistenceError) -> String? {
    switch self {
    case .null: return nil
    case .attribute(.string(let text)): return text
    default:
      throw PersistenceError(
        .invalidPredicate, "\(kind) cannot be searched with '\(word)'; it needs text")
    }
  }

  /// What kind of value this is, in words for messages.
  var kind: String {
    switch self {
    case .null: "no value"
    case .object: "an object"
    case .attribute(let value): value.kind
    }
  }
}

extension AttributeValue {
  /// The order of a decimal and a binary number, which counts as the shortest decimal number that
  /// is read as the same; `nil` for other values.
  fileprivate func decimalOrder(to other: AttributeValue) -> ValueOrder? {
    switch (self, other) {
    case (.decimal(let a), .double(let b)):
      b.asWritten.flatMap { a.isNaN ? nil : ValueOrder(a, $0) }
    case (.double(let a), .decimal(let b)):
      a.asWritten.flatMap { b.isNaN ? nil : ValueOrder($0, b) }
    default: nil
    }
  }

  fileprivate var kind: String {
    switch self {
    case .integer: "a whole number"
    case .double: "a number"
    case .decimal: "a decimal number"
    case .boolean: "a truth value"
    case .string: "text"
    case .date: "a date"
    case .data: "bytes"
    case .uuid: "a UUID"
    case .url: "a URI"
    }
  }
}

extension Double {
  /// The number in decimal digits, or `nil` when it is too large or too small for a decimal number.
  fileprivate var asWritten: Decimal? {
    guard self == 0 || (1e-100...1e100).contains(magnitude) else { return nil }
    return Decimal(string: description)
  }
}

extension PersistenceError {
  fileprivate static func incomparable(_ a: FetchValue, _ b: FetchValue) -> PersistenceError {
    PersistenceError(.invalidPredicate, "\(a.kind) cannot be compared with \(b.kind)")
  }
}
