internal import OxbowDocuments
internal import OxbowFoundation

extension ValueConverters {
  mutating func registerFoundation() {
    register(Decimal.self, expected: "a decimal number with a point as separator") {
      ScalarText.decimal($0, digits: mostDigits)
    }
    register(UUID.self, expected: "a UUID") { UUID(uuidString: $0) }
    register(Data.self, expected: "bytes in Base64") { ScalarText.bytes($0) }
    register(URL.self, expected: "a URL, or the path of a file") { url($0) }
    register(Date.self, expected: "a date as in ISO 8601: 2024-05-01T12:00:00Z") { date($0) }
  }
}

/// How many digits a `Decimal` keeps, whatever they are.
private let mostDigits = 38

private func url(_ text: String) -> URL? {
  guard !text.isEmpty else { return nil }
  if let scheme = text.firstIndex(of: ":"), isScheme(text[..<scheme]) { return URL(string: text) }
  return URL(filePath: text)
}

private func isScheme(_ text: Substring) -> Bool {
  guard let first = text.first, first.isASCII, first.isLetter else { return false }
  return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
}

private func date(_ text: String) -> Date? {
  let styles: [Date.ISO8601FormatStyle] = [
    .iso8601,
    .iso8601.year().month().day().timeZone(separator: .omitted)
      .time(includingFractionalSeconds: true),
    .iso8601.year().month().day(),
  ]
  return isInCalendar(text) ? styles.lazy.compactMap { whole(text, $0) }.first : nil
}

/// Whether the day and the time of day that a text spells exist: Foundation counts on from the 30th
/// of February.
///
/// A minute may have a sixty-first second, a leap second.
private func isInCalendar(_ text: String) -> Bool {
  let fields = text.split { !$0.isNumber }.prefix(6).map { Int($0) ?? .max }
  guard fields.count >= 3 else { return false }
  let limits = [23, 59, 60]
  return (1...12).contains(fields[1])
    && (1...ScalarText.days(in: fields[1], of: fields[0])).contains(fields[2])
    && (fields.count < 6 || zip(fields[3...], limits).allSatisfy { $0 <= $1 })
}

/// Foundation reads the date at the front of a text and ignores the rest; this reads all or
/// nothing.
private func whole(_ text: String, _ style: Date.ISO8601FormatStyle) -> Date? {
  let range = text.startIndex..<text.endIndex
  guard let (end, date) = try? style.consuming(text, startingAt: range.lowerBound, in: range)
  else { return nil }
  return end == range.upperBound ? date : nil
}

extension ValueConverters {
  mutating func registerNumbers() {
    register(String.self, expected: "text") { $0 }
    register(Character.self, expected: "one character") { $0.count == 1 ? $0.first : nil }
    register(Bool.self, expected: "true, false, yes, no, 1 or 0") { ScalarText.truth($0) }
    registerInteger(Int.self)
    registerInteger(Int8.self)
    registerInteger(Int16.self)
    registerInteger(Int32.self)
    registerInteger(Int64.self)
    registerInteger(UInt.self)
    registerInteger(UInt8.self)
    registerInteger(UInt16.self)
    registerInteger(UInt32.self)
    registerInteger(UInt64.self)
    registerFloat(Float.self)
    registerFloat(Double.self)
  }

  private mutating func registerInteger<I: FixedWidthInteger & Sendable>(_ type: I.Type) {
    register(type, expected: "a whole number from \(I.min) to \(I.max)") { I($0) }
  }

  /// A number too large for the type is refused.
  private mutating func registerFloat<
    F: BinaryFloatingPoint & LosslessStringConvertible & Sendable
  >(
    _ type: F.Type
  ) {
    register(type, expected: "a number with a point as decimal separator") {
      ScalarText.number($0)
    }
  }
}

// MARK: - JSON

func decodedJSON<Value: Decodable>(_ text: String) throws -> Value {
  try JSONDecoder().decode(Value.self, from: Data(text.utf8))
}

/// What a decoder found, in one line.
func oneLine(_ error: DecodingError) -> String {
  switch error {
  case .keyNotFound(let key, let context):
    "\"\(path(context.codingPath + [key]))\" is missing"
  case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
    "\"\(path(context.codingPath))\" is not \(withArticle("\(type)"))"
  case .dataCorrupted(let context): context.debugDescription
  @unknown default: "it cannot be decoded"
  }
}

private func path(_ keys: [any CodingKey]) -> String {
  keys.map(\.stringValue).joined(separator: ".")
}
