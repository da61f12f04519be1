import Foundation
import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

@Suite struct NodeFileTests {
  @Test func `SC-01 the version is that of the node, or else that of the file`() throws {
    let fixture = try Fixture()
    try fixture.folder.write(#"{"version": "1.0", "Node": {}}"#, to: "a.json")
    try fixture.folder.write(#"{"version": "1.0", "Node": {"version": 2}}"#, to: "b.json")
    try fixture.folder.write(#"{"Node": {}}"#, to: "c.json")
    let versions = try ["a", "b", "c"].map {
      try fixture.environment.files.load("\($0).json").version
    }
    #expect(versions == ["1.0", "2", nil])
  }

  @Test func `a file that was just changed is read again, whatever its stamp says`() throws {
    let fixture = try Fixture()
    try fixture.folder.write("", to: "a.json")
    let (path, moment) = (fixture.folder.file("a.json"), Date())
    for text in ["a", "b"] {
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.write(contentsOf: Data(#"{"Node": {"text": "\#(text)"}}"#.utf8))
      try file.close()
      try FileManager.default.setAttributes([.modificationDate: moment], ofItemAtPath: path)
      #expect(try fixture.environment.files.load("a.json").node["text"]?.text == text)
    }
  }

  @Test func `SC-01 a file without a node is an error with its place and near names`() throws {
    let fixture = try Fixture()
    try fixture.folder.write("{\n \"node\": {}}", to: "a.json")
    try fixture.folder.write("{\"Node\": []}", to: "b.json")
    let missing = nodeError { _ = try fixture.environment.files.load("a.json") }
    #expect(missing?.code == .missingNode)
    #expect(missing?.nearNames == ["Node"])
    #expect(missing?.location?.file.hasSuffix("/a.json") == true)
    let wrong = nodeError { _ = try fixture.environment.files.load("b.json") }
    #expect(wrong?.code == .missingNode)
    #expect(wrong?.message == "\"Node\" is an array; a dictionary is expected")
  }

  @Test func `SC-02 XML, binary property lists and JSON say the same`() throws {
    let fixture = try Fixture()
    let values: [String: Any] = [
      "Node": [
        "text": "Grüße 😀", "number": 7, "negative": -3, "real": 1.5, "flag": true, "long": 300,
        "list": ["a", ["b": "c"]], "wide": String(repeating: "x", count: 40),
      ]
    ]
    for (format, name) in [
      (PropertyListSerialization.PropertyListFormat.xml, "a.plist"), (.binary, "b.plist"),
    ] {
      let data = try PropertyListSerialization.data(
        fromPropertyList: values, format: format, options: 0)
      try data.write(to: URL(filePath: fixture.folder.file(name)))
    }
    try JSONSerialization.data(withJSONObject: values)
      .write(to: URL(filePath: fixture.folder.file("c.js")))
    let files = fixture.environment.files
    let json = try files.load("c.js").node
    #expect(json["text"]?.text == "Grüße 😀")
    #expect(json["negative"] == -3)
    #expect(json["flag"] == true)
    #expect(json["list"] == ["a", ["b": "c"]])
    #expect(try files.load("a.plist").node == json)
    #expect(try files.load("b.plist").node == json)
  }

  @Test func `SC-02 damaged binary property lists are errors, whatever bytes are changed`() throws {
    let fixture = try Fixture()
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["Node": ["a": ["b", 1, true, 2.5], "c": "d"]], format: .binary, options: 0)
    for index in data.indices {
      for byte: UInt8 in [0, 0x5F, 0x7F, 0xA1, 0xFF] {
        var changed = data
        changed[index] = byte
        try changed.write(to: URL(filePath: fixture.folder.file("a.plist")))
        // A tree of values or an error; a crash would end the test.
        let error = nodeError { _ = try fixture.environment.files.load("a.plist") }
        if let error { #expect(!error.message.isEmpty) }
      }
      try data.prefix(index).write(to: URL(filePath: fixture.folder.file("b.plist")))
      #expect(nodeError { _ = try fixture.environment.files.load("b.plist") } != nil)
    }
  }

  @Test func `SC-02 other extensions are refused by name`() throws {
    let fixture = try Fixture()
    let cache = nodeError { _ = try fixture.environment.files.load("a.mof") }
    #expect(cache?.code == .unknownFormat)
    #expect(cache?.message.contains("cache of SnowCat's") == true)
    let typo = nodeError { _ = try fixture.environment.files.load("a.plst") }
    #expect(typo?.nearNames == ["plist"])
  }

  @Test func `SC-02 a file that changed on the disk is read anew`() throws {
    let fixture = try Fixture()
    #expect(try fixture.load(#"{"a": 1}"#)["a"] == 1)
    #expect(try fixture.load(#"{"a": 22}"#)["a"] == 22)
  }

  @Test func `SC-02 a file that does not exist is an error at the include, with near names`() throws
  {
    let fixture = try Fixture()
    try fixture.write("{}", to: "button.json")
    let error = nodeError { _ = try fixture.load(#"{"a": "include file=\"buton.json\""}"#) }
    #expect(error?.code == .unreadableFile)
    #expect(error?.nearNames == ["button.json"])
    #expect(error?.location?.file.hasSuffix("loaded.json") == true)
    #expect(error?.location?.column == 16)
  }

  @Test(arguments: [
    ("{\"a\": }", 7), ("{\"a\": 1", 8), ("[1 2]", 4), ("{\"a\": 1, \"a\": 2}", 10), ("nul", 1),
    ("\"\\q\"", 3), ("\"\\ud800\"", 8), ("01", 1), ("1.", 1), ("{} {}", 4), ("\"a\nb\"", 3),
    ("", 1), ("-", 1), ("{1: 2}", 2), ("[1,]", 4),
  ])
  func `SC-02 JSON that is none is an error with its column`(text: String, column: Int) throws {
    let fixture = try Fixture()
    try fixture.folder.write(text, to: "a.json")
    let error = nodeError { _ = try fixture.environment.files.load("a.json") }
    #expect(error?.code == .unreadableFile)
    #expect(error?.location?.column == column)
  }

  @Test func `SC-02 values have the line and column where they are`() throws {
    let fixture = try Fixture()
    let value = try fixture.load("{\n  \"a\": [\n    \"b\"]}")
    let place = value["a"]?.array?.first?.location
    #expect(place?.line == 3)
    #expect(place?.column == 5)
    #expect(value.dictionary?.entry("a")?.location?.line == 2)
  }

  @Test func `SC-02 values that are nested too deep are an error`() throws {
    let fixture = try Fixture()
    let deep = String(repeating: "[", count: 100_000)
    let error = nodeError { _ = try fixture.load("{\"a\": \(deep)") }
    #expect(error?.code == .unreadableFile)
    #expect(error?.message.contains("nested more than 256 deep") == true)
  }
}
