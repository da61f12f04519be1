/// What a value of a property must be to be valid without further checks.
///
/// The fast path of `AttributeDescription.failures(for:of:)`: most attributes have no rules, and a
/// save asks for each value (docs/performance.md, M/insert).
package struct ValueRule: Sendable {
  /// The type of an attribute without rules.
  private let type: AttributeType?

  /// Whether it may have no value, or lead to no object.
  package let allowsNone: Bool

  /// Whether a to-many relationship may lead to any number of objects.
  package let allowsAnyCount: Bool

  /// The word of an attribute in a row, or -1.
  package let slot: Int

  init(of property: CompiledProperty) {
    switch property.kind {
    case .attribute(let attribute):
      type = attribute.rules == AttributeRules() ? attribute.type : nil
      (slot, allowsNone, allowsAnyCount) = (property.slot, attribute.isOptional, false)
    case .relationship(let relationship):
      let description = relationship.description
      (type, slot, allowsNone) = (nil, -1, description.isOptional)
      allowsAnyCount =
        description.isOptional && description.minimumCount <= 0 && description.maximumCount <= 0
    }
  }

  /// Whether the word of a value needs no further check.
  package func passes(_ word: Int64) -> Bool {
    switch type {
    case .integer64, .boolean, .string, .binaryData, .transformable, .uuid: true
    case .integer32: Int32(exactly: word) != nil
    case .double: Double(bitPattern: UInt64(bitPattern: word)).isFinite
    default: false
    }
  }

  /// Whether `value` needs no further check.
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
