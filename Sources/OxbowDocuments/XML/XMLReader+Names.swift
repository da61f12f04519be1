/// Names and attributes.
extension XMLReader {
  /// Reads a name as XML 1.0 defines it, colons included.
  mutating func readName(_ what: String) throws(DocumentError) -> String {
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
    return string(start..<offset)
  }

  /// The number of bytes of the name character above ASCII here, 0 when it is none.
  private func nameLength(first: Bool) -> Int {
    var rest = bytes[offset...].makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&rest) else { return 0 }
    return XMLCharacters.isName(scalar, first: first) ? UTF8.width(scalar) : 0
  }

  /// The largest number of attributes of an element.
  private static let mostAttributes = 512

  /// Reads the attributes of a start tag, up to its `>` or `/>`.
  mutating func readAttributes(of element: String) throws(DocumentError) -> [XMLAttribute] {
    var attributes: [XMLAttribute] = []
    while true {
      let separated = skipSpace()
      switch byte() {
      case Ascii.greater, Ascii.slash, 0:
        return attributes
      default:
        break
      }
      if attributes.isEmpty { attributes.reserveCapacity(2) }
      guard separated else {
        throw error(
          attributes.isEmpty
            ? "the name \"\(element)\" is followed by a character that no name has"
            : "white space is missing between two attributes", at: offset)
      }
      // Few enough to compare each with each: a name is looked for among those before.
      guard attributes.count < Self.mostAttributes else {
        throw error(
          "\"\(element)\" has more than \(Self.mostAttributes) attributes, the limit for an element",
          at: offset)
      }
      let attribute = try readAttribute()
      guard !attributes.contains(where: { $0.name == attribute.name }) else {
        throw DocumentError(
          message: "attribute \"\(attribute.name)\" stands twice in \"\(element)\"",
          location: attribute.location)
      }
      attributes.append(attribute)
    }
  }

  mutating func readAttribute() throws(DocumentError) -> XMLAttribute {
    let start = location(of: offset)
    let name = try readName("an attribute's name")
    skipSpace()
    guard take("=") else {
      throw error("attribute \"\(name)\" has no value; \"=\" is expected here", at: offset)
    }
    skipSpace()
    let value = try readAttributeValue(of: name)
    return XMLAttribute(name: name, value: value, location: start)
  }

  private mutating func readAttributeValue(of name: String) throws(DocumentError) -> String {
    let quote = byte()
    guard quote == Ascii.quote || quote == Ascii.apostrophe else {
      throw error("the value of attribute \"\(name)\" is not in quotation marks", at: offset)
    }
    let opening = offset
    offset += 1
    let start = offset
    skip(while: .plainValue)
    if byte() == quote {
      offset += 1
      return string(start..<offset - 1)
    }
    var value = Array(bytes[start..<offset])
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case quote:
        offset += 1
        return String(decoding: value, as: UTF8.self)
      case Ascii.less:
        throw error(
          "\"<\" stands in the value of attribute \"\(name)\"; write \"&lt;\"", at: offset)
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
    throw error("the value of attribute \"\(name)\" is never closed", at: opening)
  }
}
