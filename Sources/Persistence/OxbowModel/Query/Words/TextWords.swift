/// The words of a text, as every search for words sees them.
///
/// Case and the marks of letters are overlooked, as `[cd]` does, in whichever form the text is
/// composed. ``WordSplitter`` says what a word is.
package struct TextWords: Sendable {
  /// Grows with each change of folding, of splitting and of their tables: what was kept of words
  /// under another number has to be made anew.
  package static let version = 2

  /// The bytes of a word that count.
  package static let lengthLimit = 255

  /// The words in UTF-8, with one blank between two of them: what an index of words gets.
  package private(set) var bytes: [UInt8] = []

  /// Where each word is in ``bytes``.
  package private(set) var ranges: [Range<Int>] = []

  /// Folds and splits a text in UTF-8.
  package init(_ text: UnsafeBufferPointer<UInt8>) {
    // Folding case composes letters with their marks, which folding both at once does not.
    self = TextFolding.withFolded(text, .caseInsensitive) { TextWords(withMarks: $0) }
  }

  /// Folds and splits a text.
  package init(_ text: String) {
    var text = text
    self = text.withUTF8 { TextWords($0) }
  }

  private init(withMarks text: UnsafeBufferPointer<UInt8>) {
    // An array without room is one for all threads, and the standard library would write its count.
    guard !text.isEmpty else { return }
    ranges.reserveCapacity(text.count / 8)
    // A scalar becomes three times as long at most, and a word has a blank.
    bytes = [UInt8](unsafeUninitializedCapacity: 4 * text.count) { bytes, count in
      for place in WordSplitter(text) {
        if count > 0 {
          bytes[count] = UInt8(ascii: " ")
          count += 1
        }
        let start = count
        UnsafeBufferPointer(rebasing: text[place]).withoutMarks { word in
          for byte in word {
            bytes[count] = byte
            count += 1
          }
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
  /// Calls `body` with the word without marks of letters, cut at the limit between two scalars.
  ///
  /// Each word by itself: a vowel sign that is a word is not a mark of what is before it.
  @inline(__always)
  fileprivate func withoutMarks(_ body: (Slice<UnsafeBufferPointer<UInt8>>) -> Void) {
    guard contains(where: { $0 >= 0x80 }) else { return body(prefix(TextWords.lengthLimit)) }
    TextFolding.withFolded(self, .diacriticInsensitive) { word in
      var end = Swift.min(word.count, TextWords.lengthLimit)
      while end < word.count, word[end] & 0xC0 == 0x80 { end -= 1 }
      body(word[..<end])
    }
  }
}
