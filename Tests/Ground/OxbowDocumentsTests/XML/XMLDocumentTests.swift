import OxbowDocuments
import Testing

@Suite struct XMLDocumentTests {
  private func parse(
    _ text: String, limits: DocumentLimits = .default
  ) throws(DocumentError) -> XMLElement {
    try XMLDocument.parse(Array(text.utf8), file: "f.xml", limits: limits)
  }

  private func message(_ text: String, limits: DocumentLimits = .default) -> String {
    message(Array(text.utf8), limits: limits)
  }

  private func message(_ bytes: [UInt8], limits: DocumentLimits = .default) -> String {
    do throws(DocumentError) {
      let element = try XMLDocument.parse(bytes, file: "f.xml", limits: limits)
      return "no error: \(element.name)"
    } catch {
      return error.description
    }
  }

  @Test func `elements and attributes carry their places`() throws {
    let root = try parse(
      "<?xml version=\"1.0\"?>\n<a\n  x='1'\n  y = \"2\">\n  <b/>é<aop:c/>\n</a>")
    #expect(root.location.description == "f.xml:2:1")
    #expect(root.attributes.map(\.location.description) == ["f.xml:3:3", "f.xml:4:3"])
    #expect(root.attributes.map(\.value) == ["1", "2"])
    #expect(root.children.map(\.name) == ["b", "aop:c"])
    #expect(root.children.map(\.location.description) == ["f.xml:5:3", "f.xml:5:9"])
    #expect(root.attribute("y")?.value == "2")
    #expect(root.attribute("z") == nil)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `every line ending counts as one line and reads as a newline`(ending: String) throws {
    let root = try parse("<a>\(ending)x\(ending)<b c='1\(ending)2'/></a>")
    #expect(root.children[0].location.description == "f.xml:3:1")
    #expect(root.text == "\nx\n")
    #expect(root.children[0].attributes[0].value == "1 2")
  }

  @Test func `a byte order mark is accepted and counts for no column`() throws {
    #expect(try parse("\u{FEFF}<a/>").location.description == "f.xml:1:1")
    #expect(try parse("\u{FEFF}<?xml version='1.0' encoding='utf-8'?><a/>").location.column == 39)
  }

  @Test func `text is the concatenation of data, references and sections`() throws {
    let root = try parse(
      "<a> 1&lt;<![CDATA[<&\r\n]]]]><b>no</b>&#65;&#x42;<!-- c --><?p i?>&apos; </a>")
    #expect(root.text == " 1<<&\n]]AB' ")
    #expect(root.children[0].text == "no")
  }

  @Test func `references in attribute values keep white space`() throws {
    let root = try parse("<a x='1&#10;2\t3&quot;&amp;&gt;'/>")
    #expect(root.attributes[0].value == "1\n2 3\"&>")
  }

  @Test func `names outside ASCII are names`() throws {
    let root = try parse("<größe é·='1'/>")
    #expect(root.name == "größe")
    #expect(root.attributes[0].name == "é·")
  }

