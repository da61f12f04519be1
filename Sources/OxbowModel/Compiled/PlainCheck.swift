/// The fast path of `AttributeDescription.failures(for:of:)`.
///
/// Whether a value is of an attribute's type and no rule or limit can speak against it: most values
/// are, and a save asks for each (suite M).
package struct PlainCheck: Sendable {
  private let type: AttributeType?

  init(of property: CompiledProperty) {
    if case .attribute(let attribute) = property.kind, attribute.rules == AttributeRules() {
      type = attribute.type
    } else {
      type = nil
    }
  }

  /// Whether `value` needs no further check.
  package func passes(_ value: AttributeValue) -> Bool {
    switch (value, type) {
    case (.integer, .integer64), (.boolean, .boolean), (.string, .string), (.data, .binaryData),
      (.uuid, .uuid):
      true
    case (.integer(let number), .integer32): Int32(exactly: number) != nil
    case (.double(let number), .double): number.isFinite
    default: false
    }
  }
}
