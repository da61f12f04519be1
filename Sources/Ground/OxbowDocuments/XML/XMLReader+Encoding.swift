/// The beginning of a document: byte order mark, declaration, and the check of its characters.
extension XMLReader {
  mutating func readBeginning() throws(DocumentError) {
    if let encoding = foreignEncoding {
      throw notUTF8("the document is in \(encoding)")
    }
    if at("<?xml"), Ascii.isSpace(byte(after: 5)) { try readXMLDeclaration() }
    if let defect = XMLCharacters.firstDefect(in: bytes, from: offset) {
      throw error(defect.message, at: defect.offset)
    }
  }

  /// The encoding that the first bytes reveal, if it is not UTF-8.
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
      location: SourceLocation(file: lines.file, line: 1, column: 1))
  }

  private mutating func readXMLDeclaration() throws(DocumentError) {
    let start = offset
    offset += 5
    var found: [String] = []
    while skipSpace(), byte() != Ascii.question {
      let attribute = try readAttribute()
      let name = text(of: attribute.name)
      found.append(name)
      try check(name, text(of: attribute.value), at: Int(attribute.offset))
    }
    guard take("?>") else { throw error("the XML declaration is not closed by \"?>\"", at: start) }
    let known = ["version", "encoding", "standalone"].filter(found.contains)
    guard found == known, found.first == "version" else {
      throw error(
        "an XML declaration has a version, then an encoding, then \"standalone\"", at: start)
    }
  }

  private func text(of piece: XMLTree.Piece) -> String {
    piece.number.map { tree.texts[$0] } ?? bytes.string(piece.range)
  }

  private func check(_ name: String, _ value: String, at offset: Int) throws(DocumentError) {
    switch name {
    case "encoding":
      let encoding = value.uppercased()
      guard encoding == "UTF-8" || encoding == "US-ASCII" || encoding == "UTF8" else {
        throw notUTF8("the document declares the encoding \"\(value)\"")
      }
    case "version":
      guard value.hasPrefix("1.") else {
        throw error("XML version \"\(value)\" is not known; only 1.0 is", at: offset)
      }
    default:
      break
    }
  }
}
