import OxbowModel
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PS-15: how well texts meet a search.
@Suite struct WordRankTests {
  private let texts = [
    "rust", "rust and iron", "rust rust iron", "iron ore, iron ore and rust of old gates",
    "nothing of it", "",
  ]

  private func statistics(_ matcher: WordMatcher, _ texts: [String]) -> WordStatistics {
    texts.reduce(into: WordStatistics(matcher)) { $0.add([TextWords($1)], matcher) }
  }

  private func ranks(_ search: String, _ texts: [String]) throws -> [Double?] {
    let matcher = WordMatcher(try WordQuery(search))
    let statistics = statistics(matcher, texts)
    return texts.map { matcher.rank([TextWords($0)], among: statistics) }
  }

  @Test func `PS-15 a rank is BM25 with the numbers and the sign of FTS5`() throws {
    let matcher = WordMatcher(try WordQuery("gates"))
    var statistics = statistics(matcher, texts)
    #expect("\(statistics)" == "5 19 1")
    statistics.texts = 100
    // ln((100 - 1 + 0.5) / 1.5) · 2.2 / (1 + 1.2 · (0.25 + 0.75 · 9 / 0.19))
    let rank = try #require(matcher.rank([TextWords(texts[3])], among: statistics))
    #expect(abs(rank + 0.210_061_277_114_121) < 1e-12, "\(rank)")
    #expect(matcher.rank([TextWords(texts[0])], among: statistics) == nil)
  }

  @Test(arguments: [
    ("gates OR rust", [3, 2, 0, 1]), ("ore", [3]), ("\"iron ore\" OR gates", [3]),
    ("rust NOT (iron OR gates)", [0]), ("nothing", [4]), ("missing", []), ("", []),
  ])
  func `PS-15 rare, many and dense words make a rank better`(
    search: String, expected: [Int]
  ) throws {
    // Others, so that no word is in half of the texts.
    let ranks = try ranks(search, texts + Array(repeating: "some other text", count: 9))
    let found = ranks.indices.filter { ranks[$0] != nil }
    #expect(found.allSatisfy { ranks[$0].map { $0 < 0 } ?? false })
    let order = found.sorted { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
    #expect(order == expected, "\(ranks)")
  }

  @Test func `PS-15 a phrase counts only where it is a reason for the hit`() throws {
    let texts = ["rust", "rust iron", "rust gate", "x", "y", "z", "a", "b"]
    // The second text has iron, so its rust is not wanted; the gate of the third one is.
    let one = try ranks("(rust NOT iron) OR gate", texts)
    let two = try ranks("rust OR gate", texts)
    #expect(one[1] == nil)
    #expect(one[0] == two[0] && one[2] == two[2])
    let both = try ranks("(rust iron) OR rust", texts)
    #expect(both[0] == two[0])
    #expect(try #require(both[1]) < #require(two[1]))
  }

  @Test func `PS-15 words that most texts have still count a little`() throws {
    let ranks = try ranks("rust", ["rust", "rust rust"])
    #expect(try #require(ranks[0]) < 0)
    #expect(try #require(ranks[1]) < #require(ranks[0]))
  }

  @Test(arguments: ["", "1 2", "a b c", "1 2 3 4"])
  func `PS-15 numbers of another search are none`(text: String) throws {
    let matcher = WordMatcher(try WordQuery("rust"))
    #expect(WordStatistics(text, matcher) == WordStatistics(matcher))
    let numbers = WordStatistics("7 40 3", matcher)
    #expect("\(numbers)" == "7 40 3")
    #expect(numbers.texts == 7 && numbers.words == 40 && numbers.hits == [3])
  }

  // MARK: The search of a condition

  private func search(_ format: String) throws -> (search: RankedSearch, rest: FetchPredicate?) {
    try RankedSearch.of(try FetchPredicate(format: format), for: "rank()")
  }

  @Test func `PS-15 the search of a condition is the one that every object meets`() throws {
    let alone = try search("body WORDS 'rust'")
    #expect(alone.rest == nil)
    #expect(alone.search.query == (try WordQuery("rust")))
    let joined = try search("year > 1 AND ({title, body, title} WORDS 'rust*' AND year < 9)")
    #expect(joined.search.texts == [.path(["title"]), .path(["body"])])
    #expect(joined.rest == (try FetchPredicate(format: "year > 1 AND year < 9")))
    let other = try search("body WORDS 'rust' AND NOT title WORDS 'iron'")
    #expect(other.search.texts == [.path(["body"])])
    #expect(try search("body WORDS NULL").search.query == WordQuery(""))
  }

  @Test(arguments: [
    (
      "year > 1",
      "'rank()' needs a search for words in the condition, such as '.words(\"body\", text)': it says "
        + "how well each object meets it"
    ),
    (
      "body WORDS 'rust' OR year > 1",
      "'rank()' needs a search for words that every object meets; the one of the condition is below "
        + "OR, NOT or a quantifier, so join it to the rest with AND"
    ),
    (
      "ANY notes.body WORDS 'rust'",
      "'rank()' needs a search for words that every object meets; the one of the condition is below "
        + "OR, NOT or a quantifier, so join it to the rest with AND"
    ),
    (
      "title WORDS 'a' AND body WORDS 'b'",
      "'rank()' is about one search for words, and the condition has 2; search all texts at once: "
        + "'.words([\"title\", \"body\"], text)'"
    ),
    (
      "body WORDS title",
      "'rank()' needs a search for words that is a text, and 'title' differs from object to object"
    ),
  ])
  func `PS-15 a condition without one search has no rank`(format: String, message: String) throws {
    let error = #expect(throws: PersistenceError.self) { try search(format) }
    #expect(error?.code == .invalidPredicate)
    #expect(error?.message == message)
  }

  // MARK: Columns

  @Test(arguments: [
    ("rank()", FetchColumn.rank), ("rank() as r", .rank(as: "r")),
    ("snippet(body)", .snippet("body")),
    ("snippet(author.name, 8)", .snippet("author.name", SnippetStyle(words: 8))),
    (
      "snippet(body, 8, '<b>', \"</b>\", '\\\\')",
      .snippet(
        "body", SnippetStyle(words: 8, before: "<b>", after: "</b>", ellipsis: "\\"))
    ),
  ])
  func `PS-15 columns about a search are written as text`(text: String, column: FetchColumn) throws
  {
    let read = try FetchColumn(text).resolved()
    #expect(read.expression == (try column.resolved()).expression)
    #expect(try FetchColumn("\(read.expression)").resolved().expression == read.expression)
  }

  @Test func `PS-15 a property called rank is a property`() throws {
    #expect(try FetchColumn("rank").resolved().expression == .value(.path(["rank"])))
    #expect(OrderingTerm("rank").isRank == false && OrderingTerm("rank()").isRank)
  }

  @Test(arguments: [
    ("snippet(body, 0)", "how many words a snippet has"),
    ("snippet(body, 3, x)", "a text in quotes"), ("rank(body)", "')'"), ("snippet()", "a value"),
  ])
  func `PS-15 columns that cannot be read are refused`(text: String, expected: String) {
    let error = #expect(throws: PersistenceError.self) { try FetchColumn(text).resolved() }
    #expect(error?.message.contains("expected \(expected)") == true, "\(error?.message ?? "")")
  }

  @Test func `PS-15 groups have no rank`() {
    let error = #expect(throws: PersistenceError.self) {
      try ColumnQuery(entity: 0, columns: ["count()", "snippet(body)"])
    }
    #expect(
      error?.message
        == "'snippet(body)' is about one object, and the rows are groups of objects; fetch it "
        + "without aggregates and 'groupedBy'")
  }
}
