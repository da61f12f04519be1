// The meaning of predicates, in memory. `OxbowSQL` says the same in SQL; the two must agree for
// every predicate that a store accepts:
//
// - Logic has two values. Comparisons with no value are false, except that nil == nil and nil != x
//   are true.
// - Text, bytes, UUIDs and URIs compare by their bytes; numbers by their values; Booleans
//   and objects are equal or not and have no order.
// - Arithmetic with no value has no value, and what would be NaN is none either. Overflow and
//   division by zero are errors here; SQL gives no row or a rounded number instead.
// - NaN is equal to nothing, itself included. A store keeps no NaN.
// - A key that leads nowhere is an object, and a path that goes on behind it ends there.

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension FetchPredicate {
  /// Whether the condition holds for an object.
  ///
  /// - Throws: ``PersistenceError``: `invalidPredicate` for values that cannot be compared and for
  ///   arithmetic without a result, and whatever reading the object throws.
  package func isTrue(for target: some PredicateTarget) throws(PersistenceError) -> Bool {
    switch self {
    case .constant(let truth): return truth
    case .comparison(let a, let comparison, let b):
      return try comparison.holds(a.value(for: target), b.value(for: target))
    case .text(let text, let comparison, let part, let options):
      return try comparison.holds(text.value(for: target), part.value(for: target), options)
    case .isIn(let expression, let list):
      return try contains(expression.value(for: target), list)
    case .truth(let expression): return try isTrue(expression.value(for: target))
    case .and(let parts):
      for part in parts where try !part.isTrue(for: target) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.isTrue(for: target) { return true }
      return false
    case .not(let inner): return try !inner.isTrue(for: target)
    case .any(let path, let inner):
      for member in try target.members(at: path) ?? [] where try inner.isTrue(for: member) {
        return true
      }
      return false
    case .all(let path, let inner):
      for member in try target.members(at: path) ?? [] where try !inner.isTrue(for: member) {
        return false
      }
      return true
    }
  }

  private func contains(_ value: FetchValue, _ list: [FetchValue]) throws(PersistenceError) -> Bool
  {
    for other in list where try ComparisonOperator.equal.holds(value, other) { return true }
    return false
  }

  private func isTrue(_ value: FetchValue) throws(PersistenceError) -> Bool {
    switch value {
    case .null: return false
    case .attribute(.boolean(let truth)): return truth
    default:
      throw PersistenceError(
        .invalidPredicate, "\(value.kind) is no condition; compare it with something")
    }
  }
}

extension ComparisonOperator {
  /// Whether the comparison of two values holds.
  package func holds(_ a: FetchValue, _ b: FetchValue) throws(PersistenceError) -> Bool {
    switch (a, b) {
    case (.null, .null): return self == .equal
    case (.null, _), (_, .null): return self == .notEqual
    case (.object(let x), .object(let y)):
      return try equality(of: x == y, a)
    case (.attribute(.boolean(let x)), .attribute(.boolean(let y))):
      return try equality(of: x == y, a)
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
    if let order = a.order(to: b) { return order }
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
  /// Whether a text has a part in this way; false when one of them has no value.
  func holds(
    _ text: FetchValue, _ part: FetchValue, _ options: TextOptions
  ) throws(PersistenceError) -> Bool {
    guard let whole = try bytes(text, options), let needle = try bytes(part, options) else {
      return false
    }
    switch self {
    case .contains: return needle.isEmpty || whole.contains(needle)
    case .beginsWith: return whole.starts(with: needle)
    case .endsWith: return whole.reversed().starts(with: needle.reversed())
    }
  }

  private func bytes(
    _ value: FetchValue, _ options: TextOptions
  ) throws(PersistenceError) -> [UInt8]? {
    switch value {
    case .null: return nil
    case .attribute(.string(let text)):
      guard options.contains(.caseInsensitive) else { return Array(text.utf8) }
      return text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
    default:
      throw PersistenceError(
        .invalidPredicate, "\(value.kind) cannot be searched with '\(rawValue)'; it needs text")
    }
  }
}

extension FetchValue {
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
  fileprivate var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
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

extension PersistenceError {
  fileprivate static func incomparable(_ a: FetchValue, _ b: FetchValue) -> PersistenceError {
    PersistenceError(.invalidPredicate, "\(a.kind) cannot be compared with \(b.kind)")
  }
}
