/// A value of a property list with its location.
package struct PropertyListValue: Sendable {
  /// What a value of a property list can be.
  package enum Content: Sendable {
    /// Pairs in the order of the document; each key occurs once.
    case dictionary([PropertyListEntry])
    case array([PropertyListValue])
    case string(String)
    /// A whole number of 64 bits, signed or unsigned.
    case integer(Int128)
    case real(Double)
    case boolean(Bool)

    /// A date in seconds since 1970-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8])
  }

  /// The value.
  package let content: Content

  /// The location of its element.
  package let location: SourceLocation

  /// Returns the entry of a key if this is a dictionary that has it.
  package func entry(_ key: String) -> PropertyListEntry? {
    guard case .dictionary(let entries) = content else { return nil }
    return entries.first { $0.key == key }
  }

  /// The text if this is a string.
  package var string: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The element name of this kind of value, for messages.
  package var kind: String {
    switch content {
    case .dictionary: "dict"
    case .array: "array"
    case .string: "string"
    case .integer: "integer"
    case .real: "real"
    case .boolean(let value): value ? "true" : "false"
    case .date: "date"
    case .data: "data"
    }
  }
}

/// A key and its value in a dictionary of a property list.
package struct PropertyListEntry: Sendable {
  /// The key.
  package let key: String

  /// The location of the `key` element.
  package let location: SourceLocation

  /// The value.
  package let value: PropertyListValue
}
