internal import OxbowDocuments

/// Texts of preferences that a store keeps as something else.
enum PreferenceText {
  /// The value of a text in JSON as a property list has it; nil where it has no such values, which
  /// `UserDefaults` does not take.
  ///
  /// - Throws: Where the text is not JSON.
  static func propertyList(of text: String) throws -> Any? {
    propertyList(of: try value(of: text))
  }

  private static func propertyList(of value: JSONValue) -> Any? {
    switch value.content {
    case .boolean(let truth): return truth
    case .scalar(let number):
      let digits = number.digits
      return Int(digits) ?? (UInt(digits) == nil ? exactDouble(digits) : nil)
    case .text(let text): return text
    case .array(let values):
      let objects = values.compactMap(propertyList)
      return objects.count == values.count ? objects : nil
    case .dictionary(let entries):
      var objects: [String: Any] = [:]
      for entry in entries { objects[entry.key] = propertyList(of: entry.value) }
      return objects.count == entries.count ? objects : nil
    case .null: return nil
    }
  }

  /// The number of the same digits; nil for one that has more than it keeps.
  private static func exactDouble(_ text: String) -> Double? {
    guard let number = Double(text), significant("\(number)") == significant(text) else {
      return nil
    }
    return number
  }

  /// The digits of a number that say how exact it is.
  private static func significant(_ number: String) -> String {
    let digits = number.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
    return String(digits.reversed().drop { $0 == "0" }.reversed())
  }

  /// What a store has written it can read again, however large; a value may be as deep as it fits
  /// into a file of values.
  static let limits = unlimited(toDepth: DocumentLimits.deepest - 1)
  static let limitsOfFile = unlimited(toDepth: DocumentLimits.deepest)

  private static func unlimited(toDepth depth: Int) -> DocumentLimits {
    DocumentLimits(maximumBytes: .max, maximumDepth: depth, maximumElements: .max)
  }

  static func value(of text: String) throws(DocumentError) -> JSONValue {
    try JSONReader.parse(Array(text.utf8), file: "JSON", limits: limits)
  }

  static func text(of value: JSONValue) -> String {
    var json = JSONWriter()
    json.value(value)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
