/// The words of a text, as every search for words sees them.
///
/// Case and the marks of letters are overlooked, as `[cd]` does, in whichever form the text is
/// composed. What remains is split by ``WordSplitter``.
package struct TextWords: Sendable {
  /// Grows with each change of folding, of splitting and of their tables: what was kept of words
  /// under another number has to be made anew.
  package static let version = 1

  /// The bytes of a word that count.
  package static let lengthLimit = 255

  /// The words in UTF-8, with one blank between two of them: what an index of words gets.
  package private(set) var bytes: [UInt8] = []

  /// Where each word is in ``bytes``.
  package private(set) var ranges: [Range<Int>] = []

  /// Folds and splits a text in UTF-8.
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    // Folding case composes letters with their marks; folding both at once leaves some apart.
    self = TextFolding.withFolded(text, .caseInsensitive) { text in
      guard text.contains(where: { $0 >= 0x80 }) else { return TextWords(folded: text) }
      return TextFolding.withFolded(text, .diacriticInsensitive) { TextWords(folded: $0) }
    }
  }

  /// Folds and splits a text.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { TextWords($0) }
  }

  private init(folded text: UnsafeBufferPointer<UInt8>) {
    ranges.reserveCapacity(text.count / 8)
    // A blank for each word, which has a byte at least.
    bytes = [UInt8](unsafeUninitializedCapacity: 2 * text.count) { bytes, count in
      for word in WordSplitter(text) {
        if count > 0 {
          bytes[count] = UInt8(ascii: " ")
          count += 1
        }
        let start = count
        for index in text.shortened(word) {
          bytes[count] = text[index]
          count += 1
        }
        ranges.append(start..<count)
      }
    }
  }

  /// The words in one text, with one blank between two of them.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The words, each as a text.
  package var words: [String] { ranges.map { String(decoding: bytes[$0], as: UTF8.self) } }
}

extension UnsafeBufferPointer<UInt8> {
  /// The scalars of a word that fit into the limit.
  fileprivate func shortened(_ word: Range<Int>) -> Range<Int> {
    guard word.count > TextWords.lengthLimit else { return word }
    var end = word.lowerBound + TextWords.lengthLimit
    while self[end] & 0xC0 == 0x80 { end -= 1 }
    return word.lowerBound..<end
  }
}
