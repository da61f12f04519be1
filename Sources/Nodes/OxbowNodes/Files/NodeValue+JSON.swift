internal import OxbowDocuments

extension NodeValue {
  /// Reads a JSON document.
  ///
  /// - Throws: `DocumentError` with the location of what is not JSON, or of a number that is too
  ///   large.
  init(
    json bytes: [UInt8], file: String, limits: DocumentLimits
  ) throws(DocumentError) {
    try self.init(JSONReader.parse(bytes, file: file, limits: limits))
  }

  private init(_ value: JSONValue) throws(DocumentError) {
    self.init(try Self.content(of: value), at: value.location)
  }

  private static func content(of value: JSONValue) throws(DocumentError) -> Content {
    switch value.content {
    case .null: return .null
    case .boolean(let truth): return .boolean(truth)
    case .number(let text): return try number(text, at: value.location)
    case .text(let text): return .text(text)
    case .array(let values):
      var result: [NodeValue] = []
      for value in values { result.append(try NodeValue(value)) }
      return .array(result)
    case .object(let members):
      var result = NodeDictionary()
      for member in members {
        result.set(member.key, to: try NodeValue(member.value), at: member.location)
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
