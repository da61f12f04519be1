/// The distinct names of a document, numbered in the order of their first occurrence.
///
/// A document has a handful of names with thousands of occurrences, so a name becomes a `String`
/// once and is a number from then on. Benchmark: docs/performance.md, K/xml.
struct XMLNames {
  /// A name by its bytes; two encodings of a character would be equal as `String`s.
  private struct Spelling: Hashable {
    let text: String

    static func == (one: Spelling, other: Spelling) -> Bool {
      one.text.utf8.elementsEqual(other.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
      for byte in text.utf8 { hasher.combine(byte) }
    }
  }

  /// Where a name first occurs.
  private struct Entry {
    let key: UInt64
    let start: Int
    let count: Int
  }

  private(set) var texts: [String] = []
  private var entries: [Entry] = []
  private var numbers: [Spelling: Int32] = [:]
  /// The last name with each rough hash, -1 for none; names that are not found here are in
  /// `numbers`, whose hashing a document cannot defeat.
  private var recent = [Int32](repeating: -1, count: 256)

  /// The number of the name in a range.
  mutating func number(of range: Range<Int>, in bytes: XMLBytes) -> Int32 {
    let key = bytes.key(of: range)
    let slot = Self.slot(of: key)
    let guess = recent[slot]
    if guess >= 0, isName(guess, range, key, in: bytes) { return guess }
    let number = lookUp(range, key, in: bytes)
    recent[slot] = number
    return number
  }

  private static func slot(of key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) &>> 56) }

  /// The name at an offset, and its end, if it is a short one that has occurred before and ends as
  /// most do.
  ///
  /// It looks at eight bytes at once, where `number(of:in:)` needs the end; benchmark:
  /// docs/performance.md, K/xml.
  @inline(__always) func known(at offset: Int, in bytes: XMLBytes) -> (number: Int32, end: Int)? {
    guard bytes.count - offset > 8 else { return nil }
    let word = bytes.word(at: offset)
    let count = XMLBytes.nameCount(in: word)
    if count == 8, !XMLBytes.endsNames(bytes[offset + 8]) { return nil }
    let key = count == 8 ? word : word & (1 &<< UInt64(count &* 8) &- 1)
    let guess = recent[Self.slot(of: key)]
    guard guess >= 0, case let entry = entries[Int(guess)], entry.key == key, entry.count == count
    else { return nil }
    return (guess, offset + count)
  }

  @inline(__always) private func isName(
    _ number: Int32, _ range: Range<Int>, _ key: UInt64, in bytes: XMLBytes
  ) -> Bool {
    let entry = entries[Int(number)]
    guard entry.key == key, entry.count == range.count else { return false }
    return entry.count <= 8
      || bytes.areEqual(entry.start, range.lowerBound, count: entry.count)
  }

  /// The end of a name if it is at an offset, whatever comes after it.
  @inline(__always) func end(of number: Int32, at offset: Int, in bytes: XMLBytes) -> Int? {
    let entry = entries[Int(number)]
    guard bytes.count - offset >= entry.count,
      isName(
        number, offset..<offset + entry.count, bytes.key(of: offset..<offset + entry.count),
        in: bytes)
    else { return nil }
    return offset + entry.count
  }

  private mutating func lookUp(_ range: Range<Int>, _ key: UInt64, in bytes: XMLBytes) -> Int32 {
    let text = bytes.string(range)
    if let number = numbers[Spelling(text: text)] { return number }
    let number = Int32(texts.count)
    numbers[Spelling(text: text)] = number
    texts.append(text)
    entries.append(Entry(key: key, start: range.lowerBound, count: range.count))
    return number
  }
}
