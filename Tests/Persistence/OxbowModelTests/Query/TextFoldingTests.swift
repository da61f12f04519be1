import OxbowModel
import OxbowTestSupport
import Testing

import Foundation

/// PF-08: text in every script, patterns and regular expressions.
@Suite struct TextFoldingTests {
  @Test(arguments: [
    ("STRASSE", "straße", "c"), ("É", "é", "c"), ("E\u{301}", "é", "c"), ("ΣΑΣ", "σας", "c"),
    ("Ǆ", "ǆ", "c"), ("\u{212A}", "k", "c"), ("É", "E", "d"), ("e\u{301}\u{323}", "e", "d"),
    ("Ё", "е", "cd"), ("İ", "i", "cd"), ("Ế", "e", "cd"), ("ﬁ", "FI", "c"), ("\u{212B}", "a", "cd"),
    ("Ϊ\u{301}", "ΐ", "c"), ("ß\u{301}", "sś", "c"), ("か\u{3099}", "が", "c"),
  ])
  func `PF-08 letters fold in every script`(a: String, b: String, letters: String) {
    #expect(TextFolding.folded(a, options(letters)) == TextFolding.folded(b, options(letters)))
  }

  @Test(arguments: [
    ("é", "e", "c"), ("É", "é", "d"), ("ø", "o", "cd"), ("ł", "l", "cd"), ("ı", "i", "c"),
  ])
  func `PF-08 other letters remain apart`(a: String, b: String, letters: String) {
    #expect(TextFolding.folded(a, options(letters)) != TextFolding.folded(b, options(letters)))
  }

  private func options(_ letters: String) -> TextOptions {
    var options: TextOptions = []
    if letters.contains("c") { options.insert(.caseInsensitive) }
    if letters.contains("d") { options.insert(.diacriticInsensitive) }
    return options
  }

