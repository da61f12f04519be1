/// A set of bytes that is used for every byte of a document.
///
/// It has two words of bits for ASCII, and whether all bytes above are in it. The sets are
/// constants that the optimiser sees, not values that are created at the first use.
struct ByteSet: Sendable {
  private let low: UInt64
  private let high: UInt64
  private let containsRest: Bool

  private init(low: UInt64, high: UInt64, rest: Bool) {
    (self.low, self.high, containsRest) = (low, high, rest)
  }

  @inline(__always) func contains(_ byte: UInt8) -> Bool {
    if byte >= 128 { return containsRest }
    let word = byte < 64 ? low : high
    return word &>> UInt64(byte) & 1 != 0
  }

  /// The literal bytes in text: all but `<`, `&`, `]` and the carriage return.
  @inline(__always) static var plainText: ByteSet {
    ByteSet(low: 0xEFFF_FFBF_FFFF_DFFF, high: 0xFFFF_FFFF_DFFF_FFFF, rest: true)
  }

  /// The literal bytes in the value of an attribute: all but `<`, `&`, quotation marks and white
  /// space other than the space.
  @inline(__always) static var plainValue: ByteSet {
    ByteSet(low: 0xEFFF_FF3B_FFFF_D9FF, high: 0xFFFF_FFFF_FFFF_FFFF, rest: true)
  }

  /// The characters of ASCII that a name may contain after its first one: letters, digits, `_`,
  /// `:`, `-` and the point.
  @inline(__always) static var name: ByteSet {
    ByteSet(low: 0x07FF_6000_0000_0000, high: 0x07FF_FFFE_87FF_FFFE, rest: false)
  }

  /// The characters of ASCII that a name may begin with: letters, `_` and `:`.
  @inline(__always) static var nameStart: ByteSet {
    ByteSet(low: 0x0400_0000_0000_0000, high: 0x07FF_FFFE_87FF_FFFE, rest: false)
  }

  /// The bytes of characters that are not ASCII.
  @inline(__always) static var aboveASCII: ByteSet {
    ByteSet(low: 0x0000_0000_0000_0000, high: 0x0000_0000_0000_0000, rest: true)
  }

  /// The white space of markup.
  @inline(__always) static var space: ByteSet {
    ByteSet(low: 0x0000_0001_0000_2600, high: 0x0000_0000_0000_0000, rest: false)
  }

  /// The white space that is delivered as it is: all but the carriage return.
  @inline(__always) static var plainSpace: ByteSet {
    ByteSet(low: 0x0000_0001_0000_0600, high: 0x0000_0000_0000_0000, rest: false)
  }
}
