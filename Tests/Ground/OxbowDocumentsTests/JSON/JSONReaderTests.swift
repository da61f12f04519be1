import OxbowDocuments
import Testing

@Suite struct JSONReaderTests {
  private func parse(_ text: String) throws(DocumentError) -> JSONValue {
    try JSONReader.parse(Array(text.utf8), file: "f.json")
  }

  private func message(_ text: String) -> String {
    do throws(DocumentError) { return "no error: \(try parse(text).seen)" } catch {
      return error.description
    }
  }

  private func written(_ text: String, isIndented: Bool = false) throws -> String {
    var json = JSONWriter(isIndented: isIndented)
    json.value(try parse(text))
    return String(decoding: json.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    "null", "true", "[]", "{}", "[1,-0,0.10,1e5,-2.5E-3,123456789012345678901234567890]",
    #"{"b":[{"a":null}],"a":"\"\\\n\t\r\u0001é😀"}"#,
  ])
  func `PG-14 what was read is written again, digit for digit`(text: String) throws {
    #expect(try written(text) == text)
    #expect(try written(try written(text, isIndented: true)) == text)
  }

  @Test func `PG-14 values have their places`() throws {
    let root = try parse("{\n  \"a\": [1,\n 2]\n}")
    guard case .dictionary(let members) = root.content,
      case .array(let values) = members[0].value.content
    else {
      Issue.record("no object")
      return
    }
    #expect(members[0].location.description == "f.json:2:3")
    #expect(values[1].location.description == "f.json:3:2")
  }

  @Test(arguments: [
    ("[01]", "f.json:1:2: \"01\" is not a JSON number"),
    ("[1.]", "f.json:1:2: \"1.\" is not a JSON number"),
    ("[-]", "f.json:1:2: \"-\" is not a JSON number"),
    ("[1e+]", "f.json:1:2: \"1e+\" is not a JSON number"),
    ("{\"a\":1,\"a\":2}", "f.json:1:8: key \"a\" is given twice"),
    ("[1 2]", "f.json:1:4: \",\" or \"]\" is expected, not \"2\""),
    ("[", "f.json:1:2: a JSON value is expected, not the end of the text"),
    ("1 x", "f.json:1:3: there is \"x\" after the end of the JSON"),
    ("\"\\ud800\"", "f.json:1:8: \\u is only half of a character"),
    ("\"\\ud83d\\u0041\"", "f.json:1:14: \\u is only half of a character"),
    ("\"a", "f.json:1:1: the text has no closing quote"),
  ])
  func `PG-14 what is not JSON is refused with its place`(text: String, expected: String) {
    #expect(message(text) == expected)
  }
}
