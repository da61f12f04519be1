package import OxbowFoundation

extension AttributeValue: CustomStringConvertible {
  /// The value for messages: text in quotes, dates in ISO form, bytes by their number.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let truth): truth ? "true" : "false"
    case .string(let text): "\"\(text)\""
    case .date(let date):
      date.isoText
        ?? "the date \(date.timeIntervalSinceReferenceDate) seconds after 2001-01-01"
    case .data(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): "<\(url.absoluteString)>"
    case .decimal(let number): "\(number)"
    }
  }
}

extension Date {
  /// The moment in ISO form, in whole seconds; `nil` outside of the years 1 to 9999.
  package var isoText: String? {
    (-63_113_904_000..<252_423_993_600).contains(timeIntervalSinceReferenceDate)
      ? formatted(.iso8601) : nil
  }
}
