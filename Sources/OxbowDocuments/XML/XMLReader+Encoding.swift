/// The beginning of a document: byte order mark, declaration, and the check of its characters.
extension XMLReader {
  mutating func readBeginning() throws(DocumentError) {
    if at("\u{FEFF}") {
      offset = 3
      places.begin(at: 3)
    } else if let encoding = foreignEncoding {
      throw notUTF8("the document is in \(encoding)")
    }
    if at("<?xml"), Ascii.isSpace(byte(after: 5)) { try readXMLDeclaration() }
    if let defect = XMLCharacters.firstDefect(in: bytes, from: offset) {
      throw error(defect.message, at: defect.offset)
    }
  }

  /// The encoding that the first bytes betray when it is not UTF-8.
  private var foreignEncoding: String? {
    switch (byte(), byte(after: 1), byte(after: 2), byte(after: 3)) {
    case (0xFF, 0xFE, 0, 0) where bytes.count >= 4: "UTF-32"
    case (0, 0, 0xFE, 0xFF), (0, 0, 0, Ascii.less): "UTF-32"
    case (0xFF, 0xFE, _, _), (0xFE, 0xFF, _, _): "UTF-16"
    case (Ascii.less, 0, _, _) where bytes.count > 1: "UTF-16"
    case (0, Ascii.less, _, _): "UTF-16"
    default: nil
    }
  }

  private func notUTF8(_ observation: String) -> DocumentError {
    DocumentError(
      message: "\(observation); only UTF-8 is read, so save the file as UTF-8",
      location: SourceLocation(file: places.file, line: 1, column: 1))
  }

  private mutating func readXMLDeclaration() throws(DocumentError) {
    let start = offset
    offset += 5
    var names: [String] = []
    while skipSpace(), byte() != Ascii.question {
      let attribute = try readAttribute()
      names.append(attribute.name)
      try check(attribute)
    }
    guard take("?>") else { throw error("the XML declaration is not closed by \"?>\"", at: start) }
    let known = ["version", "encoding", "standalone"].filter(names.contains)
    guard names == known, names.first == "version" else {
      throw error(
        "an XML declaration has a version, then an encoding, then \"standalone\"", at: start)
    }
  }

  private func check(_ attribute: XMLAttribute) throws(DocumentError) {
    switch attribute.name {
    case "encoding":
      let name = attribute.value.uppercased()
      guard name == "UTF-8" || name == "US-ASCII" || name == "UTF8" else {
        throw notUTF8("the document declares the encoding \"\(attribute.value)\"")
      }
    case "version":
      guard attribute.value.hasPrefix("1.") else {
        throw DocumentError(
          message: "XML version \"\(attribute.value)\" is not known; 1.0 is",
          location: attribute.location)
      }
    default:
      break
    }
  }
}
