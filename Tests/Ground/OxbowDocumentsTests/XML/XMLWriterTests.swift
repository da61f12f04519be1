import OxbowDocuments
import Testing

@Suite struct XMLWriterTests {
  @Test func `a written document reads back as it was`() throws {
    let awkward = "a<b>&\"'\n\t\r é𝄞 ]]>"
    var writer = XMLWriter()
    try writer.start("root", ["x": awkward])
    try writer.empty("leaf", ["n": "1"])
    try writer.element("text", text: awkward)
    writer.end()
    let root = try XMLDocument.parse(Array(writer.document().utf8), file: "f.xml")
    #expect(root.attribute("x")?.value == awkward)
    #expect(root.children.map(\.name) == ["leaf", "text"])
    #expect(root.children[1].text == awkward)
  }

  @Test func `the output is indented`() throws {
    var writer = XMLWriter()
    try writer.start("a")
    try writer.start("b", ["c": "1"])
    try writer.empty("d")
    writer.end()
    writer.end()
    #expect(
      writer.document() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <a>
          <b c="1">
            <d/>
          </b>
        </a>

        """)
  }

  @Test func `a character that XML cannot carry is refused`() {
    #expect(
      throws: DocumentError(
        message: "character U+1 is not allowed in an XML document", location: nil)
    ) { try XMLWriter.escaped("a\u{1}") }
  }
}
