/// The bytes of a document while it is read: bounds are checked as in an array, but no references
/// are counted and nothing is copied.
///
/// Valid only inside the `withUnsafeBufferPointer` in which it was created. Benchmark:
/// docs/performance.md, K/xml.
struct XMLBytes {
  private let buffer: UnsafeBufferPointer<UInt8>
  let count: Int

  init(_ buffer: UnsafeBufferPointer<UInt8>) {
    self.buffer = buffer
    count = buffer.count
  }

  @inline(__always) subscript(_ index: Int) -> UInt8 {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: count))
    return buffer[index]
  }

  /// The end of the run of bytes of a set from an index on.
  @inline(__always) func end(of set: ByteSet, from start: Int) -> Int {
    precondition(start >= 0)
    var index = start
    while index < count, set.contains(buffer[index]) { index += 1 }
    return index
  }

  /// The number of bytes from an index to the first one below a limit.
  ///
  /// The limit is one of ASCII; bytes above ASCII end the run unless they are allowed. Eight at a
  /// time.
  @inline(__always)
  func plainCount(at start: Int, below limit: UInt8, allowsAboveASCII: Bool) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highest = ones &* 0x80
    var index = start
    while count - index >= 8 {
      let word = word(at: index)
      // The lowest byte for which the subtraction borrows is below the limit; those after it may
      // not be.
      var strange = (word &- ones &* UInt64(limit)) & ~word & highest
      if !allowsAboveASCII { strange |= word & highest }
      if strange != 0 { return index - start + strange.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < count, self[index] >= limit, allowsAboveASCII || self[index] < 0x80 { index += 1 }
    return index - start
  }

  /// Eight bytes, the first one lowest.
  @inline(__always) func word(at index: Int) -> UInt64 {
    precondition(index >= 0 && count - index >= 8)
    let word = UnsafeRawBufferPointer(buffer).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    return UInt64(littleEndian: word)
  }

  /// Whether a byte is one of the four that most names end at: the space, `=`, `>` and `/`.
  @inline(__always) static func endsNames(_ byte: UInt8) -> Bool {
    byte == Ascii.space || byte == Ascii.equals || byte == Ascii.greater || byte == Ascii.slash
  }

  /// The number of bytes of a word before the first one that `endsNames`.
  @inline(__always) static func nameCount(in word: UInt64) -> Int {
    let ends =
      zeros(in: word, minus: Ascii.space) | zeros(in: word, minus: Ascii.equals)
      | zeros(in: word, minus: Ascii.greater) | zeros(in: word, minus: Ascii.slash)
    return ends.trailingZeroBitCount / 8
  }

  /// The highest bits of the bytes that have a value; above the lowest of them, others may be set
  /// too.
  @inline(__always) private static func zeros(in word: UInt64, minus byte: UInt8) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let rest = word ^ ones &* UInt64(byte)
    return (rest &- ones) & ~rest & (ones &* 0x80)
  }

  /// The first bytes of a range, at most eight, the first one lowest and zero after its end.
  @inline(__always) func key(of range: Range<Int>) -> UInt64 {
    if count - range.lowerBound >= 8 {
      let word = word(at: range.lowerBound)
      return range.count >= 8 ? word : word & (1 &<< UInt64(range.count &* 8) &- 1)
    }
    return range.reversed().reduce(0) { $0 &<< 8 | UInt64(self[$1]) }
  }

  /// Whether two ranges of the same length have the same bytes.
  @inline(__always) func areEqual(_ first: Int, _ second: Int, count: Int) -> Bool {
    for index in 0..<count where self[first + index] != self[second + index] { return false }
    return true
  }

  func string(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: buffer[range]), as: UTF8.self)
  }
}
