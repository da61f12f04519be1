import Foundation
import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

@Suite struct IncludeTests {
  @Test(arguments: [
    #"include file=\"b.json\""#, #"INCLUDE File=\"b.json\""#, #"include   file = \" b.json \""#,
  ])
  func `SC-03 an include is replaced by the node of its file`(include: String) throws {
    let fixture = try Fixture()
    try fixture.write(#"{"x": ["include file=\"c.json\""]}"#, to: "b.json")
    try fixture.write(#"{"y": 1}"#, to: "c.json")
    #expect(try fixture.load("{\"a\": \"\(include)\"}") == ["a": ["x": [["y": 1]]]])
  }

  @Test func `SC-03 text before an include is left out, with a note`() throws {
    let fixture = try Fixture()
    try fixture.write("{}", to: "b.json")
    try fixture.write(#"{"a": "see include file=\"b.json\""}"#, to: "a.json")
    let file = try fixture.environment.files.load("a.json")
    #expect(file.node == ["a": [:]])
    #expect(file.notes.map(\.text) == ["the text before \"include file=\" is ignored: \"see \""])
  }

  @Test(arguments: [
    (#"include file=\"\""#, "does not name a file"),
    (#"include file=\"b.json"#, "no closing quote"),
    (#"include file=\"b.json\" replce=\"a: b\""#, "continues with"),
    (#"include file=\"b.json\" replace=\"a: b"#, "no closing quote"),
    (#"include file=\"b.json\" replace=\"a: b\" replace=\"a: c\""#, "twice"),
    (#"include file=\"b.json\" replace=\"a: b; a: c\""#, "twice"),
  ])
  func `SC-03 an include that is none is an error`(include: String, message: String) throws {
    let fixture = try Fixture()
    try fixture.write("{}", to: "b.json")
    let error = nodeError { _ = try fixture.load("{\"a\": \"\(include)\"}") }
    #expect(error?.code == .invalidInclude)
    #expect(error?.message.contains(message) == true)
    #expect(error?.location != nil)
    if include.contains("replce") { #expect(error?.nearNames == ["replace"]) }
  }

  @Test func `SC-04 paths begin at the file that includes, and dots go up`() throws {
    let fixture = try Fixture()
    for name in ["top.json", "x/one.json", "x/y/two.json"] {
      try fixture.write("{\"name\": \"\(name)\"}", to: name)
    }
    let includes = [
      "../one.json": "x/one.json", "./two.json": "x/y/two.json", ".../top.json": "top.json",
      "z/..../top.json": "top.json", "${app}/x/one.json": "x/one.json",
      "${mainBundle}/top.json": "top.json", "\(fixture.folder.path)/top.json": "top.json",
    ]
    for (path, name) in includes {
      try fixture.write("{\"a\": \"include file=\\\"\(path)\\\"\"}", to: "x/y/a.json")
      #expect(try fixture.environment.files.load("x/y/a.json").node["a"]?["name"]?.text == name)
    }
  }

  @Test func `SC-04 a path out of the folder is an error`() throws {
    let fixture = try Fixture()
    let outside = try TemporaryFolder()
    try outside.write("{\"Node\": {}}", to: "secret.json")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.file("link.json"), withDestinationPath: outside.file("secret.json"))
    for path in [
      "../secret.json", "a/../../b.json", "..../b.json", outside.file("secret.json"), "link.json",
      "http://example.org/a.json", "${docs}/a.json", "${mian}/a.json", "${app}/../a.json",
    ] {
      let error = nodeError { _ = try fixture.load("{\"a\": \"include file=\\\"\(path)\\\"\"}") }
      #expect(error?.code == .outsideOfRoot, "\(path)")
      #expect(error?.location?.file.hasSuffix("loaded.json") == true)
      if path.hasPrefix("${mian}") { #expect(error?.nearNames == ["main"]) }
    }
    let launched = nodeError { _ = try fixture.environment.files.load("../a.json") }
    #expect(launched?.code == .outsideOfRoot)
  }

  @Test func `SC-04 folders that were given can be named`() throws {
    let folder = try TemporaryFolder()
    let home = try TemporaryFolder()
    try home.write(#"{"Node": {"a": 1}}"#, to: "data/app/x.json")
    try home.write(#"{"Node": {"a": 2}}"#, to: "cache/app/x.json")
    try folder.write(
      #"{"Node": {"d": "include file=\"${docs}/x.json\"", "c": "include file=\"${caches}/x.json\""}}"#,
      to: "a.json")
    let folders = NodeFolders.xdg(
      root: folder.path, program: "app",
      environment: ["XDG_DATA_HOME": home.file("data"), "XDG_CACHE_HOME": home.file("cache")])
    let node = try NodeFiles(folders).load("a.json").node
    #expect(node == ["d": ["a": 1], "c": ["a": 2]])
    #expect(folders.temporary == "/tmp")
  }

  @Test func `SC-05 replace gives pairs, and reports what is none`() throws {
    let fixture = try Fixture()
    try fixture.write(#"["${a}", "${b}", "${c}"]"#.wrapped, to: "b.json")
    try fixture.write(
      #"{"x": "include file=\"b.json\" replace=\"a: 1 ; nonsense; b: 'two; three'; c : d: e\""}"#,
      to: "a.json")
    let file = try fixture.environment.files.load("a.json")
    #expect(file.node["x"]?["list"] == ["1", "two; three", "d: e"])
    #expect(
      file.notes.map(\.text) == ["\"nonsense\" does not have a name and a colon, and is left out"])
    #expect(file.notes.first?.location?.file.hasSuffix("a.json") == true)
  }

  @Test func `SC-05 replace may be JSON where quotes can be written`() throws {
    let fixture = try Fixture()
    try fixture.write(#"["${a}"]"#.wrapped, to: "b.json")
    let node = #"{"Class": "ObjectFromFile", "File": "b.json", "replace": "{\"a\": \"1: 2\"}"}"#
    try fixture.write(#"{"children": ["# + node + "]}", to: "a.json")
    var environment = fixture.environment
    environment.compatibility = .unknownAttributes
    try fixture.write("{\"Class\": \"Node\", \"children\": [\(node)]}", to: "a.json")
    let tree = try NodeTree.launch("a.json", in: environment)
    #expect(tree.root?.children.first?.definition?["list"] == ["1: 2"])
    try fixture.write(
      #"{"Class": "Node", "children": [{"Class": "ObjectFromFile", "File": "b.json", "replace": {"a": 1}}]}"#,
      to: "c.json")
    let error = nodeError { _ = try NodeTree.launch("c.json", in: environment) }
    #expect(error?.message == "variable \"a\" is a number; a variable is a text")
  }

  @Test func `SC-06 variables reach nested files, and inner ones go first`() throws {
    let fixture = try Fixture()
    try fixture.write(
      #"["${a}${b}", "include file=\"c.json\" replace=\"b: 3\""]"#.wrapped, to: "b.json")
    try fixture.write(#"["${a}${b}"]"#.wrapped, to: "c.json")
    let node = try fixture.load(
      #"{"x": "include file=\"b.json\" replace=\"a: 1; b: 2\"", "y": "${a}"}"#)
    #expect(node["x"]?["list"] == ["12", ["list": ["13"]]])
    #expect(node["y"] == "${a}")
  }

  @Test func `SC-07 attributes run to the last quote and go over the node's own`() throws {
    let fixture = try Fixture()
    try fixture.write(#"{"a": 1, "b": {"c": 1, "d": 2}}"#, to: "b.json")
    let shallow = try fixture.load(
      #"{"x": "include file=\"b.json\" attributes=\"{\"a\": [2], \"b\": {\"c\": 3}}\""}"#)
    #expect(shallow["x"] == ["a": [2], "b": ["c": 3]])
    let deep = try fixture.load(
      #"{"x": "include file=\"b.json\" merge=\"deep\" attributes=\"{\"b\": {\"c\": 3}}\""}"#)
    #expect(deep["x"] == ["a": 1, "b": ["c": 3, "d": 2]])
    let pairs = try fixture.load(
      #"{"x": "include file=\"b.json\" attributes=\"a: {center, middle; 1}; e: '2'\""}"#)
    #expect(pairs["x"]?["a"] == "{center, middle; 1}")
    #expect(pairs["x"]?["e"] == "2")
  }

  @Test func `SC-07 includes inside of attributes are not read`() throws {
    let fixture = try Fixture()
    try fixture.write("{}", to: "b.json")
    let node = try fixture.load(
      #"{"x": "include file=\"b.json\" attributes=\"a: include file=\"b.json\"\""}"#)
    #expect(node["x"]?["a"]?.text == #"include file="b.json""#)
  }

  @Test func `SC-08 variables are replaced once, in values, keys and includes`() throws {
    let fixture = try Fixture()
    try fixture.write("{\"found\": true}", to: "b.json")
    let node = try fixture.load(
      #"{"${a}": "${a} ${b} ${c}", "x": "include file=\"${file}.json\"", "y": ["${a:no}", "${d:{1, 2}}", "${d:}"], "z": "$ {${"}"#,
      replacing: ["a": "${b}", "b": "${a}", "file": "b"])
    #expect(node["${b}"] == "${b} ${a} ${c}")
    #expect(node["x"] == ["found": true])
    #expect(node["y"] == ["${b}", "{1, 2}", ""])
    #expect(node["z"] == "$ {${")
  }

  @Test(.timeLimit(.minutes(30)))
  func `SC-08 placeholders that are not closed are text, however many there are`() throws {
    let open = String(repeating: "${", count: 400_000)
    let node = try Fixture().load("{\"a\": \"\(open)${b:{1}}\"}")
    #expect(node["a"]?.text == open + "{1}")
  }

  @Test func `SC-08 keys that become the same are an error`() throws {
    let fixture = try Fixture()
    let error = nodeError {
      _ = try fixture.load(#"{"${a}": 1, "b": 2}"#, replacing: ["a": "b"])
    }
    #expect(error?.code == .invalidDefinition)
    #expect(error?.location?.column == 22)
  }

  @Test func `SC-08 where all placeholders must have values, one that has none is an error`() throws
  {
    let fixture = try Fixture(isStrict: true)
    let error = nodeError {
      _ = try fixture.load(#"{"a": "Hey ${nmae}"}"#, replacing: ["name": "x"])
    }
    #expect(error?.code == .unknownVariable)
    #expect(error?.nearNames == ["name"])
    #expect(try fixture.load(#"{"a": "Hey ${nmae:girl}"}"#)["a"] == "Hey girl")
  }

  @Test func `SC-09 File is a path and no include`() throws {
    let fixture = try Fixture()
    try fixture.write(#"{"File": "../include file=.json", "file": "x"}"#, to: "x/b.json")
    let node = try fixture.load(#"{"a": "include file=\"x/b.json\""}"#)
    #expect(node["a"]?["File"]?.text == fixture.folder.file("include file=.json"))
    #expect(node["a"]?["file"] == "x")
    #expect(try fixture.load(#"{"File": "http://a.b/c.png"}"#)["File"] == "http://a.b/c.png")
    let error = nodeError { _ = try fixture.load(#"{"File": "../../b.json"}"#) }
    #expect(error?.code == .outsideOfRoot)
  }

  @Test func `SC-10 files that include each other are an error with the chain`() throws {
    let fixture = try Fixture()
    try fixture.write(#"{"a": "include file=\"b.json\""}"#, to: "a.json")
    try fixture.write(#"{"a": "include file=\"x/../a.json\""}"#, to: "b.json")
    let error = nodeError { _ = try fixture.environment.files.load("a.json") }
    #expect(error?.code == .includeCycle)
    let (a, b) = (fixture.folder.file("a.json"), fixture.folder.file("b.json"))
    #expect(error?.message.hasSuffix("\(a) → \(b) → \(a)") == true)
    #expect(error?.location?.file == b)
  }

  @Test func `SC-10 a circle that changes its variables ends as well`() throws {
    let fixture = try Fixture()
    try fixture.write(#"{"a": "include file=\"a.json\" replace=\"x: ${x}1\""}"#, to: "a.json")
    let error = nodeError { _ = try fixture.environment.files.load("a.json") }
    #expect(error?.code == .includeCycle)
    #expect(error?.message.contains("more than 64 files") == true)
  }

  @Test func `SC-10 includes that double each other are an error before the memory is full`() throws
  {
    let limits = DocumentLimits(maximumBytes: 100_000, maximumElements: 10_000)
    let fixture = try Fixture(limits: limits)
    for number in 0..<40 {
      let include = #""include file=\"\#(number + 1).json\"""#
      try fixture.write("[\(include), \(include)]".wrapped, to: "\(number).json")
    }
    try fixture.write("{}", to: "40.json")
    #expect(nodeError { _ = try fixture.environment.files.load("0.json") }?.code == .tooLarge)
    for number in 0..<40 {
      try fixture.write(
        #"{"a": "include file=\"t\#(number + 1).json\" replace=\"x: ${x}${x}\""}"#,
        to: "t\(number).json")
    }
    let texts = nodeError {
      _ = try fixture.environment.files.load("t0.json", replacing: ["x": "1234567890"])
    }
    #expect(texts?.code == .tooLarge)
  }

  @Test func `SC-10 nested values of nested files are counted together`() throws {
    let fixture = try Fixture()
    let deep = { (include: String) in
      String(repeating: "[", count: 100) + include + String(repeating: "]", count: 100)
    }
    try fixture.write(deep(#""include file=\"b.json\"""#).wrapped, to: "a.json")
    try fixture.write(deep(#""include file=\"c.json\"""#).wrapped, to: "b.json")
    try fixture.write(deep("1").wrapped, to: "c.json")
    #expect(nodeError { _ = try fixture.environment.files.load("a.json") }?.code == .tooLarge)
    #expect(try fixture.environment.files.load("b.json").node["list"] != nil)
  }
}

extension String {
  /// A node with a list.
  fileprivate var wrapped: String { "{\"list\": \(self)}" }
}
