/// What a value of a property must be to be valid without further checks.
///
/// The fast path of `AttributeDescription.failures(for:of:)`: most attributes have no rules, and a
/// save asks for each value (docs/performance.md, M/insert).
package struct ValueRule: Sendable {
  /// The type of an attribute without rules.
  private let type: AttributeType?

  init(of property: CompiledProperty) {
    if case .attribute(let attribute) = property.kind, attribute.rules == AttributeRules() {
      type = attribute.type
    } else {
      type = nil
    }
  }

  package func passes(_ value: AttributeValue) -> Bool {
    switch (value, type) {
    case (.integer, .integer64), (.boolean, .boolean), (.string, .string), (.data, .binaryData),
      (.data, .transformable), (.uuid, .uuid):
      true
    case (.integer(let number), .integer32): Int32(exactly: number) != nil
    case (.double(let number), .double): number.isFinite
    default: false
    }
  }
}
