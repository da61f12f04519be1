package enum XMLDocument {
  /// Returns the root element of a document in UTF-8; `file` is the name in locations.
  package static func parse(
    _ bytes: [UInt8], file: String, limits: DocumentLimits = .default,
    doctype: XMLDoctype = .refused
  ) throws(DocumentError) -> XMLElement {
    try DocumentFile.check(bytes.count, of: file, limits)
    let tree = try bytes.withUnsafeBufferPointer { (buffer) throws(DocumentError) in
      var reader = XMLReader(XMLBytes(buffer), file: file, limits: limits, doctype: doctype)
      try reader.read()
      return reader.result(bytes)
    }
    return tree.root
  }
}

/// The treatment of a document type declaration.
package enum XMLDoctype: Sendable {
  /// It is an error.
  case refused

  /// That of XML property lists is skipped, and its address is never followed.
  case propertyList

  /// Like `propertyList` in a document whose root is `plist`, and an error in every other one.
  case propertyListIfRoot
}
