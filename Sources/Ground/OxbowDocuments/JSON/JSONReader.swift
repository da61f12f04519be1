/// Reads JSON (RFC 8259) into values with their locations.
package struct JSONReader {
  private let bytes: [UInt8]
  private let file: String
  private let limits: DocumentLimits
  private var index = 0
  private var line = 1
  private var lineStart = 0
  private var depth = 0
  private var count = 0

  private init(_ bytes: [UInt8], from start: SourceLocation, limits: DocumentLimits) {
    self.bytes = bytes
    file = start.file
    line = start.line
    lineStart = 1 - start.column
    self.limits = limits
  }

  /// Reads a document.
  package static func parse(
    _ bytes: [UInt8], file: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> JSONValue {
    // A byte order mark is not part of the text.
    let content = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    guard content.count <= limits.maximumBytes else {
      throw DocumentError(
        message: "the text is larger than \(limits.maximumBytes) bytes, the limit for a document",
        location: nil)
    }
    return try parse(content, from: SourceLocation(file: file, line: 1, column: 1), limits: limits)
  }

  /// Reads a value of a document from a position on.
  static func parse(
    _ bytes: [UInt8], from start: SourceLocation, limits: DocumentLimits
  ) throws(DocumentError) -> JSONValue {
    var reader = JSONReader(bytes, from: start, limits: limits)
    reader.skipBlanks()
    let value = try reader.value()
    reader.skipBlanks()
    guard reader.index == bytes.count else {
      throw reader.error("there is \(reader.seen) after the end of the JSON")
    }
    return value
  }

  // MARK: - Values

  private mutating func value() throws(DocumentError) -> JSONValue {
    count += 1
    guard count <= limits.maximumElements else {
      throw error("the JSON has more than \(limits.maximumElements) values")
    }
    let start = location
    return JSONValue(try content(), at: start)
  }

  private mutating func content() throws(DocumentError) -> JSONValue.Content {
    switch byte {
    case UInt8(ascii: "{"):
      return .dictionary(try nested { (r) throws(DocumentError) in try r.object() })
    case UInt8(ascii: "["): return .array(try nested { (r) throws(DocumentError) in try r.array() })
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw error("a JSON value is expected, not \(seen)")
    }
  }

  private mutating func nested<R>(
    _ body: (inout JSONReader) throws(DocumentError) -> R
  ) throws(DocumentError) -> R {
    depth += 1
    guard depth <= limits.maximumDepth else {
      throw error("values are nested more than \(limits.maximumDepth) deep")
    }
    index += 1
    skipBlanks()
    let result = try body(&self)
    depth -= 1
    return result
  }

  private mutating func array() throws(DocumentError) -> [JSONValue] {
    var values: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return values }
    while true {
      values.append(try value())
      skipBlanks()
      if take(UInt8(ascii: "]")) { return values }
      try separator("]")
    }
  }

  private mutating func object() throws(DocumentError) -> [JSONValue.Entry] {
    var entries: [JSONValue.Entry] = []
    var keys: Set<String> = []
    if take(UInt8(ascii: "}")) { return entries }
    while true {
      let place = location
      guard byte == UInt8(ascii: "\"") else {
        throw error("a key in quotes is expected, not \(seen)")
      }
      let key = try string()
      guard keys.insert(key).inserted else {
        throw DocumentError(message: "key \"\(key)\" is given twice", location: place)
      }
      skipBlanks()
      guard take(UInt8(ascii: ":")) else {
        throw error("\":\" is expected after key \"\(key)\", not \(seen)")
      }
      skipBlanks()
      entries.append(.init(key: key, location: place, value: try value()))
      skipBlanks()
      if take(UInt8(ascii: "}")) { return entries }
      try separator("}")
    }
  }

  private mutating func separator(_ end: String) throws(DocumentError) {
    guard take(UInt8(ascii: ",")) else {
      throw error("\",\" or \"\(end)\" is expected, not \(seen)")
    }
    skipBlanks()
  }

  private mutating func word(
    _ word: String, _ content: JSONValue.Content
  ) throws(DocumentError) -> JSONValue.Content {
    guard bytes[index...].starts(with: word.utf8) else {
      throw error("a JSON value is expected, not \(seen)")
    }
    index += word.utf8.count
    return content
  }

  private mutating func number() throws(DocumentError) -> JSONValue.Content {
    let start = index
    let place = location
    while let byte, Self.numeric.contains(byte) { index += 1 }
    let text = bytes[start..<index]
    guard Self.isNumber(text) else {
      throw DocumentError(
        message: "\"\(String(decoding: text, as: UTF8.self))\" is not a JSON number",
        location: place)
    }
    return .scalar(JSONNumber(digits: String(decoding: text, as: UTF8.self)))
  }

  /// Whether bytes are a number: a whole part without leading zeros, a fraction, an exponent.
  private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    func digits() -> ArraySlice<UInt8> { rest.prefix { Self.digits.contains($0) } }
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = digits()
    guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
    rest = rest.dropFirst(whole.count)
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard !digits().isEmpty else { return false }
      rest = rest.dropFirst(digits().count)
    }
    if let byte = rest.first, "eE".utf8.contains(byte) {
      rest.removeFirst()
      if let sign = rest.first, "+-".utf8.contains(sign) { rest.removeFirst() }
      guard !digits().isEmpty else { return false }
      rest = rest.dropFirst(digits().count)
    }
    return rest.isEmpty
  }

  private static let digits = Set("0123456789".utf8)
  private static let numeric = Set("+-.eE0123456789".utf8)
}

