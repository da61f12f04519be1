import OxbowFoundation
import OxbowTestSupport
import Testing

@testable import OxbowModel

/// What an index of substrings has of texts, and what conditions ask it for.
@Suite struct TextSkeletonTests {
  /// `OXBOW_AGREEMENT_ROUNDS` sets how many random texts are tried.
  private static let rounds =
    ProcessInfo.processInfo.environment["OXBOW_AGREEMENT_ROUNDS"].flatMap { Int($0) } ?? 2000

  private static let options = (0..<4).map { TextOptions(rawValue: $0) }

  /// Scalars whose folding depends on what is beside them, or makes several of one.
  private static let strange: [UInt32] = [
    0x41, 0x61, 0x300, 0x301, 0x327, 0x345, 0x391, 0x3A3, 0x3B1, 0x3C2, 0x3C3, 0x1F80, 0x1FBC, 0xDF,
    0x1E9E, 0x130, 0x131, 0x149, 0x212A, 0x2126, 0x2C62, 0xFB01, 0x304B, 0x3099, 0x1100, 0x1161,
    0x11A8, 0xAC00, 0xD55C, 0x5D0, 0x5B0, 0x9C7, 0x9BE, 0xCCB, 0x110BA, 0x1D15E, 0x302A, 0x65E5,
    0xFA10, 0x1F600, 0,
  ]

  private func has(_ texts: String) -> String {
    var texts = texts
    return texts.withUTF8(TextSkeleton.indexed)
  }

  /// Whether an index that has a text leaves it to a condition.
  private func finds(
    _ part: String, _ options: TextOptions, in text: String, _ comparison: TextOperator = .contains
  ) -> Bool {
    let trigrams = TextSkeleton.trigrams(comparison, part, options)
    return trigrams.map { $0.all.allSatisfy(has(text).unicodeScalars.contains) } ?? true
  }

