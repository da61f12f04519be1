internal import OxbowFoundation
internal import OxbowModel

extension AttributeType {
  /// The Swift type of the values, or `nil` where no class can declare it.
  var swiftType: String? {
    switch self {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Bool"
    case .date: "Date"
    case .binaryData: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .transformable: "TransformedData"
    case .undefined, .composite, .objectID: nil
    }
  }

  var isOfFoundation: Bool {
    switch self {
    case .decimal, .date, .binaryData, .uuid, .uri: true
    default: false
    }
  }
}

extension AttributeValue {
  var swiftLiteral: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let truth): "\(truth)"
    case .string(let text): text.swiftLiteral
    case .date(let date):
      "Date(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
    case .data(let data): "Data([\(data.map { "\($0)" }.joined(separator: ", "))])"
    case .uuid(let uuid): "UUID(uuidString: \(uuid.uuidString.swiftLiteral))!"
    case .url(let url): "URL(string: \(url.absoluteString.swiftLiteral))!"
    case .decimal(let number): number.swiftLiteral
    }
  }

  /// The value as the case of a rule: `.integer(1)`.
  var swiftCase: String {
    switch self {
    case .integer: ".integer(\(swiftLiteral))"
    case .double: ".double(\(swiftLiteral))"
    case .boolean: ".boolean(\(swiftLiteral))"
    case .string: ".string(\(swiftLiteral))"
    case .date: ".date(\(swiftLiteral))"
    case .data: ".data(\(swiftLiteral))"
    case .uuid: ".uuid(\(swiftLiteral))"
    case .url: ".url(\(swiftLiteral))"
    case .decimal: ".decimal(\(swiftLiteral))"
    }
  }
}

extension Decimal {
  /// A whole number as it is, another one from its text: a literal would go through `Double`.
  fileprivate var swiftLiteral: String {
    if let whole = Int("\(self)") { return "\(whole)" }
    return "Decimal(string: \"\(self)\")!"
  }
}

extension String {
  var swiftLiteral: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where [.control, .format].contains(scalar.properties.generalCategory):
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// A dictionary as a literal, in the order of its keys.
func swiftLiteral(_ pairs: [String: String]) -> String {
  let entries = pairs.sorted { $0.key < $1.key }.map {
    "\($0.key.swiftLiteral): \($0.value.swiftLiteral)"
  }
  return "[\(entries.joined(separator: ", "))]"
}

func swiftLiteral(_ names: [String]) -> String {
  "[\(names.map(\.swiftLiteral).joined(separator: ", "))]"
}
