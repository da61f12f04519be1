/// Takes what text options overlook out of texts: upper case, marks of letters, or both.
///
/// Both executors compare folded bytes, so they agree. The result is that of Foundation's folding
/// for letters of Latin, Greek, Cyrillic, Armenian, kana and Hangul; Foundation keeps marks after
/// some rare Cyrillic letters. Marks after letters of other scripts, and marks without a letter,
/// remain. Jamo become the syllable that they spell, which they do not in Foundation (decisions
/// 0350 and 0480).
package enum TextFolding {
  /// A text without what the options overlook.
  package static func folded(_ text: String, _ options: TextOptions) -> String {
    guard !options.isEmpty else { return text }
    var text = text
    return text.withUTF8 { bytes in
      withFolded(bytes, options) { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// Calls `body` with the folded bytes of a text in UTF-8.
  package static func withFolded<R>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ options: TextOptions,
    _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    guard let table = FoldTable.table(for: options) else { return body(bytes) }
    let folder = TextFolder(table, options)
    let result: R? = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * bytes.count + 1) {
      guard let count = folder.fold(bytes, into: $0) else { return nil }
      return body(UnsafeBufferPointer(rebasing: $0[..<count]))
    }
    if let result { return result }
    return withComposed(bytes) { composed in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 3 * composed.count + 1) {
        let count = folder.fold(composed, into: $0, isComposed: true) ?? 0
        // A small letter may be one character with a mark where the large one is not.
        return withComposed(UnsafeBufferPointer(rebasing: $0[..<count]), body)
      }
    }
  }

  /// Calls `body` with letters and their marks in one character where there is one.
  private static func withComposed<R>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
    var text = String(scalars: Composition.composed(scalars))
    return text.withUTF8(body)
  }
}

private struct TextFolder {
  private let table: FoldTable
  private let foldsCase: Bool
  private let dropsMarks: Bool

  init(_ table: FoldTable, _ options: TextOptions) {
    self.table = table
    foldsCase = options.contains(.caseInsensitive)
    dropsMarks = options.contains(.diacriticInsensitive)
  }

  /// Marks of letters below this are dropped.
  private static let firstKeptLetter: UInt32 = 0x590

  /// Writes the folded text, whose bytes are three times as many at most, and returns their number;
  /// `nil` when letters must be composed with their marks first.
  func fold(
    _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>,
    isComposed: Bool = false
  ) -> Int? {
    var index = 0
    var count = 0
    var letter = UInt32.max
    while index < source.count {
      let byte = source[index]
      if byte < 0x80 {
        target[count] = foldsCase && byte &- 0x41 < 26 ? byte | 0x20 : byte
        count += 1
        index += 1
        letter = UInt32(byte)
        continue
      }
      let (scalar, length) = decode(source, at: index)
      if let syllable = Hangul.syllable(with: scalar, in: target, count) {
        letter = syllable
        count += encode(syllable, into: target, at: count - Hangul.width) - Hangul.width
        index += length
        continue
      }
      let entry = table.entry(scalar)
      if entry.isMark {
        if !dropsMarks, !isComposed { return nil }
        if dropsMarks { letter = ownLetter(letter, target, count) }
        if !dropsMarks || letter >= Self.firstKeptLetter {
          count += encode(entry.scalar, into: target, at: count)
        }
        index += length
        continue
      }
      if entry.isUnchanged {
        letter = scalar
        for offset in 0..<length { target[count + offset] = source[index + offset] }
        count += length
      } else {
        letter = entry.expansion == nil ? entry.scalar : scalar
        count += replace(scalar, entry, in: target, at: count)
      }
      index += length
    }
    return count
  }

  /// The letter that a mark belongs to, if the one before it may be a mark that remains.
  private func ownLetter(
    _ last: UInt32, _ target: UnsafeMutableBufferPointer<UInt8>, _ count: Int
  ) -> UInt32 {
    var (letter, place) = (last, count)
    while letter >= Self.firstKeptLetter, Composition.combiningClass(letter) > 0 {
      repeat { place -= 1 } while place > 0 && target[place] & 0xC0 == 0x80
      guard place > 0 else { return .max }
      letter = scalar(before: place, target)
    }
    return letter
  }

