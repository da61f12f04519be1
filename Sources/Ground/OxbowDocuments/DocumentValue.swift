/// A value of a document, with its location; `Scalar` is what only one form of document has.
package struct DocumentValue<Scalar: Sendable>: Sendable {
  package enum Content: Sendable {
    case null
    case boolean(Bool)
    case text(String)
    case scalar(Scalar)
    case array([DocumentValue])
    /// Keys and values in the order of the document; each key occurs once.
    case dictionary([Entry])
  }

  package struct Entry: Sendable {
    package let key: String
    package let location: SourceLocation
    package let value: DocumentValue
  }

  package let content: Content
  package let location: SourceLocation

  package init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }
}

package typealias JSONValue = DocumentValue<JSONNumber>

/// A number of JSON as it is written, so that no digit is lost.
package struct JSONNumber: Sendable {
  package let digits: String
}

package typealias PropertyListValue = DocumentValue<PropertyListScalar>

/// A number, a date or bytes of a property list, or what an archive has of its own.
package enum PropertyListScalar: Sendable {
  /// A whole number of 64 bits, signed or unsigned.
  case integer(Int128)
  case real(Double)
  /// Seconds since 2001-01-01T00:00:00Z, as binary lists have them.
  case date(Double)
  case data([UInt8])
  /// The number of another object of an archive; in binary property lists only.
  case reference(Int)
}

// These are not generic, so that other modules need no specialization of them.

extension PropertyListValue {
  /// The entry of a key, if this is a dictionary that has it.
  package func entry(_ key: String) -> Entry? {
    guard case .dictionary(let entries) = content else { return nil }
    return entries.first { $0.key == key }
  }

  package var text: String? {
    if case .text(let text) = content { text } else { nil }
  }
}

extension JSONValue {
  /// The value of a key, if this is an object that has it.
  package subscript(key: String) -> JSONValue? {
    guard case .dictionary(let entries) = content else { return nil }
    return entries.first { $0.key == key }?.value
  }

  /// The value for messages: texts and numbers as they are written, others by kind.
  package var seen: String {
    switch content {
    case .null: "null"
    case .boolean(let truth): "\(truth)"
    case .scalar(let number): number.digits
    case .text(let text): text.count > 60 ? "\"\(text.prefix(60))…\"" : "\"\(text)\""
    case .array: "an array"
    case .dictionary: "an object"
    }
  }
}
