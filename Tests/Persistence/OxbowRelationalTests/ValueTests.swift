import OxbowRelational
import Testing

/// What SQL makes of values and names.
@Suite struct ValueTests {
  @Test func `texts are equal if their bytes are, as in a store`() {
    let (composed, decomposed) = (SQLValue.text("\u{E9}"), SQLValue.text("e\u{301}"))
    #expect(composed != decomposed)
    #expect(composed == .text("\u{E9}"))
    #expect(Set([composed, decomposed, .text("\u{E9}")]).count == 2)
    #expect(SQLValue.text("1") != .integer(1))
    #expect(Set<SQLValue>([.null, .integer(0), .real(0), .text(""), .blob([])]).count == 5)
  }

  @Test(arguments: ["'\u{301}", "a'\u{FE0F}'b", "'", "''\u{200D}", "\r\n'\n"])
  func `a quote is doubled, whatever follows it`(text: String) {
    #expect(Array(SQLValue.text(text).literal.utf8) == Self.doubled(text, 0x27))
    let name = String(decoding: text.utf8.map { $0 == 0x27 ? 0x22 : $0 }, as: UTF8.self)
    #expect(Array(quoted(name).utf8) == Self.doubled(name, 0x22))
  }

  private static func doubled(_ text: String, _ mark: UInt8) -> [UInt8] {
    [mark] + text.utf8.flatMap { $0 == mark ? [mark, mark] : [$0] } + [mark]
  }
}
