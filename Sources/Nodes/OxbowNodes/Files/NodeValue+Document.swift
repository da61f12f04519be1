internal import OxbowDocuments

extension NodeValue {
  /// The value of JSON.
  ///
  /// - Throws: `DocumentError` for a number that is too large for a node.
  init(_ value: JSONValue) throws(DocumentError) {
    self = try Self.value(value) { (number, location) throws(DocumentError) in
      // A whole number if it is written as one and fits.
      if let whole = Int(number.digits) { return .integer(whole) }
      if let real = Double(number.digits), real.isFinite { return .real(real) }
      throw DocumentError(
        message: "\"\(number.digits)\" is not a JSON number", location: location)
    }
  }

  /// The value of a property list.
  ///
  /// - Throws: `DocumentError` for a number that is too large for a node.
  init(_ value: PropertyListValue) throws(DocumentError) {
    self = try Self.value(value) { (scalar, location) throws(DocumentError) in
      switch scalar {
      case .integer(let number):
        guard let whole = Int(exactly: number) else {
          throw DocumentError(
            message: "\(number) is larger than a whole number of a node can be",
            location: location)
        }
        return .integer(whole)
      case .real(let number): return .real(number)
      case .date(let seconds): return .date(978_307_200 + seconds)
      case .data(let bytes): return .data(bytes)
      case .reference:
        throw DocumentError(
          message: "a reference between the objects of an archive is not a value of a node",
          location: location)
      }
    }
  }

  private static func value<Scalar>(
    _ value: DocumentValue<Scalar>,
    _ scalar: (Scalar, SourceLocation) throws(DocumentError) -> Content
  ) throws(DocumentError) -> NodeValue {
    let content: Content
    switch value.content {
    case .null: content = .null
    case .boolean(let truth): content = .boolean(truth)
    case .text(let text): content = .text(text)
    case .scalar(let inner): content = try scalar(inner, value.location)
    case .array(let values):
      content = .array(
        try values.map { (value) throws(DocumentError) in try Self.value(value, scalar) })
    case .dictionary(let entries):
      var result = NodeDictionary()
      for entry in entries {
        result.set(entry.key, to: try Self.value(entry.value, scalar), at: entry.location)
      }
      content = .dictionary(result)
    }
    return NodeValue(content, at: value.location)
  }
}
