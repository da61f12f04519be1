/// A location in a document: where an element or an attribute starts.
public struct SourceLocation: Hashable, Sendable, CustomStringConvertible {
  /// The document's path or name, as it was given to the reader.
  public let file: String

  /// The line, counted from 1.
  public let line: Int

  /// The column in bytes of UTF-8, counted from 1.
  public let column: Int

  /// Creates a location.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// The location as compilers write it: `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}
