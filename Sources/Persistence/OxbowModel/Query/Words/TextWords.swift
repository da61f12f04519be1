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
    // Folding case composes letters with their marks, which folding marks leaves to it.
    let words = TextFolding.withFolded(text, .caseInsensitive) { text in
      TextFolding.withFolded(text, .diacriticInsensitive) { TextWords(folded: $0) }
    }
    self = words
  }

  /// Folds and splits a text.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { TextWords($0) }
  }

  private init(folded text: UnsafeBufferPointer<UInt8>) {
    // A word by itself is 3 bytes or more, so blanks between such words are a third more.
    bytes.reserveCapacity(text.count + text.count / 3)
    ranges.reserveCapacity(text.count / 8)
    for word in WordSplitter(text) {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
      let start = bytes.count
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[text.shortened(word)]))
      ranges.append(start..<bytes.count)
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
