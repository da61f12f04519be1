import OxbowDocuments
import Testing

@Suite struct PropertyListDocumentTests {
  private func parse(_ body: String) throws(DocumentError) -> PropertyListValue {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      \(body)
      </plist>
      """
    return try PropertyListDocument.parse(Array(text.utf8), file: "f.plist")
  }

  private func message(_ body: String) -> String {
    do throws(DocumentError) {
      return "no error: \(try parse(body).content)"
    } catch {
      return error.description
    }
  }

  @Test func `values have their locations`() throws {
    let root = try parse("<dict>\n<key>a</key>\n<string> x </string>\n<key>b</key><true/></dict>")
    let a = try #require(root.entry("a"))
    #expect(a.value.text == " x ")
    #expect(a.location.description == "f.plist:5:1")
    #expect(a.value.location.description == "f.plist:6:1")
    #expect(root.entry("c") == nil)
  }

  @Test func `scalars are converted`() throws {
    let root = try parse(
      "<array><integer> -12 </integer><integer>0x1F</integer>"
        + "<integer>18446744073709551615</integer><real>1.5e3</real><false/>"
        + "<date>2001-01-01T00:00:00Z</date><date>1969-12-31T23:59:59Z</date>"
        + "<date>2024-02-29T12:00:00Z</date><data>\n AAEC /w==\n</data><data/></array>")
    guard case .array(let values) = root.content else {
      Issue.record("not an array")
      return
    }
    #expect(
      values.map {
        if case .scalar(let scalar) = $0.content { "\(scalar)" } else { "\($0.content)" }
      } == [
        "integer(-12)", "integer(31)", "integer(18446744073709551615)", "real(1500.0)",
        "boolean(false)", "date(0.0)",
        "date(-978307201.0)", "date(730900800.0)", "data([0, 1, 2, 255])", "data([])",
      ])
  }

  @Test func `a binary number of sixteen bytes is read as the same number in XML is`() throws {
    func number(_ high: UInt8, _ low: UInt8) throws(DocumentError) -> PropertyListValue.Content {
      let bytes =
        Array("bplist00".utf8) + [0x14] + [UInt8](repeating: 0, count: 7) + [high]
        + [UInt8](repeating: low, count: 8) + [8]
      let trailer: [UInt8] =
        [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1]
        + [UInt8](repeating: 0, count: 15) + [25]
      return try BinaryPropertyList.parse(bytes + trailer, file: "f", limits: .default).content
    }
    guard case .scalar(.integer(let largest)) = try number(0, 255) else {
      Issue.record("no number")
      return
    }
    #expect(largest == Int128(UInt64.max))
    let error = #expect(throws: DocumentError.self) { try number(1, 0) }
    #expect(error?.message == "the binary property list is damaged: a number is too large")
  }

  @Test(arguments: [
    ("", "f.plist:3:1: a property list has one value, not 0"),
    ("<true/><true/>", "f.plist:3:1: a property list has one value, not 2"),
    (
      "<sting>x</sting>",
      "f.plist:4:1: element \"sting\" is not a value of a property list; did you mean \"string\"?"
    ),
    ("<zzzzzz/>", "f.plist:4:1: element \"zzzzzz\" is not a value of a property list"),
    ("<integer>1.5</integer>", "f.plist:4:1: \"1.5\" is not a whole number"),
    (
      "<integer>18446744073709551616</integer>",
      "f.plist:4:1: \"18446744073709551616\" is not a whole number"
    ),
    ("<integer>0x-5</integer>", "f.plist:4:1: \"0x-5\" is not a whole number"),
    ("<integer>0x</integer>", "f.plist:4:1: \"0x\" is not a whole number"),
    ("<real>one</real>", "f.plist:4:1: \"one\" is not a number"),
    ("<real>1e999</real>", "f.plist:4:1: \"1e999\" is not a number"),
    (
      "<date>2023-02-29T00:00:00Z</date>",
      "f.plist:4:1: \"2023-02-29T00:00:00Z\" is not a date like 2001-01-01T00:00:00Z"
    ),
    ("<data>A</data>", "f.plist:4:1: \"A\" is not base64 text"),
    ("<data>A*==</data>", "f.plist:4:1: \"A*==\" is not base64 text"),
    ("<dict><key>a</key></dict>", "f.plist:4:7: key \"a\" has no value"),
    ("<dict><true/></dict>", "f.plist:4:7: \"key\" is expected before \"true\""),
    (
      "<dict><key>a</key><true/>\n<key>a</key><true/></dict>",
      "f.plist:5:1: key \"a\" is given "
        + "twice"
    ),
    ("<array>x</array>", "f.plist:4:1: there is text directly inside \"array\""),
    ("<true/>x", "f.plist:3:1: there is text directly inside \"plist\""),
    (
      "<dict><key>a<b/></key><true/></dict>",
      "f.plist:4:13: element \"b\" is not allowed inside \"key\""
    ),
    ("<string><b/></string>", "f.plist:4:9: element \"b\" is not allowed inside \"string\""),
  ])
  func `what is not a property list is refused at its place`(body: String, expected: String) {
    #expect(message(body) == expected)
  }

  @Test(arguments: [
    ("<a/>", "f.plist:1:1: element \"a\" is not a property list; \"plist\" is expected"),
    (
      "bplist00abc",
      "\"f.plist\" is a binary property list; convert it to XML (plutil -convert xml1)"
    ),
    (
      "<!DOCTYPE html><plist/>",
      "f.plist:1:1: the only document type (DOCTYPE) of a property list is \"plist\""
    ),
    (
      "<!DOCTYPE plist [<!ENTITY a 'b'>]><plist/>",
      "f.plist:1:1: a document type (DOCTYPE) with declarations of its own is not accepted"
    ),
    (
      "<!DOCTYPE plist PUBLIC \"x><plist/>",
      "f.plist:1:1: the document type (DOCTYPE) is not complete"
    ),
  ])
  func `what is another document is refused`(text: String, expected: String) {
    let error = #expect(throws: DocumentError.self) {
      _ = try PropertyListDocument.parse(Array(text.utf8), file: "f.plist")
    }
    #expect(error?.description == expected)
  }
}
