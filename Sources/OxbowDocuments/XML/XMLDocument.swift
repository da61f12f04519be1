/// Reading a whole document as a tree.
package enum XMLDocument {
  /// Returns the root element of a document in UTF-8; `file` is the name that places carry.
  ///
  /// - Throws: `DocumentError` at the first place that is not well-formed.
  package static func parse(
    _ bytes: [UInt8], file: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> XMLElement {
    var reader = try XMLReader(bytes, file: file, limits: limits)
    return try tree(&reader, file: file)
  }

  /// Returns the root element of a document in a file.
  package static func parse(
    contentsOf path: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> XMLElement {
    try parse(DocumentFile.bytes(of: path, limits: limits), file: path, limits: limits)
  }

  /// Returns the root element of a document that may be a property list, with the declaration that
  /// property lists begin with.
  package static func parse(
    anyKind bytes: [UInt8], file: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> XMLElement {
    try PropertyListDocument.refuseBinary(bytes, file: file)
    var reader = try XMLReader(bytes, file: file, limits: limits, doctype: .propertyListIfRoot)
    return try tree(&reader, file: file)
  }

  static func tree(_ reader: inout XMLReader, file: String) throws(DocumentError) -> XMLElement {
    var open: [XMLElement] = []
    var root: XMLElement?
    while let event = try reader.next() {
      switch consume event {
      case .start(let name, let attributes, let location):
        open.append(XMLElement(name: name, attributes: attributes, location: location))
      case .text(let text, _):
        if open[open.count - 1].text.isEmpty {
          open[open.count - 1].text = text
        } else {
          open[open.count - 1].text += text
        }
      case .end:
        let element = open.removeLast()
        if open.isEmpty {
          root = element
        } else {
          open[open.count - 1].children.append(consume element)
        }
      }
    }
    guard let root else {
      // The reader throws for a document without an element, so this is not reached.
      throw DocumentError(message: "\"\(file)\" has no element", location: nil)
    }
    return root
  }
}
