/// Character data and references.
extension XMLReader {
  mutating func readCharacters() throws(DocumentError) {
    let start = offset
    skip(while: .plainSpace)
    let isBlank = byte() == Ascii.less
    if !isBlank { skip(while: .plainText) }
    if byte() == Ascii.less {
      tree.append(XMLTree.Piece(start..<offset), isBlank: isBlank)
    } else {
      offset = start
      append(try readMixedCharacters())
    }
  }

  private mutating func append(_ text: String) {
    tree.append(tree.keep(text), isBlank: text.utf8.allSatisfy(Ascii.isSpace))
  }

  private mutating func readMixedCharacters() throws(DocumentError) -> String {
    var text: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      switch byte {
      case Ascii.less:
        return String(decoding: text, as: UTF8.self)
      case Ascii.ampersand:
        text.append(contentsOf: String(try readReference()).utf8)
      case Ascii.carriageReturn:
        offset += self.byte(after: 1) == Ascii.newline ? 2 : 1
        text.append(Ascii.newline)
      case Ascii.closingBracket where at("]]>"):
        throw error("there is \"]]>\" in text; write \"]]&gt;\"", at: offset)
      default:
        offset += 1
        text.append(byte)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func readSection() throws(DocumentError) {
    let opening = offset
    offset += 9
    let start = offset
    guard skip(behind: "]]>") else {
      throw error("the CDATA section is never closed", at: opening)
    }
    var text: [UInt8] = []
    var index = start
    while index < offset - 3 {
      let byte = bytes[index]
      index += 1
      if byte == Ascii.carriageReturn {
        if bytes[index] == Ascii.newline { index += 1 }
        text.append(Ascii.newline)
      } else {
        text.append(byte)
      }
    }
    append(String(decoding: text, as: UTF8.self))
  }

  /// Reads one of the predefined entities or a character reference.
  mutating func readReference() throws(DocumentError) -> Unicode.Scalar {
    let start = offset
    offset += 1
    if take("#x") { return try readCharacterReference(from: start, radix: 16) }
    if take("#") { return try readCharacterReference(from: start, radix: 10) }
    let nameStart = offset
    while offset < bytes.count, isReferenceByte(bytes[offset]) { offset += 1 }
    let name = bytes.string(nameStart..<offset)
    guard !name.isEmpty, take(";") else {
      throw error("\"&\" does not begin a reference; write \"&amp;\"", at: start)
    }
    guard let scalar = XMLCharacters.predefined[name] else {
      throw error(
        "entity \"&\(name);\" is not known; the known ones are &amp; &lt; &gt; &quot; &apos;"
          + " and numbers like &#160;", at: start)
    }
    return scalar
  }

  private func isReferenceByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: ":"), 0x80...:
      return true
    default:
      return false
    }
  }

  private mutating func readCharacterReference(
    from start: Int, radix: Int
  ) throws(DocumentError) -> Unicode.Scalar {
    let digits = offset
    while offset < bytes.count, Character(Unicode.Scalar(bytes[offset])).isHexDigit { offset += 1 }
    let number = UInt32(bytes.string(digits..<offset), radix: radix)
    guard take(";") else { throw error("a character reference ends with \";\"", at: start) }
    guard let number, let scalar = Unicode.Scalar(number), XMLCharacters.isAllowed(scalar) else {
      throw error(
        "\"\(bytes.string(start..<offset))\" is not a character that a document can contain",
        at: start
      )
    }
    return scalar
  }
}
