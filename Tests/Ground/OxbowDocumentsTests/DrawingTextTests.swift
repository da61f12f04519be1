import OxbowDocuments
import Testing

@Suite struct DrawingTextTests {
  @Test func `a mark with an accent behind it is written as a mark`() {
    let accent = "\u{338}"
    for (mark, texts) in [
      ("\"", ["\\\"", "&quot;", "#quot;"]), ("<", ["<", "&lt;", "#lt;"]),
      ("\\", ["\\\\", "\\", "#92;"]), ("\n", [" ", " ", " "]),
    ] {
      let text = mark + accent
      let quoted = String(graphvizText(text).dropFirst().dropLast())
      let written = [quoted, graphvizHTML(text), mermaidText(text)]
      #expect(written.map { Array($0.utf8) } == texts.map { Array(($0 + accent).utf8) })
    }
  }
}
