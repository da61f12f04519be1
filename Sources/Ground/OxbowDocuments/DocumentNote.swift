/// Something worth knowing about a document that keeps nothing from being made of it.
public struct DocumentNote: Hashable, Sendable, CustomStringConvertible {
  /// The text of the note.
  public let text: String
  /// Where it was seen.
  public let location: SourceLocation?

  /// Creates a note.
  public init(_ text: String, at location: SourceLocation? = nil) {
    self.text = text
    self.location = location
  }

  /// The note, after its location.
  public var description: String { location.map { "\($0): note: \(text)" } ?? "note: \(text)" }
}
