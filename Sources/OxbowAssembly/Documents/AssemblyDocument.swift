public import OxbowContainer
public import OxbowDocuments

/// A wiring file that was read: its definitions, and everything that is wrong with its markup.
///
/// Reading never stops at the first mistake; a definition that is faulty in one attribute still counts
/// as defined, so that a reference to it is no second problem. Classes are not looked up here.
///
/// ```swift
/// let document = try AssemblyDocument(contentsOf: "context.xml")
/// for problem in AssemblyDocument.structuralProblems(in: [document]) { print(problem) }
/// ```
public struct AssemblyDocument: Sendable {
  /// The document's path or name.
  public let file: String

  /// The definitions, in document order.
  public let definitions: [ObjectDefinition]

  /// What is wrong with the markup.
  public let problems: [ContainerError.Problem]

  /// What is worth knowing.
  public let notes: [ContainerError.Note]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a file that cannot be opened or
  ///   is not well-formed.
  public init(contentsOf path: String, limits: DocumentLimits = .default) throws {
    self.init(
      try Self.root(path) { () throws(DocumentError) in
        try XMLDocument.parse(contentsOf: path, limits: limits)
      }, file: path)
  }

  /// Reads bytes in UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: The name that places carry.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a document that is not
  ///   well-formed.
  public init(_ bytes: [UInt8], file: String, limits: DocumentLimits = .default) throws {
    self.init(
      try Self.root(file) { () throws(DocumentError) in
        try XMLDocument.parse(bytes, file: file, limits: limits)
      }, file: file)
  }

  private init(_ root: XMLElement, file: String) {
    var dialect = OxenDialect()
    dialect.read(root)
    self.file = file
    definitions = dialect.definitions
    problems = dialect.problems
    notes = dialect.notes
  }

  private static func root(
    _ file: String, _ parse: () throws(DocumentError) -> XMLElement
  ) throws -> XMLElement {
    do {
      return try parse()
    } catch {
      throw ContainerError(.unreadable(file, error), task: "load the wiring")
    }
  }
}
