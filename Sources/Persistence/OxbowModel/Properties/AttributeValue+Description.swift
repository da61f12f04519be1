internal import OxbowFoundation

extension AttributeValue: CustomStringConvertible {
  /// The value for messages: text in quotes, dates in ISO form, bytes by their number.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let truth): truth ? "true" : "false"
    case .string(let text): "\"\(text)\""
    case .date(let date): date.plainDescription
    case .data(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): "<\(url.absoluteString)>"
    case .decimal(let number): "\(number)"
    }
  }
}

extension Date {
  /// ISO form, or the number of seconds where that has no year of four digits.
  fileprivate var plainDescription: String {
    let seconds = timeIntervalSinceReferenceDate
    // The years 1 to 9999.
    return (-63_113_904_000..<252_423_993_600).contains(seconds)
      ? formatted(.iso8601) : "the date \(seconds) seconds after 2001-01-01"
  }
}