  @Test func `PS-15 folding in any options changes no skeleton of a scalar`() {
    let letters = Array(ScalarTables.letters.keys) + ScalarTables.parts.keys + ScalarTables.marks
    for scalar in Self.strange + letters {
      for beside in [[scalar], [0x61, scalar, 0x62], [0x5D0, scalar, 0x301, 0x5D1]] {
        for options in Self.options {
          let text = String(scalars: beside)
          let folded = TextFolding.folded(text, options)
          #expect(
            skeleton(folded, options) == skeleton(text, options),
            "U+\(String(scalar, radix: 16)), options \(options.rawValue)")
        }
      }
    }
  }

  private func skeleton(_ text: String, _ options: TextOptions) -> String {
    // An iota below a letter is one skeleton of two.
    let skeletons = has(text).split(separator: "\n", omittingEmptySubsequences: false)
    let last = options.contains(.diacriticInsensitive) ? skeletons.last : skeletons.first
    return last.map { String($0) } ?? ""
  }

  @Test(arguments: [1, UInt64.random(in: 2...UInt64.max)])
  func `PS-15 an index leaves each text that a condition may hold of, wherever a part is cut`(
    seed: UInt64
  ) throws {
    print("Skeletons: seed \(seed), \(Self.rounds) texts")
    var random = SeededRandom(seed: seed)
    let letters = Array(ScalarTables.letters.keys).sorted() + ScalarTables.marks.sorted()
    var asked = 0
    for _ in 0..<Self.rounds {
      let scalars = (0..<Int.random(in: 3...12, using: &random)).map { _ in
        (random.chance(70) ? Self.strange : letters).randomElement(using: &random) ?? 0x61
      }
      let text = String(scalars: scalars)
      for options in Self.options {
        let folded = Array(TextFolding.folded(text, options).unicodeScalars)
        let whole = random.chance(50) ? Array(text.unicodeScalars) : folded
        guard !whole.isEmpty else { continue }
        let start = Int.random(in: whole.indices, using: &random)
        let end = Int.random(in: start...whole.endIndex, using: &random)
        let part = String(String.UnicodeScalarView(whole[start..<end]))
        guard try TextTest(.contains, part, options).holds(text) else { continue }
        asked += TextSkeleton.trigrams(.contains, part, options) == nil ? 0 : 1
        #expect(
          finds(part, options, in: text),
          "seed \(seed): \(part.debugDescription) in \(text.debugDescription), \(options.rawValue)")
      }
    }
    #expect(asked > Self.rounds / 2, "seed \(seed): most parts are too short")
  }

  @Test(arguments: [
    ("Cafe\u{301} noir", "Cafe", 0), ("Café noir", "CAFE\u{301} N", 1), ("Café noir", "cafe n", 3),
    ("Straße", "STRASS", 1), ("STRASSE", "straße", 1), ("xẞ\u{301}yz", "s\u{15B}yz", 1),
    ("İstanbul", "i\u{307}sta", 1), ("İstanbul", "ISTAN", 3), ("ΟΔΥΣΣΕΥΣ", "υσς", 1),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}어", "한국어", 1),
    ("한국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", 3), ("ᾳδης", "αιδ", 1),
    ("ᾳδης", "αδη", 2),
    ("a\u{0}bc", "a\u{0}b", 0), ("ﬁnd it", "ﬁnd", 0), ("が\u{3099}ぎぐ", "か\u{3099}\u{3099}ぎ", 1),
  ])
  func `PS-15 what a condition finds at a boundary of letters, an index leaves to it`(
    text: String, part: String, options: UInt8
  ) throws {
    let options = TextOptions(rawValue: options)
    #expect(try TextTest(.contains, part, options).holds(text))
    #expect(finds(part, options, in: text))
  }

  @Test func `PS-15 an index leaves out most texts without a part`() {
    #expect(!finds("iron", [], in: "rust never sleeps"))
    #expect(!finds("neverz", [], in: "rust never sleeps"))
    #expect(finds("NEVER", [], in: "rust never sleeps"), "the condition decides about case")
    #expect(!finds("한국", [], in: "한글"), "a syllable is its jamo")
    #expect(!finds("*ust*iron?", [], in: "rust never sleeps", .like))
    #expect(finds("r?st*sleeps", [], in: "rust never sleeps", .like))
    #expect(finds("\\*ust", [], in: "rust *ust", .like))
  }

  @Test func `PS-15 what is too short, or no text, asks no index`() {
    #expect(TextSkeleton.trigrams(.contains, "ab", []) == nil)
    #expect(TextSkeleton.trigrams(.contains, "e\u{301}e\u{301}", []) == nil)
    #expect(TextSkeleton.trigrams(.contains, "한", [])?.all == ["\u{1112}\u{1161}\u{11AB}"])
    #expect(TextSkeleton.trigrams(.like, "a?b*cd", []) == nil)
    #expect(TextSkeleton.trigrams(.matches, "rust.*", []) == nil)
    #expect(TextSkeleton.trigrams(.contains, "abcd", [])?.all == ["abc", "bcd"])
    let long = String(repeating: "abcdefghij", count: 100)
    #expect(TextSkeleton.trigrams(.contains, long, [])?.all.count == 16)
  }

  @Test func `PS-15 a text that is too long or not UTF-8 is always asked`() throws {
    let unknown = try #require(TextSkeleton.trigrams(.contains, "abc", [])).unknown
    #expect(has(String(repeating: "a", count: TextSkeleton.longest)).utf8.count > 3)
    #expect(has(String(repeating: "a", count: TextSkeleton.longest + 1)) == unknown)
    let damaged: [UInt8] = [0x61, 0xC1, 0x81, 0x62]
    #expect(damaged.withUnsafeBufferPointer(TextSkeleton.indexed) == unknown)
  }
}

extension String.UnicodeScalarView {
  fileprivate func contains(_ part: String) -> Bool {
    let (all, part) = (Array(self), Array(part.unicodeScalars))
    return (0...Swift.max(0, all.count - part.count)).contains {
      all[$0...].starts(with: part)
    }
  }
}
