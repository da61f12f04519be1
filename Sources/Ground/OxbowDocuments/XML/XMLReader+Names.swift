extension XMLReader {
  /// The name with a number.
  func text(of name: Int32) -> String { names.texts[Int(name)] }

  /// Reads a name as XML 1.0 defines it, colons included.
  mutating func readName(_ what: StaticString) throws(DocumentError) -> Int32 {
    if let known = names.known(at: offset, in: bytes) {
      offset = known.end
      return known.number
    }
    return try readFurtherName(what)
  }

  private mutating func readFurtherName(_ what: StaticString) throws(DocumentError) -> Int32 {
    let start = offset
    // Most names are ASCII: after a first character the rest is one run.
    if ByteSet.nameStart.contains(byte()) { offset += 1 }
    while offset < bytes.count {
      if offset > start { skip(while: .name) }
      guard ByteSet.aboveASCII.contains(byte()) else { break }
      let length = nameLength(first: offset == start)
      if length == 0 { break }
      offset += length
    }
    guard offset > start else { throw error("\(what) is expected here", at: start) }
    return names.number(of: start..<offset, in: bytes)
  }

  /// The number of bytes of the name character above ASCII here, or 0 if there is none.
  private func nameLength(first: Bool) -> Int {
    var rest = (offset..<min(offset + 4, bytes.count)).lazy.map { bytes[$0] }.makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return 0 }
    return XMLCharacters.isName(scalar, first: first) ? UTF8.width(scalar) : 0
  }

  private static let mostAttributes: Int32 = 512

  /// Reads the attributes of the element that has been started, up to its `>` or `/>`.
  mutating func readAttributes() throws(DocumentError) {
    while true {
      let separated = skipSpace()
      switch byte() {
      case Ascii.greater, Ascii.slash, 0:
        return
      default:
        break
      }
      try checkPlace(ofAttributeSeparated: separated)
      let attribute = try readAttribute()
      // There are so few that each name is compared with all before it.
      guard !tree.openAttributes.contains(where: { $0.name == attribute.name }) else {
        throw error(
          "attribute \"\(text(of: attribute.name))\" is given twice in \"\(openName)\"",
          at: Int(attribute.offset))
      }
      tree.append(attribute)
    }
  }

  private var openName: String { text(of: tree.open.name) }

  @inline(__always)
  private func checkPlace(ofAttributeSeparated separated: Bool) throws(DocumentError) {
    guard separated else {
      throw error(
        tree.open.attributeCount == 0
          ? "the name \"\(openName)\" is followed by a character that a name cannot have"
          : "white space is missing between two attributes", at: offset)
    }
    guard tree.open.attributeCount < Self.mostAttributes else {
      throw error(
        "\"\(openName)\" has more than \(Self.mostAttributes) attributes, the limit for an element",
        at: offset)
    }
  }

  mutating func readAttribute() throws(DocumentError) -> XMLTree.Attribute {
    let start = Int32(offset)
    let name = try readName("an attribute's name")
    skipSpace()
    guard take("=") else {
      throw error(
        "attribute \"\(text(of: name))\" has no value; \"=\" is expected here", at: offset)
    }
    skipSpace()
    return XMLTree.Attribute(name: name, offset: start, value: try readValue(of: name))
  }

  private mutating func readValue(of name: Int32) throws(DocumentError) -> XMLTree.Piece {
    let quote = byte()
    guard quote == Ascii.quote || quote == Ascii.apostrophe else {
      throw error(
        "the value of attribute \"\(text(of: name))\" is not in quotation marks",
        at: offset)
    }
    let opening = offset
    offset += 1
    skip(while: .plainValue)
    if byte() == quote {
      offset += 1
      return XMLTree.Piece(opening + 1..<offset - 1)
    }
    offset = opening + 1
    return tree.keep(try readMixedValue(of: name, quote))
  }

  /// Reads a value that is not literal in the document.
  private mutating func readMixedValue(
    of name: Int32, _ quote: UInt8
  ) throws(DocumentError) -> String {
    let opening = offset - 1
    var value: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case quote:
        offset += 1
        return String(decoding: value, as: UTF8.self)
      case Ascii.less:
        throw error(
          "there is a \"<\" in the value of attribute \"\(text(of: name))\"; write \"&lt;\"",
          at: offset)
      case Ascii.ampersand:
        value.append(contentsOf: String(try readReference()).utf8)
      case Ascii.newline, Ascii.tab, Ascii.carriageReturn:
        // Attribute-value normalisation: white space becomes a space, "\r\n" a single one.
        offset += byte == Ascii.carriageReturn && self.byte(after: 1) == Ascii.newline ? 2 : 1
        value.append(Ascii.space)
      default:
        offset += 1
        value.append(byte)
      }
    }
    throw error(
      "the value of attribute \"\(text(of: name))\" is never closed", at: opening)
  }
}
