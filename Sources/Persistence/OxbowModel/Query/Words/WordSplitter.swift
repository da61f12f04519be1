/// The places of the words of a text in UTF-8, one after the other.
///
/// A word is a longest run of letters, digits and marks that does not begin with a mark; all else
/// separates words, emoji included. In scripts without blanks between words (Han, kana, Thai, Lao,
/// Khmer, Myanmar) each letter, vowel sign and digit is a word by itself. The text may be folded
/// or as it was written: folding changes letters, and not what separates them.
package struct WordSplitter: Sequence, IteratorProtocol {
  private let text: UnsafeBufferPointer<UInt8>
  private let kinds = ScalarKind.all
  private var index = 0

  /// Begins at the start of a text, which has to stay where it is.
  package init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

  /// The next word, whole, however long it is.
  package mutating func next() -> Range<Int>? {
    var start: Int?
    while index < text.count {
      let (kind, length) = scalar()
      switch kind {
      case .letter:
        if start == nil { start = index }
      case .mark: break
      case .word where start == nil:
        index += length
        return index - length..<index
      case .word, .separator:
        if let start { return start..<index }
      }
      index += length
    }
    return start.map { $0..<index }
  }

  /// What is at the present place, and its bytes.
  @inline(__always)
  private func scalar() -> (ScalarKind, length: Int) {
    let byte = text[index]
    if byte < 0x80 { return (kinds[Int(byte)], 1) }
    let (scalar, length) = decode(text, at: index)
    return (scalar < kinds.count ? kinds[Int(scalar)] : .separator, length)
  }
}

/// What a Unicode scalar is to a splitter of words.
private enum ScalarKind: UInt8 {
  case separator
  case letter
  /// A part of the word that it follows, and separates where it follows none.
  case mark
  /// A word by itself.
  case word

  /// The kinds of all scalars up to the last letter; what is behind it separates.
  static let all: [ScalarKind] = {
    var kinds = [ScalarKind](repeating: .separator, count: 0x3_2400)
    FoldingTables.words.forEachEntry { numbers, signs in
      let kind: ScalarKind =
        switch signs.last {
        case UInt8(ascii: "+"): .mark
        case UInt8(ascii: "!"): .word
        default: .letter
        }
      for scalar in numbers[0]...numbers[1] { kinds[Int(scalar)] = kind }
    }
    // The iota below a letter, which folding case makes a letter: so it is one in a text as it is
    // written too.
    kinds[0x345] = .letter
    return kinds
  }()
}
