import OxbowModel
import OxbowTestSupport
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// PS-15: what a word is, for every executor.
@Suite struct TextWordsTests {
  @Test(arguments: [
    ("Rust, IRON & ore", "rust iron ore"), ("e-mail don't a_b", "e mail don t a b"),
    ("  a\n\tb\0c ", "a b c"), ("x2 1984 m² Ⅷ", "x2 1984 m² ⅷ"), ("", ""), (" .,;", ""),
    ("हिन्दी भाषा", "हिन्दी भाषा"), ("한국어 문장", "한국어 문장"),
    ("日本語テキスト", "日 本 語 テ キ ス ト"), ("ภาษาไทย", "ภ า ษ า ไ ท ย"), ("ລາວ", "ລ າ ວ"),
    ("ខ្មែរ", "ខ ្ ម ែ រ"), ("မြန်", "မ ြ န ်"), ("RFC東京12", "rfc 東 京 12"),
    ("❤️ 👩‍👧 a😀b", "a b"), ("1️⃣", "1"), ("葛\u{E0100}城", "葛 城"),
  ])
  func `PS-15 letters, digits and marks are words, and all else separates them`(
    text: String, words: String
  ) {
    #expect(TextWords(text).text == words)
    #expect(TextWords(text).words == words.unicodeScalars.split(separator: " ").map { String($0) })
  }

  @Test(arguments: [
    ("ΕΛΛΑΣ", "ελλάς"), ("STRASSE", "straße"), ("ﬀ", "FF"), ("É", "e\u{301}"), ("Ёж", "еж"),
    ("İ", "i"), ("か\u{3099}", "が"), ("آ", "\u{627}\u{653}"), ("क़", "क\u{93C}"),
    ("\u{1112}\u{1161}\u{11AB}", "한"), ("α\u{302D}\u{344}", "α\u{302D}"),
    ("α\u{302D}\u{302D}\u{301}", "α\u{302D}\u{302D}"),
  ])
  func `PS-15 case, marks of letters and the form of a text are overlooked`(a: String, b: String) {
    #expect(TextWords(a).bytes == TextWords(b).bytes)
  }

  @Test(arguments: [("ｆｕｌｌ", "full"), ("ı", "i"), ("ø", "o"), ("が", "か"), ("अ", "आ")])
  func `PS-15 other letters make other words`(a: String, b: String) {
    #expect(TextWords(a).bytes != TextWords(b).bytes)
  }

  @Test func `PS-15 a mark without a letter is not a word`() {
    #expect(TextWords("\u{FE0F} \u{93C}x").words == ["x"])
  }

  @Test func `PS-15 of a long word, 255 bytes count, and whole letters of them`() {
    let long = String(repeating: "x", count: 300)
    #expect(TextWords(long).words == [String(repeating: "x", count: 255)])
    #expect(TextWords("\(long) y").ranges == [0..<255, 256..<257])
    #expect(
      TextWords(String(repeating: "ж", count: 200)).words == [String(repeating: "ж", count: 127)])
  }

  @Test func `PS-15 damaged bytes separate words`() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xE3, 0x81]
    let words = bytes.withUnsafeBufferPointer { TextWords($0).words }
    #expect(words == ["a", "b"])
  }

  @Test func `PS-15 the places of words are found in the text as it was written`() {
    var text = "Das Gemüse, das"
    let words = text.withUTF8 { bytes in
      WordSplitter(bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(words == ["Das", "Gemüse", "das"])
  }

  /// The version is a fact in stores: what they keep of words is made anew when it grows.
  @Test func `PS-15 the words of letters are those of the version`() {
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    for range: Range<UInt32> in [
      1..<0x3200, 0xA000..<0xAC00, 0xF900..<0x1_2000, 0x1_D000..<0x2_0000,
    ] {
      for scalar in range.compactMap(Unicode.Scalar.init) {
        for byte in TextWords("a\(scalar)b").bytes + [0] {
          digest = (digest ^ UInt64(byte)) &* 0x100_0000_01B3
        }
      }
    }
    #expect(TextWords.version == 2)
    #expect(digest == 0x335D_AB42_3351_7D49, "letters have changed: let TextWords.version grow")
  }

  @Test(arguments: [1, 15_448_172_176_022_218_503, UInt64.random(in: 2...UInt64.max)])
  func `PS-15 words of words are the same words`(seed: UInt64) {
    print("Words of words: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let ranges: [ClosedRange<UInt32>] = [
      0x20...0x7E, 0xA0...0x52F, 0x5D0...0xEFF, 0x1000...0x1FFF, 0x3000...0x30FF, 0x4E00...0x4E10,
      0xAC00...0xAC20, 0x1F600...0x1F610,
    ]
    for _ in 0..<3000 {
      var text = ""
      for _ in 0..<12 {
        let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
        text.unicodeScalars.append(
          Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? " ")
      }
      let words = TextWords(text)
      #expect(
        TextWords(words.text).bytes == words.bytes,
        "seed \(seed): \(text.unicodeScalars.map(\.value))")
    }
  }
}
