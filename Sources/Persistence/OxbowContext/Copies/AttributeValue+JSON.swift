package import OxbowDocuments
package import OxbowFoundation
package import OxbowModel

// Values of attributes in JSON. Each is read as exactly what was written.

extension JSONWriter {
  package mutating func value(_ value: AttributeValue?) {
    switch value {
    case nil: literal("null")
    case .integer(let number): literal("\(number)")
    case .boolean(let truth): literal(truth ? "true" : "false")
    // Swift writes the shortest digits that are read as the same number.
    case .double(let number):
      if number.isFinite { literal("\(number)") } else { text("\(number)") }
    case .string(let string): text(string)
    // Most programs read JSON numbers as floating-point numbers.
    case .decimal(let number): text(number.description)
    case .date(let date): self.date(date)
    case .data(let data): text(data.base64EncodedString())
    case .uuid(let uuid): text(uuid.uuidString)
    case .url(let url): text(url.absoluteString)
    }
  }

  private mutating func date(_ date: Date) {
    if let moment = date.exactText {
      text(moment)
    } else {
      value(.double(date.timeIntervalSinceReferenceDate))
    }
  }
}

extension AttributeType {
  /// A value of the type, or `nil` if the JSON does not fit; `.some(nil)` for null.
  func value(_ json: JSONValue) -> AttributeValue?? {
    switch (self, json.content) {
    case (_, .null): .some(nil)
    case (.integer16, .scalar(let number)), (.integer32, .scalar(let number)),
      (.integer64, .scalar(let number)):
      Int64(number.digits).map(AttributeValue.integer).flatMap { $0.fits(self) ? $0 : nil }
    case (.double, .scalar(let number)), (.float, .scalar(let number)):
      Double(number.digits).flatMap { $0.isFinite ? .some(.double($0).rounded(for: self)) : nil }
    case (.double, .text(let text)), (.float, .text(let text)):
      ["inf": .double(.infinity), "-inf": .double(-.infinity)][text]
    case (.boolean, .boolean(let truth)): .boolean(truth)
    case (.string, .text(let text)): .string(text)
    case (.decimal, .text(let text)): AttributeValue.decimal(exactly: text)
    case (.decimal, .scalar(let number)): AttributeValue.decimal(exactly: number.digits)
    case (.date, .text(let text)): Date(exactText: text).map { .date($0) }
    case (.date, .scalar(let number)):
      Double(number.digits).flatMap {
        $0.isFinite ? .some(.date(Date(timeIntervalSinceReferenceDate: $0))) : nil
      }
    case (.binaryData, .text(let text)), (.transformable, .text(let text)):
      ScalarText.bytes(text).map { .data($0) }
    case (.uuid, .text(let text)): UUID(uuidString: text).map { .uuid($0) }
    case (.uri, .text(let text)): URL(string: text).map { .url($0) }
    default: nil
    }
  }

  /// The JSON of the type, for messages.
  var expectedJSON: String {
    switch self {
    case .integer16: "a whole number from -32768 to 32767"
    case .integer32: "a whole number from -2147483648 to 2147483647"
    case .integer64: "a whole number of 64 bits"
    case .double, .float: "a number, \"inf\" or \"-inf\""
    case .boolean: "true or false"
    case .string: "a text"
    case .decimal: "a decimal number of up to 38 digits, in quotes or not"
    case .date: "a moment as in \"2001-01-01T00:00:00Z\", or the seconds since then"
    case .binaryData, .transformable: "bytes in base64"
    case .uuid: "a UUID"
    case .uri: "a URI"
    case .undefined, .composite, .objectID: "nothing: the attribute has no value of its own"
    }
  }
}

extension AttributeValue {
  /// The decimal number of digits with sign, point and exponent, or `nil` if it cannot have them
  /// all.
  fileprivate static func decimal(exactly text: String) -> AttributeValue? {
    var digits = DecimalSum()
    digits.add(text.utf8)
    guard !digits.hasFailed, let number = Decimal(string: text) else { return nil }
    return .decimal(number)
  }
}

extension Date {
  /// The moment in ISO form, with as many digits after the seconds as it has, or `nil` if that
  /// would be read as another moment, and outside the years 1 to 9999.
  package var exactText: String? {
    let seconds = timeIntervalSinceReferenceDate
    let whole = seconds.rounded(.down)
    guard var text = Date(timeIntervalSinceReferenceDate: whole).isoText else { return nil }
    if seconds != whole {
      let digits = "\(seconds - whole)"
      guard digits.hasPrefix("0."), !digits.contains("e"), text.hasSuffix("Z") else { return nil }
      text = text.dropLast() + digits.dropFirst() + "Z"
    }
    let isExact =
      Date(exactText: text)?.timeIntervalSinceReferenceDate.bitPattern == seconds.bitPattern
    return isExact ? text : nil
  }

  /// Reads ISO form, with or without a fraction of the seconds.
  fileprivate init?(exactText text: String) {
    var text = text
    var fraction = 0.0
    if let point = text.firstIndex(of: ".") {
      let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, let value = Double("0." + digits) else { return nil }
      fraction = value
      text.removeSubrange(point..<digits.endIndex)
    }
    guard let date = try? Date(text, strategy: .iso8601) else { return nil }
    self.init(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate + fraction)
  }
}
