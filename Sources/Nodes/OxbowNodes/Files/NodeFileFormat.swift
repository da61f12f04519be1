internal import OxbowDocuments

enum NodeFileFormat: String, CaseIterable {
  case plist
  case json
  case js

  init(of path: String, at location: SourceLocation?) throws(NodeError) {
    let name = path.split(separator: "/").last ?? ""
    let word = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    guard let format = NodeFileFormat(rawValue: word.lowercased()) else {
      let reason =
        word == "mof"
        ? "\"\(path)\" is a cache of SnowCat's; name the property list that it was made from"
        : "\"\(path)\" is not a node file; these end in .plist, .json or .js"
      throw NodeError(
        .unknownFormat, reason, at: location,
        nearNames: nearNames(to: word, among: Self.allCases.map(\.rawValue)))
    }
    self = format
  }

  func parse(_ bytes: [UInt8], file: String, limits: DocumentLimits) throws(DocumentError)
    -> NodeValue
  {
    guard self == .plist else {
      return try NodeValue(JSONReader.parse(bytes, file: file, limits: limits))
    }
    return try NodeValue(
      PropertyListDocument.parse(anyForm: bytes, file: file, limits: limits))
  }
}
