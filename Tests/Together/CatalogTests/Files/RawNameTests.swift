import Foundation
import Testing

@testable import catalog

@Suite struct RawNameTests {
  @Test(
    arguments: [
      ([0x61, 0x62], "ab"), ([0xC3, 0xA4], "ä"), ([0xFF], "\\xFF"), ([0x0A, 0xC3], "\n\\xC3"),
      ([0x61, 0xE2, 0x82, 0x62], "a\\xE2\\x82b"), ([0xF0, 0x9F, 0x98, 0x80], "😀"), ([], ""),
    ] as [([UInt8], String)])
  func `a name shows each byte that is not text`(bytes: [UInt8], display: String) {
    #expect(RawName(Data(bytes)).display == display)
  }

  @Test(arguments: [
    ("a.txt", "txt"), ("A.TXT", "txt"), ("archive.tar.gz", "gz"), (".profile", ""), ("a.", ""),
    ("Makefile", ""), ("v1.2 final", ""), ("x.\(String(repeating: "y", count: 17))", ""),
    ("é.ÄÖ", "äö"),
  ])
  func `a kind is the extension in lower case`(name: String, kind: String) {
    #expect(RawName(name).kind == kind)
  }

  @Test func `a path is inside itself and in what is above it, not beside it`() {
    #expect(RawName("/a/b").isInside(RawName("/a")))
    #expect(RawName("/a").isInside(RawName("/a")))
    #expect(RawName("/a").isInside(RawName("/")))
    #expect(!RawName("/ab").isInside(RawName("/a")))
    #expect(!RawName("/").isInside(RawName("/a")))
    #expect(RawName("/").appending(RawName("a")) == RawName("/a"))
    #expect(RawName("/a").appending(RawName("b")) == RawName("/a/b"))
  }
}

@Suite struct ByteCountTests {
  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1949, "1.9 kB"),
    (1950, "2.0 kB"), (999_949, "999.9 kB"), (999_951, "1.0 MB"), (5_000_000_000, "5.0 GB"),
    (-2500, "-2.5 kB"), (Int.max, "9.2 EB"),
  ])
  func `a number of bytes has three or four digits`(count: Int, text: String) {
    #expect(ByteCount(count).description == text)
  }
}

@Suite struct NamePatternTests {
  @Test(arguments: [
    ("*.gz", "a.GZ", true), ("*.gz", "a.gzip", false), ("a*", "A", true), ("a*", "ba", false),
    ("*x*", "axb", true), ("*x*", "ab", false), ("a*c*e", "abcde", true), ("a*c*e", "aecd", false),
    ("ab*ba", "aba", false), ("ab*ba", "abba", true), ("", "", true), ("", "a", false),
    ("*", "anything", true), ("abc", "ABC", true), ("abc", "abcd", false), ("*ab*b", "ab", false),
  ])
  func `a star matches any text`(pattern: String, name: String, isMatch: Bool) {
    #expect(NamePattern(pattern).matches(name) == isMatch)
  }
}

@Suite struct ProgressDisplayTests {
  /// What a display writes, shown at each of `seconds` after its start.
  private func written(isTerminal: Bool, isQuiet: Bool = false, seconds: [Double]) -> String {
    var moment = IndexProgress.Snapshot()
    moment.foldersFound = 40
    moment.foldersDone = 10
    moment.tally.files.inserted = 123
    moment.tally.bytes = 4_500_000
    var time = Date(timeIntervalSinceReferenceDate: 0)
    var text = ""
    let display = ProgressDisplay(
      isTerminal: isTerminal, isQuiet: isQuiet, now: { time }, write: { text += $0 })
    for second in seconds {
      time = Date(timeIntervalSinceReferenceDate: second)
      display.show(moment, isWalking: second < 6)
    }
    display.clear()
    return text
  }

  @Test func `a terminal gets a bar that is drawn again and removed at the end`() {
    #expect(
      written(isTerminal: true, seconds: [0.05, 0.2, 0.25, 7])
        == "\r\u{1B}[K[######------------------] 10 of 40 folders found so far, 123 files, 4.5 MB"
        + "\r\u{1B}[K[######------------------] 10 of 40 folders, 123 files, 4.5 MB\r\u{1B}[K")
  }

  @Test func `anything else gets a line now and then`() {
    #expect(
      written(isTerminal: false, seconds: [1, 4, 5, 6, 10])
        == "10 of 40 folders found so far, 123 files, 4.5 MB\n"
        + "10 of 40 folders, 123 files, 4.5 MB\n")
    #expect(written(isTerminal: false, isQuiet: true, seconds: [5, 10]) == "")
  }
}
