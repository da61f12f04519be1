extension TranslatedTerm {
  init(captured value: Any) throws(PersistenceError) {
    if let constant = try Self.constant(value) {
      self = .expression(.value(constant))
    } else if let range = value as? any CapturedRange {
      let (lower, upper) = range.bounds
      self = .range(
        try Self(captured: lower).expression(), try Self(captured: upper).expression(),
        includesUpper: range.includesUpper)
    } else if let parted = value as? any _PartedValue {
      throw .wholeComposite("a value of the composite type '\(type(of: value))'", type(of: parted))
    } else if let values = value as? any Sequence {
      self = .values(try Self.constants(values))
    } else {
      throw PersistenceError(
        .unsupported,
        "a value of type '\(type(of: value))' cannot be in a predicate; capture text, a number,"
          + " a Boolean, a date, bytes, a UUID, a URL or the ID of an object")
    }
  }

  private static func constant(_ value: Any) throws(PersistenceError) -> FetchValue? {
    if let optional = value as? any OptionalValue {
      guard let wrapped = optional.wrappedValue else { return .null }
      // `Any` holds an optional once only, but an optional may wrap another.
      return try constant(wrapped)
    }
    if let value = value as? any FetchValueConvertible { return value.fetchValue }
    if let number = value as? any BinaryInteger {
      guard let number = Int64(exactly: number) else {
        throw PersistenceError(
          .invalidPredicate, "\(number) does not fit into a whole number of 64 bits")
      }
      return number.fetchValue
    }
    if let value = value as? any RawRepresentable { return try constant(value.rawValue) }
    return nil
  }

  private static func constants(_ values: any Sequence) throws(PersistenceError) -> [FetchValue] {
    var result: [FetchValue] = []
    for value in Self.elements(values) {
      guard let constant = try constant(value) else {
        throw PersistenceError(
          .unsupported,
          "a value of type '\(type(of: value))' cannot be in a list of a predicate")
      }
      result.append(constant)
    }
    return result
  }

  private static func elements(_ values: some Sequence) -> [Any] { values.map { $0 as Any } }
}

/// A range that a predicate captured.
protocol CapturedRange {
  var bounds: (Any, Any) { get }
  var includesUpper: Bool { get }
}

extension Range: CapturedRange {
  var bounds: (Any, Any) { (lowerBound, upperBound) }
  var includesUpper: Bool { false }
}

extension ClosedRange: CapturedRange {
  var bounds: (Any, Any) { (lowerBound, upperBound) }
  var includesUpper: Bool { true }
}
