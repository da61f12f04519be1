/// What a word of a row must be to be valid without further checks: the rule of a ``ValueRule`` for
/// new objects whose values are in rows (docs/performance.md, M/insert).
package struct RowCheck: Sendable {
  package let slot: Int

  /// Whether it may have no value.
  package let allowsNone: Bool

  fileprivate let range: Range

  fileprivate enum Range: Sendable {
    case any, integer16, integer32, finite, float
  }

  /// Whether a word that has a value is valid.
  @inline(__always)
  package func passes(_ word: Int64) -> Bool {
    switch range {
    case .any: true
    case .integer16: Int16(exactly: word) != nil
    case .integer32: Int32(exactly: word) != nil
    case .finite: Double(bitPattern: UInt64(bitPattern: word)).isFinite
    case .float: Float(Double(bitPattern: UInt64(bitPattern: word))).isFinite
    }
  }

  /// The checks of an entity's attributes that a value can fail; `nil` if one of them has rules.
  static func all(for properties: [CompiledProperty]) -> ContiguousArray<RowCheck>? {
    var checks: ContiguousArray<RowCheck> = []
    for property in properties {
      guard let attribute = property.attribute else { continue }
      guard property.slot >= 0, attribute.rules == AttributeRules(),
        let range = Range(attribute.type)
      else { return nil }
      if attribute.isOptional, range == .any { continue }
      checks.append(
        RowCheck(slot: property.slot, allowsNone: attribute.isOptional, range: range))
    }
    return checks
  }
}

extension RowCheck.Range {
  fileprivate init?(_ type: AttributeType) {
    switch type {
    case .integer64, .boolean, .string, .decimal, .uri, .binaryData, .transformable, .uuid:
      self = .any
    case .integer16: self = .integer16
    case .integer32: self = .integer32
    case .double, .date: self = .finite
    case .float: self = .float
    case .undefined, .composite, .objectID: return nil
    }
  }
}