  @Test(arguments: ["c", "d", "cd"])
  func `PF-08 each letter of scripts with case folds as Foundation folds it`(letters: String) {
    for range: Range<UInt32> in [0x20..<0x590, 0x10A0..<0x1100, 0x1E00..<0x2000, 0xFB00..<0xFB18] {
      for scalar in range.compactMap(Unicode.Scalar.init) {
        // Between letters: a text that begins with a mark is folded otherwise.
        let text = "\n\(scalar)\n"
        #expect(
          TextFolding.folded("\(scalar)", options(letters))
            == text.folding(options: foundation(letters), locale: nil).dropFirst().dropLast()
            || [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory),
          "\(letters) \(String(scalar.value, radix: 16))")
      }
    }
  }

  private func foundation(_ letters: String) -> String.CompareOptions {
    var foundation: String.CompareOptions = []
    if letters.contains("c") { foundation.insert(.caseInsensitive) }
    if letters.contains("d") { foundation.insert(.diacriticInsensitive) }
    return foundation
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PF-08 letters and marks are composed as Foundation composes them`(seed: UInt64) {
    print("Composition: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let marks: [Unicode.Scalar] = ["\u{301}", "\u{308}", "\u{323}", "\u{327}", "\u{345}"]
    for _ in 0..<5000 {
      var scalars: [Unicode.Scalar] = []
      for _ in 0..<3 {
        scalars +=
          [0x41...0x17F, 0x386...0x3CE, 0x1E00...0x1FFC].randomElement(using: &random)
          .flatMap { Unicode.Scalar(UInt32.random(in: $0, using: &random)) }.map { [$0] } ?? []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          scalars += [marks.randomElement(using: &random) ?? "\u{301}"]
        }
      }
      let text = String(String.UnicodeScalarView(scalars))
      let composed = Composition.composed(scalars.map(\.value))
      #expect(
        composed == text.precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value),
        "\(scalars)")
    }
  }

  @Test func `PF-08 a letter with thousands of marks is composed in one pass over them`() {
    let marks = Array(repeating: UInt32(0x301), count: 50_000)
    let below = Array(repeating: UInt32(0x323), count: 50_000)
    let composed = Composition.composed([0x61] + marks + below)
    #expect(composed == [0x1EA1] + below.dropFirst() + marks)
  }

  @Test(arguments: ["c", "d", "cd"])
  func `PF-08 jamo fold to the syllable that they spell, and old ones remain`(
    letters: String
  ) throws {
    let options = options(letters)
    let jamo = try (0x1100...0x11FF).map { try #require(Unicode.Scalar($0)) }
    let syllables: [Unicode.Scalar] = [
      "\u{AC00}", "\u{AC01}", "\u{D788}", "\u{D7A3}", "a", "\u{301}",
    ]
    for first in jamo + syllables {
      for second in jamo {
        let text = String(first) + String(second)
        let folded = TextFolding.folded(text, options)
        // Equal as Swift compares: jamo or their syllable.
        #expect(folded == text, "\(letters) \(first.value) \(second.value)")
        let isSyllable =
          (0x1100...0x1112).contains(first.value) && (0x1161...0x1175).contains(second.value)
          || first == "\u{AC00}" && (0x11A8...0x11C2).contains(second.value)
          || first == "\u{D788}" && (0x11A8...0x11C2).contains(second.value)
        #expect(folded.unicodeScalars.count == (isSyllable ? 1 : 2))
        #expect(Array(TextFolding.folded(folded, options).utf8) == Array(folded.utf8))
      }
    }
  }

  @Test(arguments: ["c", "d", "cd"])
  func `PF-08 marks beside jamo change neither`(letters: String) {
    let options = options(letters)
    for old in ["\u{1113}\u{1165}", "\u{1112}\u{1176}", "\u{1113}\u{116A}\u{11A8}"] {
      let folded = TextFolding.folded("E\u{301}" + old + "\u{1112}\u{1161}\u{11AB}É", options)
      let plain = TextFolding.folded("É", options)
      #expect(Array(folded.unicodeScalars) == Array((plain + old + "한" + plain).unicodeScalars))
    }
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PF-08 folding is Foundation's for random texts of scripts with case`(seed: UInt64) {
    print("Folding: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let ranges: [ClosedRange<UInt32>] = [0x20...0x7E, 0xA0...0x24F, 0x370...0x3FF, 0x400...0x50F]
    for _ in 0..<2000 {
      var text = ""
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
        let letter = Unicode.Scalar(UInt32.random(in: range, using: &random)) ?? "x"
        if !letter.properties.isAlphabetic { continue }
        text.unicodeScalars.append(letter)
        if Int.random(in: 0..<4, using: &random) == 0 {
          text.unicodeScalars.append(
            ["\u{301}", "\u{308}", "\u{323}"][Int.random(in: 0..<3, using: &random)])
        }
      }
      for letters in ["c", "d", "cd"] {
        let ours = TextFolding.folded(text, options(letters))
        // Equal as Swift compares: é in one scalar or in two.
        #expect(
          ours == text.folding(options: foundation(letters), locale: nil),
          "\(letters) \(text.debugDescription)")
        #expect(Array(TextFolding.folded(ours, options(letters)).utf8) == Array(ours.utf8))
      }
    }
  }

  @Test(arguments: [
    ("Duckling", "Duck*", true), ("duck", "Duck*", false), ("ab", "a?", true), ("a", "a?", false),
    ("aé", "a?", true), ("a*b", "a\\*b", true), ("axb", "a\\*b", false), ("", "*", true),
    ("aXbXc", "*X?", true), ("aXbXcd", "*X?", false), ("line\nbreak", "line*", true),
    ("", "", true),
    ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaab", "*a*a*a*a*a*a*c", false),
  ])
  func `PF-08 LIKE knows any text, any scalar, and escapes`(
    text: String, pattern: String, expected: Bool
  ) throws {
    #expect(try TextTest(.like, pattern, []).holds(text) == expected)
  }

  @Test(arguments: [
    ("ab", "a|ab", "", true), ("abc", "a|ab", "", false), ("ÉA", "éa", "c", true),
    ("éa", "ea", "d", true), ("ab", "(?x) a b # all", "", true), ("a\nb", "a.b", "", false),
    ("x1", "\\w\\d", "", true), ("ab)", "ab\\)", "", true),
  ])
  func `PF-08 MATCHES compares the whole text`(
    text: String, pattern: String, letters: String, expected: Bool
  ) throws {
    #expect(try TextTest(.matches, pattern, options(letters)).holds(text) == expected)
  }

  @Test func `PF-08 a pattern that cannot be read is refused`() {
    let open = #expect(throws: PersistenceError.self) { try TextTest(.matches, "a)(b", []) }
    #expect(open?.code == .invalidPredicate)
    let end = #expect(throws: PersistenceError.self) { try TextTest(.like, "a\\", []) }
    #expect(
      end?.message
        == "the pattern 'a\\' ends with a single backslash; write two for the character itself")
  }
}
