import Testing

@testable import scenes

struct ScreenTests {
  private let all = CellRect(x: 0, y: 0, width: 12, height: 4)

  @Test func `what is outside of the clip is not written`() {
    var screen = Screen(12, 4)
    screen.write("abcdef", x: -2, y: 1, .plain, in: CellRect(x: 1, y: 1, width: 2, height: 1))
    screen.write("xyz", x: 0, y: 2, .plain, in: CellRect(x: 1, y: 1, width: 2, height: 1))
    #expect(shown(screen).lines == ["", " de", "", ""])
  }

  @Test func `half of a wide character is not a character`() {
    var screen = Screen(12, 4)
    screen.write("a漢b", x: 0, y: 0, .plain, in: all)
    screen.write("漢漢", x: 9, y: 1, .plain, in: all)
    #expect(shown(screen).lines == ["a漢b", "         漢", "", ""])
    screen.write("x", x: 2, y: 0, .plain, in: all)
    #expect(shown(screen).lines[0] == "a xb")
    screen.write("漢", x: 0, y: 2, .plain, in: all)
    screen.write("y", x: 0, y: 2, .plain, in: all)
    #expect(shown(screen).lines[2] == "y")
  }

  @Test func `a name cannot control the terminal`() {
    var screen = Screen(12, 4)
    screen.write("a\u{1B}[2J\u{7}\r\nb\u{200B}", x: 0, y: 0, .plain, in: all)
    #expect(shown(screen).lines == ["a?[2J??b?", "", "", ""])
    #expect(shown(screen).unknown == [])
  }

  @Test func `the changes of a picture make of the old one the new one`() {
    var random = SplitMix(state: 7)
    var old = Screen(12, 4)
    var terminal = shown(old)
    for _ in 0..<500 {
      var new = random.next() % 2 == 0 ? old : Screen(12, 4)
      for _ in 0..<Int(random.next() % 4) {
        let text = ["abc", "漢字", " ", "é—x", "日本a"][Int(random.next() % 5)]
        let style = [CellStyle.plain, .bold, .reversed][Int(random.next() % 3)]
        new.write(
          text, x: Int(random.next() % 14) - 1, y: Int(random.next() % 4), style, in: all)
      }
      terminal.apply(Array(new.changes(from: old).utf8))
      #expect(terminal.styledLines == shown(new).styledLines)
      #expect(new.changes(from: new) == "")
      old = new
    }
  }

  /// A terminal that shows a picture from nothing.
  private func shown(_ screen: Screen) -> TerminalScreen {
    var terminal = TerminalScreen(screen.width, screen.height)
    terminal.apply(Array(("\u{1B}[?1049h" + screen.changes(from: nil)).utf8))
    return terminal
  }
}

struct SplitMix {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

struct KeyParserTests {
  @Test func `several keys in one read are several keys`() {
    var parser = KeyParser()
    #expect(
      parser.keys("a\u{1B}[A\u{1B}OB\t \r\u{3}é\u{1B}[5~".utf8)
        == ["a", "up", "down", "tab", "space", "enter", "ctrl-c", "é", "pageup"])
  }

  @Test func `a key in several reads is one key`() {
    var parser = KeyParser()
    var keys: [String] = []
    for byte in "\u{1B}[6~漢\u{1B}[Bq".utf8 { keys += parser.keys([byte]) }
    #expect(keys == ["pagedown", "漢", "down", "q"])
  }

  @Test func `what has no meaning is left out, and the key behind it is not lost`() {
    var parser = KeyParser()
    #expect(parser.keys("\u{1B}q\u{1B}[1;5Cx\u{1}\u{7F}y".utf8) == ["q", "x", "y"])
    #expect(parser.keys([0x1B, 0x5B] + Array(repeating: 0x30, count: 40)) == [])
    #expect(parser.keys("z".utf8) == ["z"])
    #expect(
      parser.keys([0xFF, 0x80, 0x80, 0x80, 0x61]) == ["\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}", "a"])
  }
}