  @Test(arguments: [
    ("", "f.xml:1:1: the document has no element"),
    (" \n ", "f.xml:2:2: the document has no element"),
    ("<!-- only -->", "f.xml:1:14: the document has no element"),
    ("<a>\n <b>\n</a>", "f.xml:3:1: \"</a>\" does not match \"<b>\" of line 2"),
    ("<a>\n <b></b>", "f.xml:1:1: element \"a\" is never closed"),
    ("<a/></a>", "f.xml:1:5: \"</a>\" closes nothing"),
    ("<a/>\n<b/>", "f.xml:2:1: there is a second root element; a document has one"),
    ("<a/>\n x", "f.xml:2:2: there is text after the end of the root element"),
    ("x<a/>", "f.xml:1:1: the document begins with text; an element is expected"),
    ("<a/><![CDATA[x]]>", "f.xml:1:5: a CDATA section is outside the root element"),
    ("<a x='1'\n x='2'/>", "f.xml:2:2: attribute \"x\" is given twice in \"a\""),
    ("<a x='1'y='2'/>", "f.xml:1:9: white space is missing between two attributes"),
    ("<a x/>", "f.xml:1:5: attribute \"x\" has no value; \"=\" is expected here"),
    ("<a x=1/>", "f.xml:1:6: the value of attribute \"x\" is not in quotation marks"),
    ("<a x='<'/>", "f.xml:1:7: there is a \"<\" in the value of attribute \"x\"; write \"&lt;\""),
    ("<a x='1", "f.xml:1:6: the value of attribute \"x\" is never closed"),
    ("<a x='1' ", "f.xml:1:10: the start tag of \"a\" is not closed by \">\""),
    ("<a / >", "f.xml:1:4: the start tag of \"a\" is not closed by \">\""),
    ("<a></a b>", "f.xml:1:8: the end tag of \"a\" is not closed by \">\""),
    ("<a ?>", "f.xml:1:4: an attribute's name is expected here"),
    ("<a?>", "f.xml:1:3: the name \"a\" is followed by a character that a name cannot have"),
    ("< a/>", "f.xml:1:2: an element's name is expected here"),
    ("<1/>", "f.xml:1:2: an element's name is expected here"),
    ("<×/>", "f.xml:1:2: an element's name is expected here"),
    ("<a><!x></a>", "f.xml:1:4: \"<!\" does not begin anything known"),
    ("<a><!-- x", "f.xml:1:4: the comment is never closed"),
    ("<a><!-- x -- y --></a>", "f.xml:1:11: \"--\" is not allowed inside a comment"),
    ("<a><![CDATA[x]]</a>", "f.xml:1:4: the CDATA section is never closed"),
    ("<a>]]></a>", "f.xml:1:4: there is \"]]>\" in text; write \"]]&gt;\""),
    ("<a><?p x</a>", "f.xml:1:4: the processing instruction is never closed"),
    (
      "<a><?xml version='1.0'?></a>",
      "f.xml:1:4: the XML declaration is allowed only at the very beginning"
    ),
    ("<a>&</a>", "f.xml:1:4: \"&\" does not begin a reference; write \"&amp;\""),
    ("<a>&lt</a>", "f.xml:1:4: \"&\" does not begin a reference; write \"&amp;\""),
    ("<a>&#0;</a>", "f.xml:1:4: \"&#0;\" is not a character that a document can contain"),
    ("<a>&#xD800;</a>", "f.xml:1:4: \"&#xD800;\" is not a character that a document can contain"),
    (
      "<a>&#99999999999;</a>",
      "f.xml:1:4: \"&#99999999999;\" is not a character that a document can contain"
    ),
    ("<a>&#65</a>", "f.xml:1:4: a character reference ends with \";\""),
    ("<a>\u{1}</a>", "f.xml:1:4: control character 0x01 is not allowed in a document"),
    ("<a>\u{FFFE}</a>", "f.xml:1:4: U+FFFE is not allowed in a document"),
    (
      "<a>&nbsp;</a>",
      "f.xml:1:4: entity \"&nbsp;\" is not known; the known ones are &amp; &lt; &gt; &quot; &apos;"
        + " and numbers like &#160;"
    ),
    (
      "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>",
      "f.xml:1:1: a document type declaration (DOCTYPE) is not accepted; remove it"
    ),
    (
      "<?xml version='1.0' encoding='ISO-8859-1'?><a/>",
      "f.xml:1:1: the document declares the encoding \"ISO-8859-1\"; only UTF-8 is read, so save"
        + " the file as UTF-8"
    ),
    ("<?xml version='2.0'?><a/>", "f.xml:1:7: XML version \"2.0\" is not known; only 1.0 is"),
    (
      "<?xml encoding='UTF-8'?><a/>",
      "f.xml:1:1: an XML declaration has a version, then an encoding, then \"standalone\""
    ),
    ("<?xml version='1.0'><a/>", "f.xml:1:1: the XML declaration is not closed by \"?>\""),
  ])
  func `what is not well-formed is refused at its place`(text: String, expected: String) {
    #expect(message(text) == expected)
  }

