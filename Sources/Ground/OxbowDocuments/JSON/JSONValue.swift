/// A value of a JSON document, with its location.
package struct JSONValue: Sendable {
  package let content: Content
  package let location: SourceLocation

  package enum Content: Sendable {
    case null
    case boolean(Bool)
    /// A number as it is written, so that no digit is lost.
    case number(String)
    case text(String)
    case array([JSONValue])
    /// The members in their order; no key occurs twice.
    case object([Member])
  }

  /// A key and its value.
  package struct Member: Sendable {
    package let key: String
    package let location: SourceLocation
    package let value: JSONValue
  }

  package init(_ content: Content, at location: SourceLocation) {
    self.content = content
    self.location = location
  }

  /// The value of a key of an object.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The value for messages: texts and numbers as they are written, others by kind.
  package var seen: String {
    switch content {
    case .null: "null"
    case .boolean(let truth): "\(truth)"
    case .number(let text): text
    case .text(let text): text.count > 60 ? "\"\(text.prefix(60))…\"" : "\"\(text)\""
    case .array: "an array"
    case .object: "an object"
    }
  }
}
