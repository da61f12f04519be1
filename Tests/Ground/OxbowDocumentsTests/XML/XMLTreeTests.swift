import OxbowDocuments
import Testing

@Suite struct XMLTreeTests {
  private func parse(_ text: String) throws(DocumentError) -> XMLElement {
    try XMLDocument.parse(Array(text.utf8), file: "f.xml")
  }

  @Test func `children are reached by number, in the order of the document`() throws {
    let root = try parse("<a><b><c/><d/></b>x<e><f><g/></f></e><h/></a>")
    #expect(root.children.map(\.name) == ["b", "e", "h"])
    #expect(root.children[0].children.map(\.name) == ["c", "d"])
    #expect(root.children[1].children[0].children[0].name == "g")
    #expect(root.children[2].children.isEmpty)
    #expect(root.children.last?.location.description == "f.xml:1:38")
  }

  @Test func `an element keeps the document that it is in`() throws {
    var element = try parse("<a>\n<b c='1&lt;2'>text</b></a>").children[0]
    #expect(element.value("c") == "1<2")
    element = element.children.first ?? element
    #expect(element.text == "text")
    #expect(element.location.description == "f.xml:2:1")
  }

  @Test func `names with the same beginning are distinguished`() throws {
    let names = [
      "p", "pr", "propert", "property", "property1", "property2", "property-placeholder",
      "property-placeholdes", "größe", "große",
    ]
    let text = names.map { "<\($0) \($0)='\($0)'></\($0)>" }.joined()
    let root = try parse("<a>\(text)\(text)</a>")
    #expect(root.children.map(\.name) == names + names)
    #expect(root.children.map { $0.attributes[0].name } == names + names)
    for child in root.children { #expect(child.value(child.name) == child.name) }
  }

  @Test func `a document may have thousands of names`() throws {
    let names = (0..<5_000).map { "n\($0)" }
    let text = names.map { "<\($0)/>" }.joined()
    #expect(try parse("<a>\(text)\(text)</a>").children.map(\.name) == names + names)
  }

  @Test(arguments: [
    ("<a><bc></b></a>", "f.xml:1:8: \"</b>\" does not match \"<bc>\" of line 1"),
    ("<a><b></bc></a>", "f.xml:1:7: \"</bc>\" does not match \"<b>\" of line 1"),
    (
      "<longerName></longerNames>",
      "f.xml:1:13: \"</longerNames>\" does not match \"<longerName>\" of line 1"
    ),
    ("<\u{E9}></e\u{301}>", "f.xml:1:5: \"</e\u{301}>\" does not match \"<\u{E9}>\" of line 1"),
  ])
  func `an end tag has the very name of its element`(text: String, expected: String) {
    let error = #expect(throws: DocumentError.self) { try parse(text) }
    #expect(error?.description == expected)
  }

  @Test func `an end tag may have white space`() throws {
    #expect(try parse("<a><b></b \n></a\t>").children.map(\.name) == ["b"])
  }

  @Test func `blank text is delivered with newlines at the ends of lines`() throws {
    let root = try parse("<a>\r\n  <b/>\r <c/> \n</a>")
    #expect(root.text == "\n  \n  \n")
    #expect(root.isTextBlank)
    #expect(try parse("<a>&#32;<![CDATA[ ]]></a>").isTextBlank)
    #expect(try !parse("<a> &amp; </a>").isTextBlank)
  }

  @Test func `a copy without prefixes has the texts and places of the original`() throws {
    let root = try parse("<x:a b='1' x:c='2'>1<x:d>2</x:d>3<e/></x:a>")
    var copy = XMLLocalCopy(of: root)
    copy.start(root, attributes: Array(root.attributes.suffix(1)))
    copy.start(root.children[0], attributes: [])
    copy.end()
    copy.end()
    let found = copy.root()
    #expect(found.name == "a")
    #expect(found.attributes.map(\.name) == ["c"])
    #expect(found.text == "13")
    #expect(found.children.map(\.name) == ["d"])
    #expect(found.children[0].text == "2")
    #expect(found.children[0].location == root.children[0].location)
    #expect(root.name == "x:a")
  }
}
