internal import OxbowDocuments
internal import OxbowFoundation

extension AttributeValue {
  /// Reads a value as model documents write it, or returns `nil` when the type has no such value.
  ///
  /// Xcode writes `YES` and `NO` for Booleans and, where an attribute's type was changed, leaves
  /// them or `0.0` behind on whole numbers; they are read as the numbers that they mean. Dates
  /// are seconds since 2001-01-01T00:00:00Z.
  package init?(text: String, type: AttributeType) {
    let value: AttributeValue? =
      switch type {
      case .integer16, .integer32, .integer64: Self.whole(text).map { .integer($0) }
      case .double: Self.real(text).map { .double($0) }
      // What a class's `Float` holds.
      case .float: Self.single(text).map { .double($0) }
      case .date: Self.real(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      case .decimal: ScalarText.decimal(text).map { .decimal($0) }
      case .boolean: Self.truth(text).map { .boolean($0) }
      case .string: .string(text)
      case .uuid: UUID(uuidString: text).map { .uuid($0) }
      case .uri: URL(string: text).map { .url($0) }
      case .undefined, .binaryData, .transformable, .composite, .objectID: nil
      }
    guard let value, value.fits(type) else { return nil }
    self = value
  }

  private static func whole(_ text: String) -> Int64? {
    if let number = Int64(text) { return number }
    if let number = real(text) { return Int64(exactly: number) }
    return truth(text).map { $0 ? 1 : 0 }
  }

  private static func real(_ text: String) -> Double? {
    guard let number = Double(text), number.isFinite else { return nil }
    return number
  }

  private static func single(_ text: String) -> Double? {
    guard let number = Float(text), number.isFinite else { return nil }
    return Double(number)
  }

  private static func truth(_ text: String) -> Bool? {
    ScalarText.truth(text) ?? real(text).map { $0 != 0 }
  }
}
