internal import OxbowFoundation

/// Which of two values comes first.
package enum ValueOrder: Sendable, Hashable {
  case ascending, same, descending

  /// The order of two values of a type that has one.
  init<Value: Comparable>(_ a: Value, _ b: Value) {
    self = a < b ? .ascending : b < a ? .descending : .same
  }

  /// The order of two sequences of bytes, a beginning before the whole, as SQLite has it.
  init(bytes a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) {
    var left = a.makeIterator()
    var right = b.makeIterator()
    while true {
      switch (left.next(), right.next()) {
      case (nil, nil):
        self = .same
        return
      case (nil, _):
        self = .ascending
        return
      case (_, nil):
        self = .descending
        return
      case (let x?, let y?):
        guard x != y else { continue }
        self = x < y ? .ascending : .descending
        return
      }
    }
  }
}

extension AttributeValue {
  /// The order of this value and another one, or `nil` when they cannot be compared: values of
  /// kinds that have nothing in common, and NaN.
  ///
  /// Text, URIs, bytes and UUIDs compare by their bytes, false comes before true, and numbers of
  /// any kind compare by their values.
  package func order(to other: AttributeValue) -> ValueOrder? {
    switch (self, other) {
    case (.string(let a), .string(let b)): ValueOrder(bytes: a.utf8, b.utf8)
    case (.date(let a), .date(let b)):
      ordered(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    case (.boolean(let a), .boolean(let b)): ValueOrder(a ? 1 : 0, b ? 1 : 0)
    case (.data(let a), .data(let b)): ValueOrder(bytes: a, b)
    case (.uuid(let a), .uuid(let b)):
      ValueOrder(bytes: bytes(of: a), bytes(of: b))
    case (.url(let a), .url(let b)):
      ValueOrder(bytes: a.absoluteString.utf8, b.absoluteString.utf8)
    default: numericOrder(to: other)
    }
  }

  private func numericOrder(to other: AttributeValue) -> ValueOrder? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): ValueOrder(a, b)
    case (.double(let a), .double(let b)): ordered(a, b)
    case (.integer(let a), .double(let b)): orderExactly(a, b)
    case (.double(let a), .integer(let b)): orderExactly(b, a)?.reversed
    default: decimalOrder(to: other)
    }
  }

  private func decimalOrder(to other: AttributeValue) -> ValueOrder? {
    switch (self, other) {
    case (.decimal(let a), .decimal(let b)):
      a.isNaN || b.isNaN ? nil : ValueOrder(a, b)
    case (.decimal(let a), .integer(let b)): a.isNaN ? nil : ValueOrder(a, Decimal(b))
    case (.integer(let a), .decimal(let b)): b.isNaN ? nil : ValueOrder(Decimal(a), b)
    case (.decimal(let a), .double(let b)): orderAcrossBases(a, b)
    case (.double(let a), .decimal(let b)): orderAcrossBases(b, a)?.reversed
    default: nil
    }
  }
}

extension ValueOrder {
  /// The order with its sides exchanged.
  package var reversed: ValueOrder {
    switch self {
    case .ascending: .descending
    case .same: .same
    case .descending: .ascending
    }
  }
}

private func ordered(_ a: Double, _ b: Double) -> ValueOrder? {
  a.isNaN || b.isNaN ? nil : ValueOrder(a, b)
}

/// Compares without rounding the whole number, as Swift's and SQLite's comparisons do.
private func orderExactly(_ a: Int64, _ b: Double) -> ValueOrder? {
  if b.isNaN { return nil }
  if b >= 0x1p63 { return .ascending }
  if b < -0x1p63 { return .descending }
  let whole = b.rounded(.down)
  let order = ValueOrder(a, Int64(whole))
  return order == .same && whole < b ? .ascending : order
}

/// Compares where the double may lie outside of what a decimal can be; `Decimal` traps on infinity.
private func orderAcrossBases(_ a: Decimal, _ b: Double) -> ValueOrder? {
  if a.isNaN || b.isNaN { return nil }
  if b.magnitude >= 1e140 { return b > 0 ? .ascending : .descending }
  let decimal = Decimal(b)
  guard decimal.isNaN else { return ValueOrder(a, decimal) }
  // Too near to zero for a decimal: only its sign matters.
  let order = ValueOrder(a, 0)
  return order == .same ? (b > 0 ? .ascending : .descending) : order
}

private func bytes(of uuid: UUID) -> [UInt8] {
  withUnsafeBytes(of: uuid.uuid) { Array($0) }
}
