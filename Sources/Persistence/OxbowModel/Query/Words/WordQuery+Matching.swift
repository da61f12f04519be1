extension WordQuery {
  /// Whether the words of a text meet the search.
  package func matches(_ words: TextWords) -> Bool { matches([words]) }

  /// Whether the words of several texts meet the search: a term may be in any of them, a phrase is
  /// in one.
  package func matches(_ texts: [TextWords]) -> Bool { WordMatcher(self).matches(texts) }
}

/// A search for words, prepared once for many texts.
///
/// Both executors use it: memory for a condition, SQLite's function for a statement.
package final class WordMatcher: Sendable {
  private indirect enum Test: Sendable {
    case phrase([[UInt8]], isPrefix: Bool)
    case all([Test])
    case any([Test])
    case without(Test, Test)

    init(_ term: WordQuery.Term) {
      switch term {
      case .phrase(let words, let isPrefix):
        self = .phrase(words.map { Array($0.utf8) }, isPrefix: isPrefix)
      case .all(let terms): self = .all(terms.map(Test.init))
      case .any(let terms): self = .any(terms.map(Test.init))
      case .without(let term, let other): self = .without(Test(term), Test(other))
      }
    }

    func holds(_ texts: [TextWords]) -> Bool {
      switch self {
      case .phrase(let words, let isPrefix):
        texts.contains { $0.contains(phrase: words, isPrefix: isPrefix) }
      case .all(let tests): tests.allSatisfy { $0.holds(texts) }
      case .any(let tests): tests.contains { $0.holds(texts) }
      case .without(let test, let other): test.holds(texts) && !other.holds(texts)
      }
    }
  }

  private let test: Test

  /// Prepares a search.
  package init(_ query: WordQuery) { test = Test(query.term) }

  /// Whether the words of the texts, of one or of several, meet the search.
  package func matches(_ texts: [TextWords]) -> Bool { test.holds(texts) }
}

extension TextWords {
  /// Whether the words of a phrase follow each other somewhere.
  fileprivate func contains(phrase: [[UInt8]], isPrefix: Bool) -> Bool {
    guard phrase.count <= ranges.count else { return false }
    return bytes.withUnsafeBufferPointer { text in
      (0...ranges.count - phrase.count).contains { start in
        phrase.indices.allSatisfy { index in
          let place = ranges[start + index]
          let mayGoOn = isPrefix && index == phrase.count - 1
          return (mayGoOn || place.count == phrase[index].count)
            && text.has(phrase[index], at: place.lowerBound, before: place.upperBound)
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
