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
/// counts as defined, so that a reference to it is not a second problem. Classes are not looked up
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

  /// The aspects, in document order.
  public internal(set) var aspects: [AspectDefinition] = []

  /// The files of placeholders that the document names, in the order in which later ones win.
  public internal(set) var placeholderFiles: [PlaceholderFile] = []

  /// What is wrong with the markup.
  public internal(set) var problems: [ContainerError.Problem] = []

  /// What is worth knowing.
  public internal(set) var notes: [ContainerError.Note] = []

  init(file: String, dialect: String) {
    self.file = file
    self.dialect = dialect
  }
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
