import OxbowModel
import OxbowTestSupport
import Testing

/// PS-15: the piece of a text that shows why it meets a search.
@Suite struct WordSnippetTests {
  private let text = "It was an old gate, made of Iron ore and rust; behind it, nothing — or rust."

  @Test(arguments: [
    ("iron", 5, "…made of [Iron] ore and…"), ("iron rust", 4, "…[Iron] ore and [rust]…"),
    ("\"IRON ore\"", 4, "…of [Iron ore] and…"), ("gat*", 3, "…old [gate], made…"),
    ("rust", 1, "…[rust]…"), ("it", 4, "[It] was an old…"), ("or", 3, "…nothing — [or] rust."),
    ("\"iron ore\" OR \"ore and\"", 6, "…of [Iron ore and] rust; behind…"),
    ("rust NOT made", 3, "…and [rust]; behind…"), ("missing", 3, "It was an…"), ("", 2, "It was…"),
    ("\"iron ore and rust\"", 2, "…[Iron ore]…"), ("gate", 0, "…[gate]…"),
  ])
  func `PS-15 a snippet is where most terms are together`(
    search: String, words: Int, expected: String
  ) throws {
    let snippet = try WordQuery(search).snippet(of: text, SnippetStyle(words: words))
    #expect(snippet == expected)
  }

  @Test func `PS-15 a snippet has the text as it is written, whole if it is short`() throws {
    let search = try WordQuery("strasse* OR ecole")
    #expect(
      search.snippet(of: " «Straßenfest» à l'École! ", SnippetStyle(before: "<", after: ">"))
        == " «<Straßenfest>» à l'<École>! ")
    #expect(try WordQuery("京都").snippet(of: "東京都で", SnippetStyle(words: 2)) == "…[京都]…")
    #expect(search.snippet(of: "") == "")
    #expect(search.snippet(of: " … ") == " … ")
    let style = SnippetStyle(words: 1, before: "", after: "", ellipsis: "")
    #expect(search.snippet(of: "a ÉCOLE b", style) == "ÉCOLE")
  }

  @Test func `PS-15 folding a text leaves as many words, whatever letter is in it`() {
    // A snippet finds words in the folded text, and cuts them out of the text as it is written.
    for start in stride(from: 0, to: 0x3_2500, by: 256) as StrideTo<UInt32> {
      var text = (start..<start + 256).compactMap(Unicode.Scalar.init).map {
        "a\($0)b \($0)\($0) c"
      }.joined(separator: " ")
      let count = TextWords(text).ranges.count
      let places = text.withUTF8 { Array(WordSplitter($0)).count }
      #expect(count == places, "from U+\(String(start, radix: 16))")
    }
  }

  @Test func `PS-15 snippets of random texts are pieces of them with the words that were found`()
    throws
  {
    let seed = UInt64.random(in: 1...UInt64.max)
    print("Snippets: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let words = ["Rust", "iron", "İ", "ﬀ", "e\u{301}", "東京", "—", "😀", "गि", "x"]
    for _ in 0..<300 {
      let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in
        words.randomElement(using: &random) ?? ""
      }.joined(separator: [" ", "", ", "].randomElement(using: &random) ?? "")
      let search = WordQuery(
        all: (0..<2).map { _ in words.randomElement(using: &random) ?? "" }.joined(separator: " "))
      let width = Int.random(in: 1...12, using: &random)
      let snippet = search.snippet(
        of: text, SnippetStyle(words: width, before: "\u{1}", after: "\u{2}", ellipsis: "\u{3}"))
      let plain = String(snippet.unicodeScalars.filter { $0.value > 3 })
      let comment: Comment = "seed \(seed): \(search) in \(text), \(width): \(snippet)"
      #expect(text.utf8.contains(plain.utf8), comment)
      #expect(TextWords(plain).ranges.count <= width, comment)
      let hasPhrase = WordMatcher(search).matches([TextWords(text)]) && width >= 4
      #expect(snippet.contains("\u{1}") || !hasPhrase, comment)
    }
  }
}
