internal import OxbowFoundation

extension AttributeValue {
  /// The sum of two numbers as an attribute of `type` has it.
  ///
  /// Whole and decimal numbers are added exactly; floating-point numbers are rounded as the type
  /// rounds them. Contexts and stores add with this function, so that they agree to the last bit.
  ///
  /// - Returns: `nil` when the sum does not fit into the type, and for what are no numbers.
  package func adding(_ other: AttributeValue, as type: AttributeType) -> AttributeValue? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)):
      let (sum, overflows) = a.addingReportingOverflow(b)
      return overflows || !AttributeValue.integer(sum).fits(type) ? nil : .integer(sum)
    case (.double(let a), .double(let b)):
      let sum = type == .float ? Double(Float(a + b)) : a + b
      return sum.isFinite ? .double(sum) : nil
    case (.decimal(let a), .decimal(let b)):
      return (Self.shortSum(a, b) ?? Self.sum(a, b)).map(AttributeValue.decimal)
    default: return nil
    }
  }

  /// The exact sum, by way of text; `nil` when it has more than 38 digits.
  private static func sum(_ a: Decimal, _ b: Decimal) -> Decimal? {
    var sum = DecimalSum()
    sum.add(a.description.utf8)
    sum.add(b.description.utf8)
    return sum.hasFailed ? nil : Decimal(string: sum.sum)
  }

  /// The fast path of ``sum(_:_:)`` for numbers below 10¹⁹ with up to 18 digits after the point.
  ///
  /// Their sum has at most 38 digits, so `Decimal` adds them exactly, in a sixth of the time. `nil`
  /// for other numbers.
  private static func shortSum(_ a: Decimal, _ b: Decimal) -> Decimal? {
    isShort(a) && isShort(b) ? a + b : nil
  }

  private static func isShort(_ number: Decimal) -> Bool {
    !number.isNaN && number.exponent >= -18 && number.magnitude < shortLimit
  }

  private static let shortLimit = Decimal(sign: .plus, exponent: 19, significand: 1)

  package var isZero: Bool {
    switch self {
    case .integer(let number): number == 0
    case .double(let number): number == 0
    case .decimal(let number): number.isZero
    default: false
    }
  }

  /// The number with the other sign; `nil` for the smallest whole number, and for what is no
  /// number.
  package var negated: AttributeValue? {
    switch self {
    case .integer(let number): number == .min ? nil : .integer(-number)
    case .double(let number): .double(-number)
    case .decimal(let number): .decimal(-number)
    default: nil
    }
  }
}

extension AttributeType {
  /// The type in which changes of a number are added up before they are added to the number; `nil`
  /// for what is not a number.
  package var incrementType: AttributeType? {
    switch self {
    case .integer16, .integer32, .integer64: .integer64
    case .double, .float: .double
    case .decimal: .decimal
    default: nil
    }
  }
}
