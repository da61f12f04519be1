package import OxbowDocuments

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
