package enum PropertyListDocument {
  /// Returns the value of an XML property list.
  package static func parse(
    _ bytes: [UInt8], file: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> PropertyListValue {
    try refuseBinary(bytes, file: file)
    return try value(
      of: XMLDocument.parse(bytes, file: file, limits: limits, doctype: .propertyList))
  }

  /// Returns the value of a property list of either form.
  package static func parse(
    anyForm bytes: [UInt8], file: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> PropertyListValue {
    guard bytes.starts(with: "bplist".utf8) else {
      return try parse(bytes, file: file, limits: limits)
    }
    return try BinaryPropertyList.parse(bytes, file: file, limits: limits)
  }

  /// Returns the value of a property list that was read as XML.
  package static func value(of root: XMLElement) throws(DocumentError) -> PropertyListValue {
    guard root.name == "plist" else {
      throw DocumentError(
        message: "element \"\(root.name)\" is not a property list; \"plist\" is expected",
        location: root.location)
    }
    try PropertyListParser.refuseText(in: root)
    guard let value = root.children.first, root.children.count == 1 else {
      throw DocumentError(
        message: "a property list has one value, not \(root.children.count)",
        location: root.location)
    }
    return try PropertyListParser.value(value)
  }

  /// Binary property lists have no lines that a location could name.
  static func refuseBinary(_ bytes: [UInt8], file: String) throws(DocumentError) {
    guard bytes.starts(with: "bplist".utf8) else { return }
    throw DocumentError(
      message: "\"\(file)\" is a binary property list; convert it to XML"
        + " (plutil -convert xml1)",
      location: nil)
  }

  package static func parse(
    contentsOf path: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> PropertyListValue {
    try parse(DocumentFile.bytes(of: path, limits: limits), file: path, limits: limits)
  }
}

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
