/// Turns offsets into lines and columns.
///
/// Places are mostly asked for in ascending order, so each answer starts from the one before.
struct PlaceCounter: Sendable {
  let file: String
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  init(file: String) {
    self.file = file
  }

  /// Lets counting begin after a byte order mark.
  mutating func begin(at offset: Int) {
    self.offset = offset
    line = 1
    lineStart = offset
  }

  mutating func location(of target: Int, in bytes: [UInt8]) -> SourceLocation {
    if target < lineStart { begin(at: 0) }
    bytes.withUnsafeBufferPointer { advance(to: target, in: $0) }
    return SourceLocation(file: file, line: line, column: target - lineStart + 1)
  }

  private mutating func advance(to target: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    while offset < target {
      let byte = bytes[offset]
      offset += 1
      // Both ends of lines are below all but the tab.
      if byte > Ascii.carriageReturn { continue }
      let endsLine =
        byte == Ascii.newline
        || byte == Ascii.carriageReturn && (offset == bytes.count || bytes[offset] != Ascii.newline)
      if endsLine {
        line += 1
        lineStart = offset
      }
    }
  }
}

/// The bytes that have a meaning in markup.
enum Ascii {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let tab = UInt8(ascii: "\t")
  static let space = UInt8(ascii: " ")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let ampersand = UInt8(ascii: "&")
  static let slash = UInt8(ascii: "/")
  static let question = UInt8(ascii: "?")
  static let exclamation = UInt8(ascii: "!")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let semicolon = UInt8(ascii: ";")
  static let closingBracket = UInt8(ascii: "]")

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == newline || byte == tab || byte == carriageReturn
  }
}
