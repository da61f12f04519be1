internal import OxbowContainer
public import OxbowDocuments

extension AssemblyDocument {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a file that cannot be
  ///   opened or is not well-formed.
  public init(contentsOf path: String, limits: DocumentLimits = .default) throws {
    do {
      let bytes = try DocumentFile.bytes(of: path, limits: limits)
      try self.init(XMLDocument.parse(anyKind: bytes, file: path, limits: limits), in: path)
    } catch {
      throw ContainerError(.unreadable(path, error), task: "load the wiring")
    }
  }

  /// Reads a document in UTF-8; places have the name of the file.
  ///
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a document that is not
  ///   well-formed.
  public init(_ bytes: [UInt8], file: String, limits: DocumentLimits = .default) throws {
    do {
      try self.init(XMLDocument.parse(anyKind: bytes, file: file, limits: limits), in: file)
    } catch {
      throw ContainerError(.unreadable(file, error), task: "load the wiring")
    }
  }

  /// Reads a document in the dialect that its root element selects.
  private init(_ root: XMLElement, in file: String) throws(DocumentError) {
    guard let kind = Self.dialects.first(where: { $0.reads(root) }) else {
      self.init(file: file, dialect: "unknown")
      problems = [.wrongRoot(root, known: Self.dialects.flatMap { $0.roots })]
      return
    }
    var dialect: any Dialect = kind.init(file: file)
    try dialect.read(root)
    self = dialect.document
    placeholderFiles = placeholderFiles.map { $0.beside(file) }
    problems = dialect.report.problems
    notes = dialect.report.notes
  }

  /// All kinds of wiring files.
  private static let dialects: [any Dialect.Type] = [
    OxenDialect.self, EntityDialect.self, TyphoonDialect.self, PropertyListDialect.self,
  ]
}
