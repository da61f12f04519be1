internal import OxbowContainer
internal import OxbowDocuments

/// All kinds of wiring files.
enum Dialects {
  static let all: [any Dialect.Type] = [
    OxenDialect.self, EntityDialect.self, TyphoonDialect.self, PropertyListDialect.self,
  ]

  /// What a document says, in the dialect that its root element selects.
  static func content(of root: XMLElement) throws(DocumentError) -> DocumentContent {
    guard let dialect = all.first(where: { $0.reads(root) }) else {
      var content = DocumentContent(dialect: "unknown")
      let roots = all.flatMap { $0.roots }
      content.report.report(.wrongRoot(root, known: roots))
      return content
    }
    return try dialect.content(of: root)
  }
}
