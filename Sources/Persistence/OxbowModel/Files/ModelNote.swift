public import OxbowDocuments

/// Something in a model document that is valid and that Oxbow does not use.
public struct ModelNote: Hashable, Sendable, CustomStringConvertible {
  /// What the document says and what becomes of it.
  public let message: String

  /// Where the document says it.
  public let location: SourceLocation

  /// Creates a note.
  public init(message: String, location: SourceLocation) {
    self.message = message
    self.location = location
  }

  /// The location and the message: `file:line:column: note: message`.
  public var description: String { "\(location): note: \(message)" }
}
