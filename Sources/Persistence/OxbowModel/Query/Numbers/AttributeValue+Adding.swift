internal import OxbowFoundation

extension AttributeValue {
  /// The sum of two numbers as an attribute of `type` has it.
  ///
  /// Whole and decimal numbers are added exactly; floating-point numbers are rounded as the type
  /// rounds them. Contexts and stores add with this function, so that they agree to the last bit.
  ///
  /// - Returns: `nil` when the sum does not fit into the type, and for what is not a number.
  package func adding(_ other: AttributeValue, as type: AttributeType) -> AttributeValue? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)):
      let (sum, overflows) = a.addingReportingOverflow(b)
      return overflows || !AttributeValue.integer(sum).fits(type) ? nil : .integer(sum)
    case (.double(let a), .double(let b)):
      let sum = type == .float ? Double(Float(a + b)) : a + b
      return sum.isFinite ? .double(sum) : nil
    case (.decimal(let a), .decimal(let b)):
      return Self.sum(a, b).map(AttributeValue.decimal)
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

  /// The value as an attribute of a type has it: a number of 32 bits, where the type is `float`.
  package func rounded(for type: AttributeType?) -> AttributeValue {
    guard type == .float, case .double(let number) = self else { return self }
    let single = Double(Float(number))
    return single.isFinite ? .double(single) : self
  }

  package var isZero: Bool {
    switch self {
    case .integer(let number): number == 0
    case .double(let number): number == 0
    case .decimal(let number): number.isZero
    default: false
    }
  }

  /// The number with the other sign; `nil` for the smallest whole number, and for what is not a
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
