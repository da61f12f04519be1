/// The error of a document that cannot be read: what is wrong with it, and where.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, without the location.
  public let message: String

  /// The location of the problem, or `nil` if the file as a whole cannot be read.
  public let location: SourceLocation?

  /// Creates an error.
  public init(message: String, location: SourceLocation?) {
    self.message = message
    self.location = location
  }

  /// The location and the message as compilers write them: `file:line:column: message`.
  public var description: String {
    guard let location else { return message }
    return "\(location): \(message)"
  }
}
