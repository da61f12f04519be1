/// A value of a JSON document or of a property list, with its location.
package struct DocumentValue: Sendable {
  /// What a value can be.
  package enum Content: Sendable {
    case null
    case boolean(Bool)
    /// A whole number of a property list: 64 bits, signed or unsigned.
    case integer(Int128)
    /// Another number of a property list.
    case real(Double)
    /// A number of JSON as it is written, so that no digit is lost.
    case number(String)
    case text(String)
    /// A date in seconds since 1970-01-01T00:00:00Z.
    case date(Double)
    case data([UInt8])
    case array([DocumentValue])
    /// Keys and values in the order of the document; each key occurs once.
    case dictionary([Entry])
  }

  /// A key with its location, and its value.
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

  /// The entry of a key, if this is a dictionary that has it.
  package func entry(_ key: String) -> Entry? {
    guard case .dictionary(let entries) = content else { return nil }
    return entries.first { $0.key == key }
  }

  /// The value of a key, if this is a dictionary that has it.
  package subscript(key: String) -> DocumentValue? { entry(key)?.value }

  /// The text, if it is one.
  package var text: String? {
    if case .text(let text) = content { text } else { nil }
  }

  /// The value for messages about JSON: texts and numbers as they are written, others by kind.
  package var seen: String {
    switch content {
    case .null: "null"
    case .boolean(let truth): "\(truth)"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .number(let text): text
    case .text(let text): text.count > 60 ? "\"\(text.prefix(60))…\"" : "\"\(text)\""
    case .date: "a date"
    case .data: "data"
    case .array: "an array"
    case .dictionary: "an object"
    }
  }
}
