public import OxbowDocuments

/// Something in a model document that is valid and that Oxbow does not use.
public struct ModelNote: Hashable, Sendable, CustomStringConvertible {
  /// What stands there and what becomes of it.
  public let message: String

  /// Where it stands.
  public let location: SourceLocation

  /// Creates a note.
  public init(message: String, location: SourceLocation) {
    self.message = message
    self.location = location
  }

  /// The place and the message: `file:line:column: note: message`.
  public var description: String { "\(location): note: \(message)" }
}
