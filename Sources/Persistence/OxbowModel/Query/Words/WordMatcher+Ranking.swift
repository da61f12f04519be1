internal import OxbowFoundation

// How well texts meet a search: BM25, with the numbers and the sign of SQLite's FTS5.

/// What is known of all texts among which a search ranks those that meet it.
///
/// As text, which is how statements hand it on: all numbers with blanks between them.
package struct WordStatistics: Hashable, Sendable {
  /// How many objects have a word in one of the texts.
  package var texts = 0

  /// How many words they have.
  package var words = 0

  /// For each phrase of the search, how many objects have it; not counted for phrases behind NOT.
  package var hits: [Int]

  /// Numbers of no texts.
  package init(_ matcher: WordMatcher) { hits = Array(repeating: 0, count: matcher.phrases.count) }

  /// Reads the numbers from their text; those of no texts where it is not one of this search.
  package init(_ text: String, _ matcher: WordMatcher) {
    self.init(matcher)
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    guard numbers.count == hits.count + 2 else { return }
    (texts, words, hits) = (numbers[0], numbers[1], Array(numbers[2...]))
  }

  /// Counts the texts of an object.
  package mutating func add(_ texts: [TextWords], _ matcher: WordMatcher) {
    let length = texts.length
    guard length > 0 else { return }
    self.texts += 1
    words += length
    for phrase in matcher.phrases where phrase.isWanted {
      if texts.contains(where: { !$0.places(of: phrase).isEmpty }) { hits[phrase.number] += 1 }
    }
  }
}

extension WordStatistics: CustomStringConvertible {
  package var description: String {
    ([texts, words] + hits).map(String.init).joined(separator: " ")
  }
}

extension [TextWords] {
  /// The words of all texts together.
  fileprivate var length: Int { reduce(0) { $0 + $1.ranges.count } }
}

extension WordMatcher {
  /// The rank of an object: the smaller, the better, and always below zero; `nil` where its texts
  /// do not meet the search.
  package func rank(_ texts: [TextWords], among statistics: WordStatistics) -> Double? {
    let counts = phrases.map { phrase in texts.reduce(0) { $0 + $1.places(of: phrase).count } }
    return rank(counts, length: texts.length, among: statistics)
  }

  /// The rank of an object that has each phrase so many times, in so many words.
  package func rank(
    _ counts: [Int], length: Int, among statistics: WordStatistics
  ) -> Double? {
    test.score { phrase in
      let count = Double(counts[phrase.number])
      guard count > 0 else { return nil }
      let share = statistics.share(of: length)
      return statistics.weight(of: phrase) * (count * (Self.k1 + 1))
        / (count + Self.k1 * (1 - Self.b + Self.b * share))
    }.map { -$0 }
  }

  /// How fast more of the same phrase cease to count, as in FTS5.
  private static let k1 = 1.2

  /// How much the length of a text counts, as in FTS5.
  private static let b = 0.75
}

extension WordStatistics {
  /// A length in parts of the mean one.
  fileprivate func share(of length: Int) -> Double {
    words > 0 ? Double(length) / (Double(words) / Double(texts)) : 1
  }

  /// How rare a phrase is; never 0, as in FTS5, where half of all texts or more have it.
  fileprivate func weight(of phrase: WordMatcher.Phrase) -> Double {
    let hits = Double(hits[phrase.number])
    let weight = log((Double(texts) - hits + 0.5) / (hits + 0.5))
    return weight > 0 ? weight : 1e-6
  }
}

extension WordMatcher.Test {
  /// The sum of the scores of those phrases because of which the search is met; `nil` where it is
  /// not met.
  fileprivate func score(_ phrase: (WordMatcher.Phrase) -> Double?) -> Double? {
    switch self {
    case .phrase(let one): return phrase(one)
    case .all(let tests):
      var sum = 0.0
      for test in tests {
        guard let score = test.score(phrase) else { return nil }
        sum += score
      }
      return sum
    case .any(let tests):
      return tests.reduce(nil) { sum, test in
        test.score(phrase).map { (sum ?? 0) + $0 } ?? sum
      }
    case .without(let test, let other): return other.score(phrase) == nil ? test.score(phrase) : nil
    }
  }
}
