internal import OxbowDocuments

extension NodeValue {
  /// The value of an element of a property list.
  init(_ value: PropertyListValue) throws(DocumentError) {
    self.init(try Self.content(of: value), at: value.location)
  }

  private static func content(of value: PropertyListValue) throws(DocumentError) -> Content {
    switch value.content {
    case .dictionary(let entries): return .dictionary(try dictionary(of: entries))
    case .array(let values):
      var result: [NodeValue] = []
      for value in values { result.append(try NodeValue(value)) }
      return .array(result)
    case .string(let text): return .text(text)
    case .integer(let number):
      guard let whole = Int(exactly: number) else {
        throw DocumentError(
          message: "\(number) is larger than a whole number of a node can be",
          location: value.location)
      }
      return .integer(whole)
    case .real(let number): return .real(number)
    case .boolean(let flag): return .boolean(flag)
    case .date(let seconds): return .date(seconds)
    case .data(let bytes): return .data(bytes)
    }
  }

  private static func dictionary(
    of entries: [PropertyListEntry]
  ) throws(DocumentError) -> NodeDictionary {
    var result = NodeDictionary()
    for entry in entries {
      result.set(entry.key, to: try NodeValue(entry.value), at: entry.location)
    }
    return result
  }
}
