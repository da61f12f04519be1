/// A set of bytes that is asked for every byte of a document.
struct ByteSet: Sendable {
  private let low: UInt64
  private let high: UInt64
  private let containsRest: Bool

  /// Creates the set of some ASCII characters, and of all bytes above ASCII if `rest` says so.
  init(_ characters: String, rest: Bool = false) {
    var bits: (low: UInt64, high: UInt64) = (0, 0)
    for byte in characters.utf8 {
      if byte < 64 { bits.low |= 1 << UInt64(byte) } else { bits.high |= 1 << UInt64(byte - 64) }
    }
    (low, high) = bits
    containsRest = rest
  }

  private init(low: UInt64, high: UInt64, rest: Bool) {
    (self.low, self.high, containsRest) = (low, high, rest)
  }

  /// The bytes that are not in the set.
  var inverted: ByteSet { ByteSet(low: ~low, high: ~high, rest: !containsRest) }

  @inline(__always) func contains(_ byte: UInt8) -> Bool {
    if byte >= 128 { return containsRest }
    let word = byte < 64 ? low : high
    return word &>> UInt64(byte) & 1 != 0
  }
}

extension ByteSet {
  /// What stands for itself in text.
  static let plainText = ByteSet("<&\r]").inverted
  /// What stands for itself in the value of an attribute, quotation marks aside.
  static let plainValue = ByteSet("<&\r\n\t\"'").inverted
  /// The characters of ASCII that a name may contain behind its first one.
  static let name = ByteSet(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:-.")
  /// The characters of ASCII that a name may begin with.
  static let nameStart = ByteSet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:")
  /// The bytes of characters that are not ASCII.
  static let aboveASCII = ByteSet("", rest: true)
  /// The white space of markup.
  static let space = ByteSet(" \n\t\r")
}
