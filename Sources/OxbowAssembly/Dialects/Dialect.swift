internal import OxbowContainer
public import OxbowDocuments

/// One kind of wiring file; a further kind is one more name in `Dialects.all`.
package protocol Dialect: SendableMetatype {
  /// What the kind is called.
  static var name: String { get }
  /// The root elements that begin such a document, for messages.
  static var roots: [String] { get }
  /// Whether a document with this root element is of this kind.
  static func reads(_ root: XMLElement) -> Bool
  /// What a document of this kind says.
  ///
  /// - Throws: `DocumentError` for what cannot be read any further.
  static func content(of root: XMLElement) throws(DocumentError) -> DocumentContent
}

/// What a wiring file says, whatever its dialect.
package struct DocumentContent {
  /// The name of the dialect.
  let dialect: String
  /// What the file says about itself.
  var summary: String?
  var definitions: [ObjectDefinition] = []
  /// Other names of objects.
  var aliases: [ObjectAlias] = []
  var aspects: [AspectDefinition] = []
  /// The files of placeholders, as the document names them.
  var placeholderFiles: [PlaceholderFile] = []
  var report = MarkupReport()

  init(dialect: String) { self.dialect = dialect }
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
