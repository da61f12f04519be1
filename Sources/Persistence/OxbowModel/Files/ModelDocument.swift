internal import OxbowCoreData
public import OxbowDocuments
internal import OxbowFoundation

/// One version of an Xcode model document.
///
/// The model is not checked as a whole, because it may refer to entities of other documents: merge
/// the documents first, then compile a ``CompiledModel``.
///
/// A document that is written after its model was changed says what the model says, and everything
/// else as it was read: elements and attributes that Oxbow does not know, the diagram, the order.
public struct ModelDocument: Sendable {
  /// The path of the `contents` file.
  public let path: String

  /// The version's name, without `.xcdatamodel`.
  public internal(set) var versionName: String

  /// The model.
  public var model: ManagedObjectModel

  /// What Oxbow does not use of the document, in its order.
  public let notes: [DocumentNote]

  /// Whether it was in an archive, so that no file has its text.
  package let isArchived: Bool

  /// What was read, for writing; `nil` for a document that is new.
  let source: Source?

  struct Source: Sendable {
    let root: XMLElement
    let model: ManagedObjectModel
  }

  /// What was read, if the document still says it.
  var declaration: ModelDeclaration? {
    guard let source, source.model == model else { return nil }
    return source.model.declaration
  }

  /// Creates a document of a model, to be written.
  public init(_ model: ManagedObjectModel, versionName: String) {
    path = "\(versionName).xcdatamodel/contents"
    self.versionName = versionName
    self.model = model
    notes = []
    isArchived = false
    source = nil
  }

  /// Reads an `.xcdatamodeld` folder (its current version), an `.xcdatamodel` folder or a
  /// `contents` file, or a model that Xcode compiled: a `.momd` folder or a `.mom` file.
  ///
  /// A compiled model, and one of Xcode before version 4, becomes the document that says the same;
  /// ``notes`` has what no document says.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`, with every problem of the document;
  ///   `unsupported` for the optimized form of compiled models (`.omo`).
  public init(
    contentsOf path: String, limits: DocumentLimits = .default
  ) throws(PersistenceError) {
    let version = try ModelVersions(of: path).current
    let file = try Self.contents(of: version.path)
    let bytes = try PersistenceError.ofModel { () throws(DocumentError) in
      try DocumentFile.bytes(of: file, limits: limits)
    }
    try self.init(bytes, file: file, versionName: version.name, limits: limits)
  }

  /// Reads the bytes of a `contents` file or of a compiled model; `file` is the name that locations
  /// have.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidModel`, with every problem of the document.
  public init(
    _ bytes: [UInt8], file: String, limits: DocumentLimits = .default
  ) throws(PersistenceError) {
    try self.init(
      bytes, file: file, versionName: ModelPath.versionName(of: file), limits: limits)
  }

  private init(
    _ bytes: [UInt8], file: String, versionName: String, limits: DocumentLimits
  ) throws(PersistenceError) {
    if ModelArchive.isArchive(bytes) {
      let archive = try PersistenceError.ofModel { () throws(DocumentError) in
        try ModelArchive(bytes, file: file)
      }
      try self.init(archive, file: file, versionName: versionName)
      return
    }
    let root = try PersistenceError.ofModel { () throws(DocumentError) in
      try XMLDocument.parse(bytes, file: file, limits: limits)
    }
    try self.init(root: root, file: file, versionName: versionName)
  }

  init(
    root: XMLElement, file: String, versionName: String, archiveNotes: [DocumentNote]? = nil
  ) throws(PersistenceError) {
    let isArchived = archiveNotes != nil
    var parser = ModelParser(isArchived: isArchived)
    var model = parser.model(root)
    model.declaration = ModelDeclaration(root)
    guard parser.problems.isEmpty else {
      throw .collecting(
        .invalidModel, "the model document '\(file)' has \(parser.problems.count) problems",
        parser.problems)
    }
    self.path = file
    self.versionName = versionName
    self.model = isArchived ? model.withoutLocations : model
    // No file has the lines of the document.
    self.notes =
      archiveNotes.map { $0 + parser.notes.map { DocumentNote($0.text) } } ?? parser.notes
    self.isArchived = isArchived
    self.source = Source(root: root, model: model)
  }

  private static func refuseStore(_ path: String) throws(PersistenceError) {
    guard DocumentFile.beginning(of: path, count: 16) == Array("SQLite format 3\0".utf8) else {
      return
    }
    throw PersistenceError(
      .invalidModel,
      "'\(path)' is a store, and a model document was asked for; 'oxbowctl model export' writes the "
        + "model of a store as a document")
  }

  /// The path of the file of a version, or a refusal that says what was found instead.
  private static func contents(of path: String) throws(PersistenceError) -> String {
    if path.hasSuffix(".omo") {
      throw PersistenceError(
        .unsupported,
        "'\(path)' is the optimized form of a compiled model; give the .mom beside it")
    }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw PersistenceError(.invalidModel, "the model '\(path)' does not exist")
    }
    guard isFolder else {
      try refuseStore(path)
      return path
    }
    for name in ["contents", "elements"]
    where FileManager.default.fileExists(atPath: "\(path)/\(name)") {
      return "\(path)/\(name)"
    }
    throw PersistenceError(.invalidModel, "the model '\(path)' has no file 'contents'")
  }
}
