internal import OxbowContainer
internal import OxbowDocuments

/// One kind of wiring file; a further kind is one more name in `AssemblyDocument+Reading.swift`.
protocol Dialect: SendableMetatype {
  /// What the kind is called.
  static var name: String { get }
  /// The root elements that begin such a document, for messages.
  static var roots: [String] { get }
  /// Whether a document with this root element is of this kind.
  static func reads(_ root: XMLElement) -> Bool

  init(file: String)
  /// What the document says, as far as it is read.
  var document: AssemblyDocument { get }
  /// What is wrong with its markup, and worth knowing.
  var report: MarkupReport { get }
  /// Reads a document of this kind.
  ///
  /// - Throws: `DocumentError` for what cannot be read any further.
  mutating func read(_ root: XMLElement) throws(DocumentError)
}
