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
  public internal(set) var summary: String?

  /// The definitions, in document order.
  public internal(set) var definitions: [ObjectDefinition] = []

  /// Other names of objects, in document order.
  public internal(set) var aliases: [ObjectAlias] = []

  /// The aspects, in document order; they are kept, and not applied.
  public internal(set) var aspects: [AspectDefinition] = []

  /// The files of placeholders that the document names, in the order in which later ones win.
  public internal(set) var placeholderFiles: [PlaceholderFile] = []

  /// What is wrong with the markup.
  public internal(set) var problems: [ContainerError.Problem] = []

  /// What is worth knowing.
  public internal(set) var notes: [ContainerError.Note] = []

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

  /// Reads bytes in UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - file: The name that places carry.
  ///   - limits: What it may cost.
  /// - Throws: ``ContainerError`` with the code `unreadableDocument` for a document that is not
  ///   well-formed.
  public init(_ bytes: [UInt8], file: String, limits: DocumentLimits = .default) throws {
    do {
      try self.init(XMLDocument.parse(anyKind: bytes, file: file, limits: limits), in: file)
    } catch {
      throw ContainerError(.unreadable(file, error), task: "load the wiring")
    }
  }

  init(file: String, dialect: String) {
    self.file = file
    self.dialect = dialect
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

/// A file of placeholders that a wiring file names.
public struct PlaceholderFile: Sendable, Hashable {
  /// The file's path; a relative one counts from the folder of the wiring file.
  public let path: String
  /// Where it is named.
  public let location: SourceLocation?

  /// The file beside a wiring file.
  func beside(_ file: String) -> PlaceholderFile {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return self }
    return PlaceholderFile(path: String(file[...slash]) + path, location: location)
  }
}
