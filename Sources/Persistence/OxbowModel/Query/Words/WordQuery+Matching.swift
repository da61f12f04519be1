/// A search for words, prepared once for many texts.
///
/// Both executors use it: memory for a condition, SQLite's function for a statement.
package final class WordMatcher: Sendable {
  /// A phrase of the search.
  package struct Phrase: Sendable {
    /// Its number among all phrases of the search, in the order in which it is written.
    package let number: Int

    let words: [[UInt8]]
    let isPrefix: Bool

    /// Whether it is wanted, and not behind NOT.
    let isWanted: Bool
  }

  /// The search as a tree of phrases.
  indirect enum Test: Sendable {
    case phrase(Phrase)
    case all([Test])
    case any([Test])
    case without(Test, Test)

    fileprivate init(_ term: WordQuery.Term, isWanted: Bool = true, _ phrases: inout [Phrase]) {
      switch term {
      case .phrase(let words, let isPrefix):
        let phrase = Phrase(
          number: phrases.count, words: words.map { Array($0.utf8) }, isPrefix: isPrefix,
          isWanted: isWanted)
        phrases.append(phrase)
        self = .phrase(phrase)
      case .all(let terms): self = .all(terms.map { Test($0, isWanted: isWanted, &phrases) })
      case .any(let terms): self = .any(terms.map { Test($0, isWanted: isWanted, &phrases) })
      case .without(let term, let other):
        let wanted = Test(term, isWanted: isWanted, &phrases)
        self = .without(wanted, Test(other, isWanted: false, &phrases))
      }
    }

    fileprivate func holds(_ texts: [TextWords]) -> Bool {
      switch self {
      case .phrase(let phrase): texts.contains { $0.contains(phrase) }
      case .all(let tests): tests.allSatisfy { $0.holds(texts) }
      case .any(let tests): tests.contains { $0.holds(texts) }
      case .without(let test, let other): test.holds(texts) && !other.holds(texts)
      }
    }
  }

  let test: Test

  /// All phrases, by their numbers.
  package let phrases: [Phrase]

  /// Prepares a search.
  package init(_ query: WordQuery) {
    var phrases: [Phrase] = []
    test = Test(query.term, &phrases)
    self.phrases = phrases
  }

  /// Whether the words of the texts, of one or of several, meet the search.
  package func matches(_ texts: [TextWords]) -> Bool { test.holds(texts) }
}

extension TextWords {
  /// Whether the words of a phrase follow each other somewhere.
  fileprivate func contains(_ phrase: WordMatcher.Phrase) -> Bool {
    withPlaces(of: phrase) { $0.contains(where: $1) }
  }

  /// The words with which a phrase begins, by their numbers.
  func places(of phrase: WordMatcher.Phrase) -> [Int] { withPlaces(of: phrase) { $0.filter($1) } }

  /// Calls `body` with the words at which a phrase has room, and whether it is at one of them.
  @inline(__always)
  private func withPlaces<R>(
    of phrase: WordMatcher.Phrase, _ body: (Range<Int>, (Int) -> Bool) -> R
  ) -> R {
    let words = phrase.words
    return bytes.withUnsafeBufferPointer { text in
      body(0..<Swift.max(0, ranges.count - words.count + 1)) { start in
        words.indices.allSatisfy { index in
          let place = ranges[start + index]
          let mayGoOn = phrase.isPrefix && index == words.count - 1
          return (mayGoOn || place.count == words[index].count)
            && text.has(words[index], at: place.lowerBound, before: place.upperBound)
        }
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether the bytes of a part are at an index and end there before another one.
  fileprivate func has(_ part: [UInt8], at index: Int, before end: Int) -> Bool {
    index + part.count <= end && has(part, at: index)
  }
}
