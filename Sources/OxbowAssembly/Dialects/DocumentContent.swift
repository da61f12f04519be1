internal import OxbowContainer
public import OxbowDocuments

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
