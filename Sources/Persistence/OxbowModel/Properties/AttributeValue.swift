public import OxbowFoundation

/// The value of an attribute, whatever its type; `nil` means no value.
public enum AttributeValue: Hashable, Sendable {
  /// A whole number, for the three integer types.
  case integer(Int64)
  /// A floating-point number, for Double and Float.
  case double(Double)
  /// True or false.
  case boolean(Bool)
  /// Text.
  case string(String)
  /// A moment.
  case date(Date)
  /// Bytes.
  case data(Data)
  /// A universally unique identifier.
  case uuid(UUID)
  /// A uniform resource identifier.
  case url(URL)
  /// A decimal number.
  case decimal(Decimal)
}

extension AttributeValue {
  /// Whether an attribute of `type` can hold this value, its range included.
  package func fits(_ type: AttributeType) -> Bool {
    switch (self, type) {
    case (.integer(let n), .integer16): Int16(exactly: n) != nil
    case (.integer(let n), .integer32): Int32(exactly: n) != nil
    case (.integer, .integer64), (.double, .double), (.double, .float), (.boolean, .boolean),
      (.string, .string), (.date, .date), (.data, .binaryData), (.data, .transformable),
      (.uuid, .uuid), (.url, .uri), (.decimal, .decimal):
      true
    default: false
    }
  }

  /// Whether the value is not a number, or not a moment: no store can keep it.
  package var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    default: false
    }
  }
}
