extension XMLDocument {
  /// Returns the root element of a document that may be a property list and begin with the
  /// declaration of one.
  package static func parse(
    anyKind bytes: [UInt8], file: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> XMLElement {
    try PropertyListDocument.refuseBinary(bytes, file: file)
    return try parse(bytes, file: file, limits: limits, doctype: .propertyListIfRoot)
  }
}
