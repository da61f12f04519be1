public import OxbowContainer
public import OxbowDocuments

/// A wiring file that was read: its definitions, and everything that is wrong with its markup.
///
/// Four kinds of files are read, and the content of a file tells its kind: the XML of the Oxen
/// container and of IVEngine (root `container`), that of Typhoon 1.8.2 (root `assembly`), and XML
/// property lists. All of them become the same definitions, and files of different kinds can make
/// one container.
///
/// Reading never stops at the first mistake; a definition that is faulty in one attribute still
/// counts as defined, so that a reference to it is no second problem. Classes are not looked up
/// here.
///
/// ```swift
/// let document = try AssemblyDocument(contentsOf: "context.xml")
/// for problem in AssemblyDocument.structuralProblems(in: [document]) { print(problem) }
/// ```
public struct AssemblyDocument: Sendable {
  /// The document's path or name.
  public let file: String

  /// The kind of document, for people: `Oxen XML`, `IVEngine XML`, `Typhoon XML` or `property
  /// list`.
  public let dialect: String

  /// What the document says about itself.
  public let summary: String?

  /// The definitions, in document order.
  public let definitions: [ObjectDefinition]

  /// Other names of objects, in document order.
  public let aliases: [ObjectAlias]

  /// The aspects, in document order; they are kept, and not applied.
  public let aspects: [AspectDefinition]

  /// The files of placeholders that the document names, in the order in which later ones win.
  public let placeholderFiles: [PlaceholderFile]

  /// What is wrong with the markup.
  public let problems: [ContainerError.Problem]

  /// What is worth knowing.
  public let notes: [ContainerError.Note]

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a file that cannot be
  ///   opened or is not well-formed.
  public init(contentsOf path: String, limits: DocumentLimits = .default) throws {
    let content = try Self.content(of: path) { () throws(DocumentError) in
      let bytes = try DocumentFile.bytes(of: path, limits: limits)
      return try XMLDocument.parse(anyKind: bytes, file: path, limits: limits)
    }
    self.init(content, file: path)
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
    let content = try Self.content(of: file) { () throws(DocumentError) in
      try XMLDocument.parse(anyKind: bytes, file: file, limits: limits)
    }
    self.init(content, file: file)
  }

  private init(_ content: DocumentContent, file: String) {
    self.file = file
    dialect = content.dialect
    summary = content.summary
    definitions = content.definitions
    aliases = content.aliases
    aspects = content.aspects
    placeholderFiles = content.placeholderFiles.map { $0.beside(file) }
    problems = content.report.problems
    notes = content.report.notes
  }

  private static func content(
    of file: String, _ parse: () throws(DocumentError) -> XMLElement
  ) throws -> DocumentContent {
    do {
      return try Dialects.content(of: parse())
    } catch {
      throw ContainerError(.unreadable(file, error), task: "load the wiring")
    }
  }
}
