#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension AttributeValue: CustomStringConvertible {
  /// The value for messages: text in quotes, dates in ISO form, bytes by their number.
  public var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .boolean(let truth): truth ? "true" : "false"
    case .string(let text): "\"\(text)\""
    case .date(let date): date.formatted(.iso8601)
    case .data(let data): "\(data.count) bytes"
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): "<\(url.absoluteString)>"
    case .decimal(let number): "\(number)"
    }
  }
}
