enum XMLCharacters {
  static let predefined: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
  ]

  /// Whether a document may contain a character ("Char" of the XML specification).
  static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x10000...: true
    default: false
    }
  }

  /// Whether a name may contain a character that is not ASCII ("NameStartChar", "NameChar").
  static func isName(_ scalar: Unicode.Scalar, first: Bool) -> Bool {
    switch scalar.value {
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D, 0x37F...0x1FFF, 0x200C...0x200D,
      0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFFD,
      0x10000...0xEFFFF:
      true
    case 0xB7, 0x300...0x36F, 0x203F...0x2040: !first
    default: false
    }
  }

  /// Finds the first byte that is not UTF-8 or not a character of XML.
  static func firstDefect(
    in bytes: XMLBytes, from start: Int
  ) -> (offset: Int, message: String)? {
    var offset = start
    while offset < bytes.count {
      // Most characters are printable ASCII.
      offset += bytes.plainCount(at: offset, below: 0x20, allowsAboveASCII: false)
      guard offset < bytes.count else { break }
      let byte = bytes[offset]
      if byte < 0x80 {
        guard byte >= 0x20 || Ascii.isSpace(byte) else {
          return (offset, "control character 0x\(hex(byte)) is not allowed in a document")
        }
        offset += 1
        continue
      }
      let length = sequenceLength(bytes, offset)
      guard length > 0 else {
        return (offset, "byte 0x\(hex(byte)) is not UTF-8 here; save the file as UTF-8")
      }
      if byte == 0xEF, bytes[offset + 1] == 0xBF, bytes[offset + 2] >= 0xBE {
        return (offset, "U+FF\(hex(bytes[offset + 2] | 0x40)) is not allowed in a document")
      }
      offset += length
    }
    return nil
  }

  /// The length of the well-formed sequence of several bytes here, or 0 if there is none.
  private static func sequenceLength(_ bytes: XMLBytes, _ offset: Int) -> Int {
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch bytes[offset] {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0x80...0xBF)
      }
    guard length > 0, offset + length <= bytes.count, second.contains(bytes[offset + 1]),
      (offset + 2..<offset + length).allSatisfy({ bytes[$0] & 0xC0 == 0x80 })
    else { return 0 }
    return length
  }

  private static func hex(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
