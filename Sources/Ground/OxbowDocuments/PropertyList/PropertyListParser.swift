enum PropertyListParser {
  private static let kinds = [
    "dict", "array", "string", "integer", "real", "true", "false", "date", "data",
  ]

  static func value(_ element: XMLElement) throws(DocumentError) -> PropertyListValue {
    if element.name != "dict", element.name != "array" { try refuseChildren(of: element) }
    return PropertyListValue(try content(element), at: element.location)
  }

  private static func refuseChildren(of element: XMLElement) throws(DocumentError) {
    guard let child = element.children.first else { return }
    throw DocumentError(
      message: "element \"\(child.name)\" is not allowed inside \"\(element.name)\"",
      location: child.location)
  }

  private static func content(
    _ element: XMLElement
  ) throws(DocumentError) -> PropertyListValue.Content {
    switch element.name {
    case "dict": return .dictionary(try entries(element))
    case "array": return .array(try values(element))
    case "string": return .text(element.text)
    case "integer":
      return try scalar(element, "a whole number", ScalarText.integer) { .integer($0) }
    case "real": return try scalar(element, "a number", ScalarText.number) { .real($0) }
    case "true", "false": return .boolean(element.name == "true")
    case "date":
      return try scalar(element, "a date like 2001-01-01T00:00:00Z", ScalarText.date) { .date($0) }
    case "data": return try scalar(element, "base64 text", ScalarText.data) { .data($0) }
    default: throw unknown(element)
    }
  }

  private static func scalar<Value>(
    _ element: XMLElement, _ what: String, _ convert: (String) -> Value?,
    _ make: (Value) -> PropertyListScalar
  ) throws(DocumentError) -> PropertyListValue.Content {
    let text = element.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let value = convert(text) else {
      throw DocumentError(message: "\"\(text)\" is not \(what)", location: element.location)
    }
    return .scalar(make(value))
  }

  private static func values(_ element: XMLElement) throws(DocumentError) -> [PropertyListValue] {
    try refuseText(in: element)
    return try element.children.map { (child) throws(DocumentError) in try value(child) }
  }

  private static func entries(_ element: XMLElement) throws(DocumentError) -> [PropertyListValue
    .Entry]
  {
    try refuseText(in: element)
    var result: [PropertyListValue.Entry] = []
    var keys: Set<String> = []
    var index = 0
    while index < element.children.count {
      let key = element.children[index]
      guard key.name == "key" else {
        throw DocumentError(
          message: "\"key\" is expected before \"\(key.name)\"", location: key.location)
      }
      try refuseChildren(of: key)
      guard keys.insert(key.text).inserted else {
        throw DocumentError(message: "key \"\(key.text)\" is given twice", location: key.location)
      }
      guard index + 1 < element.children.count else {
        throw DocumentError(message: "key \"\(key.text)\" has no value", location: key.location)
      }
      let value = try value(element.children[index + 1])
      result.append(.init(key: key.text, location: key.location, value: value))
      index += 2
    }
    return result
  }

  static func refuseText(in element: XMLElement) throws(DocumentError) {
    guard element.text.allSatisfy(\.isWhitespace) else {
      throw DocumentError(
        message: "there is text directly inside \"\(element.name)\"", location: element.location)
    }
  }

  private static func unknown(_ element: XMLElement) -> DocumentError {
    DocumentError(
      message: "element \"\(element.name)\" is not a value of a property list"
        + didYouMean(element.name, among: kinds),
      location: element.location)
  }
}