extension JSONReader {
  // MARK: - Texts

  private mutating func string() throws(DocumentError) -> String {
    let start = location
    index += 1
    var text: [UInt8] = []
    while let byte {
      index += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw DocumentError(message: "the text is not UTF-8", location: start)
        }
        return string
      case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
      case 0..<0x20:
        index -= 1
        throw error("a JSON text cannot have line breaks or control characters; write \\n")
      default: text.append(byte)
      }
    }
    throw DocumentError(message: "the text has no closing quote", location: start)
  }

  private mutating func escaped() throws(DocumentError) -> Unicode.Scalar {
    let escape = byte
    index += 1
    switch escape {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar()
    default:
      index -= 1
      throw error("\\ is followed by \(seen), which is not an escape of JSON")
    }
  }

  private mutating func scalar() throws(DocumentError) -> Unicode.Scalar {
    let high = try unit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    if UTF16.isLeadSurrogate(UInt16(high)),
      bytes[min(index, bytes.count)...].starts(with: "\\u".utf8)
    {
      index += 2
      let low = try unit()
      if (0xDC00...0xDFFF).contains(low),
        let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
      {
        return scalar
      }
    }
    throw error("\\u is only half of a character")
  }

  private mutating func unit() throws(DocumentError) -> UInt32 {
    guard index + 4 <= bytes.count,
      bytes[index..<index + 4].allSatisfy({ Self.hexadecimal.contains($0) }),
      let unit = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    else { throw error("\\u is not followed by four hexadecimal digits") }
    index += 4
    return unit
  }

  private static let hexadecimal = Set("0123456789abcdefABCDEF".utf8)

  // MARK: - Places

  private var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

  private var location: SourceLocation {
    SourceLocation(file: file, line: line, column: index - lineStart + 1)
  }

  private var seen: String {
    guard let byte else { return "the end of the text" }
    guard byte < 0x80 else { return "a character outside ASCII" }
    return "\"\(Character(Unicode.Scalar(byte)))\""
  }

  private func error(_ message: String) -> DocumentError {
    DocumentError(message: message, location: location)
  }

  private mutating func take(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    index += 1
    return true
  }

  private mutating func skipBlanks() {
    while let byte {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
      case UInt8(ascii: "\n"):
        index += 1
        line += 1
        lineStart = index
      default: return
      }
    }
  }
}