  private func scalar(before end: Int, _ target: UnsafeMutableBufferPointer<UInt8>) -> UInt32 {
    var start = end - 1
    while start > 0, target[start] & 0xC0 == 0x80 { start -= 1 }
    guard target[start] >= 0x80 else { return UInt32(target[start]) }
    return decode(UnsafeBufferPointer(rebasing: target[start..<end]), at: 0).scalar
  }

  /// Writes what replaces a scalar and returns the number of its bytes.
  private func replace(
    _ scalar: UInt32, _ entry: FoldTable.Entry, in target: UnsafeMutableBufferPointer<UInt8>,
    at index: Int
  ) -> Int {
    guard let expansion = entry.expansion else {
      return encode(entry.scalar, into: target, at: index)
    }
    let bytes = table.expansion(expansion)
    for (offset, byte) in bytes.enumerated() { target[index + offset] = byte }
    return bytes.count
  }
}

/// Syllables of Hangul and the jamo that spell them, by the arithmetic of the Unicode Standard.
enum Hangul {
  /// The number of bytes of a jamo or a syllable.
  static let width = 3

  private static let syllables: Range<UInt32> = 0xAC00..<0xD7A4
  private static let leading: Range<UInt32> = 0x1100..<0x1113
  private static let vowels: Range<UInt32> = 0x1161..<0x1176
  /// Begins one below the first consonant: a syllable may end without one.
  private static let trailing: Range<UInt32> = 0x11A7..<0x11C3

  static func isJamo(_ scalar: UInt32) -> Bool { (0x1100..<0x1200).contains(scalar) }

  /// The syllable that a scalar makes of the last one of a folded text, or `nil`.
  @inline(__always)
  static func syllable(
    with scalar: UInt32, in text: UnsafeMutableBufferPointer<UInt8>, _ count: Int
  ) -> UInt32? {
    guard isJamo(scalar), count >= width else { return nil }
    let (last, length) = decode(UnsafeBufferPointer(text), at: count - width)
    return length == width ? syllable(last, scalar) : nil
  }

  /// The jamo that spell a syllable; `nil` for other scalars.
  static func jamo(of scalar: UInt32) -> [UInt32]? {
    guard syllables.contains(scalar) else { return nil }
    let (letters, end) = (scalar - syllables.lowerBound).quotientAndRemainder(
      dividingBy: UInt32(trailing.count))
    let (first, vowel) = letters.quotientAndRemainder(dividingBy: UInt32(vowels.count))
    let open = [leading.lowerBound + first, vowels.lowerBound + vowel]
    return end > 0 ? open + [trailing.lowerBound + end] : open
  }

  private static func syllable(_ last: UInt32, _ scalar: UInt32) -> UInt32? {
    if leading.contains(last), vowels.contains(scalar) {
      let pair = (last - leading.lowerBound) * UInt32(vowels.count) + scalar - vowels.lowerBound
      return syllables.lowerBound + pair * UInt32(trailing.count)
    }
    let place = last &- syllables.lowerBound
    guard syllables.contains(last), place % UInt32(trailing.count) == 0,
      trailing.dropFirst().contains(scalar)
    else { return nil }
    return last + scalar - trailing.lowerBound
  }
}

/// The scalar at a place of a text in UTF-8 and its bytes; damaged bytes count one by one.
func decode(
  _ bytes: UnsafeBufferPointer<UInt8>, at index: Int
) -> (scalar: UInt32, length: Int) {
  let first = UInt32(bytes[index])
  let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
  guard first >= 0xC0, index + length <= bytes.count else { return (.max, 1) }
  var scalar = first & (0x7F >> UInt32(length))
  for offset in 1..<length {
    let next = UInt32(bytes[index + offset])
    guard next & 0xC0 == 0x80 else { return (.max, 1) }
    scalar = scalar << 6 | next & 0x3F
  }
  return (scalar, length)
}

/// Writes a scalar and returns the number of its bytes.
private func encode(
  _ scalar: UInt32, into target: UnsafeMutableBufferPointer<UInt8>, at index: Int
) -> Int {
  guard let scalar = Unicode.Scalar(scalar) else { return 0 }
  var count = 0
  for byte in UTF8.encode(scalar) ?? .init() {
    target[index + count] = byte
    count += 1
  }
  return count
}
