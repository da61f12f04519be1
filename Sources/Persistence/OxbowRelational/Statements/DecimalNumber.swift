package import OxbowFoundation

/// A decimal number in a column of numbers.
///
/// Whole numbers of 64 bits are exact. Of a REAL, 15 digits count, because so many survive there:
/// `0.1` is a tenth. The REAL that a program wrote for a decimal number may be a neighbor of the
/// nearest one, because SQLite rounds as the processor's long numbers allow.
package struct DecimalNumber: Hashable, Sendable {
  package let value: Decimal

  /// The smallest and the largest number of a column that mean the value.
  ///
  /// Where no column can have it, both are a number between the neighbors of the value.
  package let low: SQLValue
  package let high: SQLValue

  /// Creates the number that is nearest to a value; `nil` for NaN.
  package init?(_ value: Decimal) {
    guard !value.isNaN else { return nil }
    self.value = value
    let text = value.description
    if let whole = Int64(text) {
      (low, high) = (.integer(whole), .integer(whole))
      return
    }
    let nearest = Double(text) ?? 0
    let rounded = Self.decimal(nearest)
    if rounded == value {
      (low, high) = (.real(nearest.nextDown), .real(nearest.nextUp))
    } else {
      let between = Self.between(nearest, rounded ?? 0, value)
      (low, high) = (.real(between), .real(between))
    }
  }

  /// Creates what a REAL means; `nil` for one that no `Decimal` has.
  package init?(_ number: Double) {
    guard let value = Self.decimal(number) else { return nil }
    self.init(value)
  }

  /// A number beside the one that `rounded` has, on the side of the value.
  private static func between(_ nearest: Double, _ rounded: Decimal, _ value: Decimal) -> Double {
    let other = Double(rounded.description) ?? 0
    return rounded < value
      ? max(nearest, other.nextUp.nextUp) : min(nearest, other.nextDown.nextDown)
  }

  /// The number that a value is rounded to.
  package var nearest: SQLValue { all[all.count / 2] }

  /// The numbers of a column that mean the value.
  package var all: [SQLValue] {
    guard case .real(let low) = low, self.low != high else { return [low] }
    return [self.low, .real(low.nextUp), high]
  }
}

// MARK: - Texts

extension DecimalNumber {
  /// A value as it is written into a column of the affinity NUMERIC; `nil` if it would not come
  /// back.
  package static func written(_ value: Decimal) -> String? {
    guard let number = DecimalNumber(value), number.all.count > 1 || number.isWhole else {
      return nil
    }
    return value.description
  }

  /// What a column means, in SQL: different REALs may mean one number, and are equal in an order.
  package static func meaning(of column: String) -> String {
    meaning(of: SQLFragment(column)).text
  }

  package static func meaning(of value: SQLFragment) -> SQLFragment {
    "CASE typeof(" + value + ") WHEN 'real' THEN CAST(printf('%.15g', " + value + ") AS REAL) ELSE "
      + value + " END"
  }

  private var isWhole: Bool { if case .integer = low { true } else { false } }

  /// What a REAL means, in plain digits; `nil` for one that no `Decimal` has.
  package static func text(of number: Double) -> String? {
    let text = number.description
    // Nearly all: the shortest text of a number is its decimal number, if it has up to 15 digits.
    if text.utf8.count <= 16, number != 0, text.utf8.allSatisfy(isPlain) {
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return decimal(number)?.description
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  /// A REAL, rounded to 15 digits.
  private static func decimal(_ number: Double) -> Decimal? {
    guard number != 0 else { return 0 }
    let text = rounded(number)
    // What is too large or too small for a decimal number would not be the same number again.
    guard let result = Decimal(string: text), Double(result.description) == Double(text) else {
      return nil
    }
    return result
  }

  private static func rounded(_ number: Double) -> String {
    var text = [CChar](repeating: 0, count: 32)
    _ = withVaList([number]) { vsnprintf(&text, text.count, "%.14e", $0) }
    // The sign before the fraction is the one of the program's language.
    let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let sign = bytes.first == UInt8(ascii: "-") ? "-" : ""
    let digits = bytes.dropFirst(sign.utf8.count)
    let fraction = digits.dropFirst().drop { !(48...57).contains($0) }
    return sign + String(decoding: digits.prefix(1), as: UTF8.self) + "."
      + String(decoding: fraction, as: UTF8.self)
  }
}
