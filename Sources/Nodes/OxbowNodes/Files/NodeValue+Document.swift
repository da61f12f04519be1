internal import OxbowDocuments

extension NodeValue {
  /// The value of a document.
  ///
  /// - Throws: `DocumentError` for a number that a node cannot have.
  init(_ value: DocumentValue) throws(DocumentError) {
    self.init(try Self.content(of: value), at: value.location)
  }

  private static func content(of value: DocumentValue) throws(DocumentError) -> Content {
    switch value.content {
    case .null: return .null
    case .boolean(let truth): return .boolean(truth)
    case .integer(let number):
      guard let whole = Int(exactly: number) else {
        throw DocumentError(
          message: "\(number) is larger than a whole number of a node can be",
          location: value.location)
      }
      return .integer(whole)
    case .real(let number): return .real(number)
    case .number(let digits): return try number(digits, at: value.location)
    case .text(let text): return .text(text)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .data(bytes)
    case .array(let values):
      return .array(try values.map { (value) throws(DocumentError) in try NodeValue(value) })
    case .dictionary(let entries):
      var result = NodeDictionary()
      for entry in entries {
        result.set(entry.key, to: try NodeValue(entry.value), at: entry.location)
      }
      return .dictionary(result)
    }
  }

  /// A whole number if it is written as one and fits.
  private static func number(
    _ text: String, at location: SourceLocation
  ) throws(DocumentError) -> Content {
    if let whole = Int(text) { return .integer(whole) }
    if let real = Double(text), real.isFinite { return .real(real) }
    throw DocumentError(message: "\"\(text)\" is not a JSON number", location: location)
  }
}
