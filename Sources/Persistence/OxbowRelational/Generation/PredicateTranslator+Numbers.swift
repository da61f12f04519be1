import OxbowFoundation
import OxbowModel

// Decimal numbers in columns of numbers (`CodecSet.keepsNumbers`). A constant is compared with all
// numbers that mean it (`DecimalNumber`), and a text, which is NaN, meets no comparison. What is
// computed is a text with all its digits (`ColumnCodec.decimalText`), as is what it meets.

extension PredicateTranslator {
  /// A decimal constant; `nil` for another one, and where decimal numbers are texts.
  func number(_ value: AttributeValue, for other: Operand?) -> Operand? {
    guard dialect.codecs.keepsNumbers else { return nil }
    let number: DecimalNumber? =
      switch value {
      case .decimal(let decimal): DecimalNumber(decimal)
      case .integer(let whole) where other?.kind == .decimal: DecimalNumber(Decimal(whole))
      default: nil
      }
    return number.map {
      Operand(
        fragment: .value($0.nearest), kind: .decimal, codec: .decimalNumber, isNeverNull: true,
        number: $0)
    }
  }

  /// Whether a number with a binary fraction is one that a decimal number may be, as memory has it.
  static func isWritten(_ number: Double) -> Bool {
    number == 0 || (1e-100...1e100).contains(number.magnitude)
  }

  /// A number with a binary fraction as the decimal one that is written so.
  func number(asWritten number: Double) -> Operand? {
    guard Self.isWritten(number) else { return nil }
    return Decimal(string: number.description).flatMap { self.number(.decimal($0), for: nil) }
  }

  /// Compares decimal numbers; `nil` where they are texts, and for other values.
  func compareNumbers(
    _ a: Operand, _ comparison: ComparisonOperator, _ b: Operand
  ) -> SQLFragment? {
    guard dialect.codecs.keepsNumbers, a.kind == .decimal || b.kind == .decimal, a.kind != .null,
      b.kind != .null
    else { return nil }
    if isText(a) || isText(b) {
      let first = text(a).fragment + dialect.decimalOrder
      return guarded(first + " \(sign(comparison)) " + text(b).fragment, [a, b])
    }
    if let number = b.number { return compare(a, comparison, number) }
    if let number = a.number { return compare(b, comparison.turned, number) }
    return guarded(a.fragment + " \(sign(comparison)) " + b.fragment, [a, b])
  }

  private func compare(
    _ a: Operand, _ comparison: ComparisonOperator, _ number: DecimalNumber
  ) -> SQLFragment {
    func compared(_ sign: String, _ value: SQLValue) -> SQLFragment {
      a.fragment + " \(sign) " + .value(value)
    }
    // All numbers are before texts.
    switch comparison {
    case .less: return compared("<", number.low)
    case .lessOrEqual: return compared("<=", number.high)
    case .greater: return guarded(compared(">", number.high), [a])
    case .greaterOrEqual: return guarded(compared(">=", number.low), [a])
    case .equal where number.low == number.high: return compared("=", number.low)
    case .equal: return between(a, number)
    case .notEqual where number.low == number.high:
      return guarded(compared(dialect.different, number.low), [a])
    case .notEqual:
      let isEqual = "coalesce(" + between(a, number) + ", \(dialect.truth(false)))"
      return guarded("NOT " + isEqual, [a])
    }
  }

  private func between(_ a: Operand, _ number: DecimalNumber) -> SQLFragment {
    "(" + a.fragment + " BETWEEN " + .value(number.low) + " AND " + .value(number.high) + ")"
  }

  private func sign(_ comparison: ComparisonOperator) -> String {
    switch comparison {
    case .equal: dialect.same
    case .notEqual: dialect.different
    case .less, .lessOrEqual, .greater, .greaterOrEqual: comparison.rawValue
    }
  }

  /// A condition that no text meets.
  private func guarded(_ condition: SQLFragment, _ operands: [Operand]) -> SQLFragment {
    let guards = operands.filter(\.mayBeText).map { dialect.isNotText($0.fragment) }
    return guards.isEmpty ? condition : "(" + .joined([condition] + guards, " AND ") + ")"
  }

  /// A value that is NULL where the column has a text.
  func numeric(_ operand: Operand) -> Operand {
    guard operand.mayBeText else { return operand }
    var result = operand
    result.mayBeText = false
    result.fragment =
      "CASE WHEN " + dialect.isNotText(operand.fragment) + " THEN " + operand.fragment + " END"
    return result
  }
}

// MARK: - Texts

extension PredicateTranslator {
  /// Whether a decimal number is a text.
  func isText(_ operand: Operand) -> Bool {
    operand.kind == .decimal && (!dialect.codecs.keepsNumbers || operand.codec == .decimalText)
  }

  /// A number as a decimal one that is a text.
  private func text(_ operand: Operand) -> Operand {
    guard operand.kind != .null, !isText(operand) else { return operand }
    var result = operand
    result.fragment =
      operand.number.map { SQLFragment.value(.text($0.value.description)) }
      ?? dialect.call(.decimalText, operand.fragment)
    (result.kind, result.codec, result.number) = (.decimal, .decimalText, nil)
    return result
  }

  /// Two values of which one is taken: both texts where a column of numbers cannot have one.
  func inOneForm(_ a: Operand, _ b: Operand) -> (Operand, Operand) {
    func needsText(_ operand: Operand) -> Bool {
      operand.number.map { DecimalNumber.written($0.value) == nil } ?? isText(operand)
    }
    guard dialect.codecs.keepsNumbers, needsText(a) || needsText(b) else { return (a, b) }
    return (text(a), text(b))
  }

  /// A value, `fragment` in SQL, as a term that groups and sorts it: equal decimal numbers may be
  /// written differently.
  func term(_ operand: Operand, _ fragment: SQLFragment) -> SQLFragment {
    guard operand.kind == .decimal else { return fragment }
    return isText(operand)
      ? fragment + dialect.decimalOrder : DecimalNumber.meaning(of: fragment)
  }
}

extension Dialect {
  /// The exact sum of decimal numbers, as text; 0 if there are not any.
  func decimalSum(_ values: SQLFragment) -> SQLFragment {
    "coalesce(" + call(.decimalSum, values) + ", '0')"
  }
}
