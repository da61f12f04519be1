/// The bytes that have a meaning in markup.
enum Ascii {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let tab = UInt8(ascii: "\t")
  static let space = UInt8(ascii: " ")
  static let less = UInt8(ascii: "<")
  static let greater = UInt8(ascii: ">")
  static let ampersand = UInt8(ascii: "&")
  static let equals = UInt8(ascii: "=")
  static let slash = UInt8(ascii: "/")
  static let question = UInt8(ascii: "?")
  static let exclamation = UInt8(ascii: "!")
  static let quote = UInt8(ascii: "\"")
  static let apostrophe = UInt8(ascii: "'")
  static let closingBracket = UInt8(ascii: "]")

  static func isSpace(_ byte: UInt8) -> Bool {
    byte == space || byte == newline || byte == tab || byte == carriageReturn
  }
}
