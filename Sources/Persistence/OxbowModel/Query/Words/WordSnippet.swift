/// How a piece of a text is cut out and marked.
public struct SnippetStyle: Sendable, Hashable {
  /// How many words it has at most; at least one.
  public var words: Int

  /// What is before words that were searched for.
  public var before: String

  /// What is behind them.
  public var after: String

  /// What replaces the text that was cut off, at each end.
  public var ellipsis: String

  /// Creates a style.
  ///
  /// Nothing in the text is escaped: a program that shows snippets as HTML marks words with signs
  /// that no text has, escapes the snippet, and replaces the signs then.
  public init(
    words: Int = 16, before: String = "[", after: String = "]", ellipsis: String = "…"
  ) {
    self.words = words
    self.before = before
    self.after = after
    self.ellipsis = ellipsis
  }
}

extension WordQuery {
  /// The piece of a text that shows best why it meets the search, as it is written, with the words
  /// that were searched for marked.
  ///
  /// It is where most terms of the search are together; the beginning of a text that has none of
  /// them. Terms behind NOT are not marked.
  public func snippet(of text: String, _ style: SnippetStyle = SnippetStyle()) -> String {
    WordMatcher(self).snippet(of: text, style)
  }
}

extension WordMatcher {
  /// The piece of a text that shows best why it meets the search.
  package func snippet(of text: String, _ style: SnippetStyle) -> String {
    var text = text
    return text.withUTF8 { Snippet(of: $0, self, style).text }
  }
}

/// A piece of a text.
private struct Snippet {
  /// The place of a phrase, counted in words.
  private struct Hit {
    let phrase: Int
    let words: Range<Int>

    var order: (Int, Int) { (words.lowerBound, words.upperBound) }
  }

  private let source: UnsafeBufferPointer<UInt8>
  private let style: SnippetStyle
  private let width: Int

  /// Where each word is in the text as it is written.
  private let places: [Range<Int>]
  private let hits: [Hit]

  init(of source: UnsafeBufferPointer<UInt8>, _ matcher: WordMatcher, _ style: SnippetStyle) {
    self.source = source
    self.style = style
    width = max(1, style.words)
    places = Array(WordSplitter(source))
    let words = TextWords(source)
    // Both have as many words; nothing is read behind the end if they had not.
    let end = places.count
    hits = matcher.phrases.filter(\.isWanted).flatMap { phrase in
      words.places(of: phrase).map {
        Hit(phrase: phrase.number, words: $0..<$0 + phrase.words.count)
      }
    }.filter { $0.words.upperBound <= end }.sorted { $0.order < $1.order }
  }

  // MARK: Which words

  /// The words that are shown: those of the best window, in the middle.
  private var window: Range<Int> {
    guard let best else { return 0..<min(width, places.count) }
    let margin = (width - min(width, best.count)) / 2
    let end = min(places.count, max(0, best.lowerBound - margin) + width)
    return max(0, end - width)..<end
  }

  /// The words from the first hit to the last one of the window with most different phrases, then
  /// with most hits, then the first.
  private var best: Range<Int>? {
    // A hit is whole in the windows that begin from here to its own first word.
    let arrivals = hits.sorted { arrival(of: $0) < arrival(of: $1) }
    var (next, last) = (0, 0)
    var counts: [Int: Int] = [:]
    var best: (score: (Int, Int), words: Range<Int>)?
    for (index, hit) in hits.enumerated() {
      while next < arrivals.count, arrival(of: arrivals[next]) <= hit.words.lowerBound {
        counts[arrivals[next].phrase, default: 0] += 1
        last = max(last, arrivals[next].words.upperBound)
        next += 1
      }
      let score = (counts.count, next - index)
      if best.map({ score > $0.score }) ?? true {
        best = (score, hit.words.lowerBound..<last)
      }
      counts[hit.phrase, default: 1] -= 1
      if counts[hit.phrase] == 0 { counts[hit.phrase] = nil }
    }
    return best?.words
  }

  /// The first window that has all of a hit, or as much as there is room for.
  private func arrival(of hit: Hit) -> Int {
    min(hit.words.lowerBound, hit.words.upperBound - width)
  }

  // MARK: As text

  var text: String {
    let window = window
    guard !window.isEmpty else { return String(decoding: source, as: UTF8.self) }
    let isStart = window.lowerBound == 0
    let isEnd = window.upperBound == places.count
    var result = isStart ? "" : style.ellipsis
    var index = isStart ? 0 : places[window.lowerBound].lowerBound
    for marked in marked(in: window) {
      let start = places[marked.lowerBound].lowerBound
      let end = places[marked.upperBound - 1].upperBound
      result += piece(index..<start) + style.before + piece(start..<end) + style.after
      index = end
    }
    result += piece(index..<(isEnd ? source.count : places[window.upperBound - 1].upperBound))
    return isEnd ? result : result + style.ellipsis
  }

  private func piece(_ bytes: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: source[bytes]), as: UTF8.self)
  }

  /// The words of hits, those that share words together.
  private func marked(in window: Range<Int>) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for words in hits.map(\.words) {
      let shown = words.clamped(to: window)
      guard !shown.isEmpty, shown == words || words.count > width else { continue }
      if let last = result.last, shown.lowerBound < last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, shown.upperBound)
      } else {
        result.append(shown)
      }
    }
    return result
  }
}