  @Test func `other encodings are refused by their bytes`() {
    let refused = "only UTF-8 is read, so save the file as UTF-8"
    #expect(
      message([0xFF, 0xFE, 0x3C, 0]) == "f.xml:1:1: the document is in UTF-16; \(refused)")
    #expect(message([0x3C, 0, 0x61, 0]) == "f.xml:1:1: the document is in UTF-16; \(refused)")
    #expect(message([0, 0x3C, 0, 0x61]) == "f.xml:1:1: the document is in UTF-16; \(refused)")
    #expect(message([0, 0, 0xFE, 0xFF]) == "f.xml:1:1: the document is in UTF-32; \(refused)")
  }

  @Test(arguments: [
    [0xE9], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
  ])
  func `bytes that are not UTF-8 are refused at their place`(bad: [UInt8]) {
    let hex = String(bad[0], radix: 16, uppercase: true)
    #expect(
      message(Array("<a>\n".utf8) + bad + Array("</a>".utf8))
        == "f.xml:2:1: byte 0x\(hex) is not UTF-8 here; save the file as UTF-8")
  }

  @Test func `limits are named when they are passed`() {
    let limits = DocumentLimits(maximumBytes: 20, maximumDepth: 2)
    #expect(message("<a><b></b></a>", limits: limits) == "no error: a")
    #expect(
      message("<a>\n<b><c/></b></a>", limits: limits)
        == "f.xml:2:4: elements are nested deeper than 2, the limit for a document; raise"
        + " DocumentLimits.maximumDepth to read it")
    #expect(
      message("<a>                   </a>", limits: limits)
        == "\"f.xml\" is larger than 20 bytes, the limit for a document; raise"
        + " DocumentLimits.maximumBytes to read it")
  }

  @Test func `an element has a limit of attributes`() {
    func element(_ count: Int) -> String {
      "<a" + (0..<count).map { " a\($0)=''" }.joined() + "/>"
    }
    #expect(message(element(512)) == "no error: a")
    #expect(
      message(element(513)).hasSuffix(
        "\"a\" has more than 512 attributes, the limit for an element"))
  }

  @Test func `the deepest document allowed is read and released`() throws {
    let depth = DocumentLimits.deepest
    let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
    var element = try parse(text, limits: DocumentLimits(maximumDepth: depth))
    var count = 1
    while let child = element.children.first {
      element = child
      count += 1
    }
    #expect(count == depth)
  }

  @Test func `a file that cannot be read says why`() {
    #expect(
      throws: DocumentError(
        message: "cannot read \"/nowhere/f.xml\": No such file or directory", location: nil)
    ) { try DocumentFile.bytes(of: "/nowhere/f.xml") }
    #expect(throws: DocumentError(message: "cannot read \"/\": Is a directory", location: nil)) {
      try DocumentFile.bytes(of: "/")
    }
  }

  @Test func `the number of elements is limited`() throws {
    let limits = DocumentLimits(maximumElements: 3)
    #expect(try parse("<a><b/><b/></a>", limits: limits).children.count == 2)
    #expect(
      message("<a>\n<b/><b/><b/></a>", limits: limits)
        == "f.xml:2:9: there are more than 3 elements, the limit for a document; raise"
        + " DocumentLimits.maximumElements to read it")
  }

  @Test(arguments: [
    ("<!DOCTYPE plist>\n<plist/>", ""),
    ("<!DOCTYPE plist PUBLIC \"a\" \"b\">\n<plist/>", ""),
    ("<plist/>", ""),
    ("<a><plist/></a>", ""),
    ("\n<!DOCTYPE plist>\n<a/>", "f.xml:2:1: a document type declaration (DOCTYPE)"),
    ("<!DOCTYPE plist><a><plist/></a>", "f.xml:1:1: a document type declaration (DOCTYPE)"),
    ("<!DOCTYPE a>\n<plist/>", "f.xml:1:1: a document type declaration (DOCTYPE)"),
    ("<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>", "f.xml:1:1: a document type (DOCTYPE)"),
    ("<!DOCTYPE plist><!DOCTYPE plist><plist/>", "f.xml:1:17: a document type declaration"),
    ("bplist00", "\"f.xml\" is a binary property list"),
  ])
  func `a document of any kind has the DOCTYPE of a property list only above one`(
    text: String, expected: String
  ) {
    var found = ""
    do throws(DocumentError) {
      _ = try XMLDocument.parse(anyKind: Array(text.utf8), file: "f.xml")
    } catch {
      found = error.description
    }
    #expect(found.hasPrefix(expected))
    #expect(found.isEmpty == expected.isEmpty, "\(found)")
  }

  @Test func `a character that no document can contain is found wherever it is`() {
    for length in 0..<40 {
      for defect in ["\u{1}", "\u{7F}\u{2}", "é\u{3}", "\u{FFFE}"] {
        let text = "<a>" + String(repeating: "x", count: length) + defect + "</a>"
        let plain = defect.utf8.count - 1 - (defect == "\u{FFFE}" ? 2 : 0)
        #expect(message(text).hasPrefix("f.xml:1:\(4 + length + plain): "), "\(length)")
      }
      let text = String(repeating: "x", count: length) + "é\t𝄞\n"
      #expect(message("<a>\(text)</a>") == "no error: a")
    }
  }

  @Test func `names end where no name goes on`() {
    #expect(message("<a.b-c:d_1é2/>") == "no error: a.b-c:d_1é2")
    for name in ["1a", "-a", ".a", "é", "·a", "a·", "a\u{D7}b", "a,b"] {
      let isName = name == "é" || name == "a·"
      #expect(message("<\(name)/>").hasPrefix("no error") == isName, "\(name)")
    }
  }

  @Test func `blank text differs from text`() throws {
    #expect(try parse("<a> \n\t\r\n<b/> </a>").isTextBlank)
    #expect(try !parse("<a> \n\t<b/>x</a>").isTextBlank)
    #expect(try !parse("<a>\u{A0}</a>").isTextBlank)
    #expect(try parse("<a b='1' c='2'/>").value("c") == "2")
    #expect(try parse("<a b='1'/>").value("c") == nil)
  }
}
