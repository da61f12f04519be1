import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

/// Trees from files in which something was changed at random.
@Suite struct MutationTests {
  private static let json = """
    {"Node": {"window": {"rootViewController": {"Class": "ViewController", "view": {"subviews": [
      {"Class": "Label", "text": "Hi ${name:x}", "center": "{center, middle - (10 * 2)}", "tag": 1},
      "include file=\\"b.json\\" replace=\\"name: girl; a: 'b'\\" attributes=\\"center: {1, 2}\\"",
      {"Class": "ObjectFromFile", "File": "b.json", "replace": "name: y"},
      {"Class": "ImageView", "size": "{nextSibling.width, 2}", "image": "x"},
      {"size": "{1e2, 3}", "actions": {"a": {"name": "Hide"}}, "notifications": ["n", "m"],
       "events": {"go": [{"name": "a", "target": "parent.children[0]"}, {"name": "Alert", "title": "t"},
         {"name": "View", "selector": "addSubview:", "view": {"Class": "Button"}, "delay": 0},
         {"name": "Notification", "event": "n"}, {"name": "MoveBy", "origin": "{1, 1}", "target": 1}],
         "n": [{"name": "ToggleVisibility"}], "m": [{"name": "go"}]}}]}}}}}
    """
  private static let plist = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict><key>Node</key><dict><key>subviews</key><array><dict>
    <key>Class</key><string>Label</string><key>center</key><string>{center, middle}</string></dict>
    <string>include file="b.json" attributes="alpha: 0.5"</string><dict><key>tag</key><integer>5</integer>
    <key>hidden</key><true/><key>events</key><dict><key>go</key><array><dict><key>name</key>
    <string>Hide</string></dict></array></dict></dict></array></dict></dict></plist>
    """
  private static let included = """
    {"Node": {"Class": "Button", "title": "${name}", "subviews": [{}], "events": {"go": [{"name": "Show"}]}}}
    """
  private static let pieces = [
    "\"", "{", "}", "[", "]", "(", ")", "${", "include file=\\\"a.json\\\"", "${app}/", "../", "0",
    "-",
    "\\u0000", "1e999", "null", "Class", "ObjectFromFile", "parent", "nextSibling.x", "events", "<",
    ">",
    "&#0;", "\u{301}", "😀", ":", ";", ",", "self", "go", "\\\"", " ", "ß",
  ]

  private func mutated(_ text: String, _ random: inout SeededRandom) -> String {
    var characters = Array(text)
    // A letter for a letter leaves a file that can be read, mostly.
    if random.chance(50) {
      let letters = characters.indices.filter { characters[$0].isLetter || characters[$0].isNumber }
      let index = letters.randomElement(using: &random) ?? 0
      characters[index] = "aehn017".randomElement(using: &random) ?? "a"
      return String(characters)
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) where !characters.isEmpty {
      let index = Int.random(in: 0..<characters.count, using: &random)
      let end = min(characters.count, index + Int.random(in: 0...12, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: characters.removeSubrange(index..<end)
      case 1:
        characters.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? "", at: index)
      case 2: characters.insert(contentsOf: characters[index..<end], at: 0 + index)
      default: characters.swapAt(index, Int.random(in: 0..<characters.count, using: &random))
      }
    }
    return String(characters)
  }

  @Test func `SC-01 a changed file makes a tree or an error with a code, and never a crash`() throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("mutations of node files: seed \(seed)")
    var random = SeededRandom(seed: seed)
    let fixture = try Fixture()
    try fixture.folder.write(Self.json, to: "a.json")
    try fixture.folder.write(Self.plist, to: "a.plist")
    try fixture.folder.write(Self.included, to: "b.json")
    for name in ["a.json", "a.plist"] {
      let tree = try NodeTree.launch(name, in: fixture.environment)
      #expect(tree.root?.subtree.count ?? 0 > 4)
    }
    var trees = 0
    for round in 0..<400 {
      let isList = round % 4 == 0
      let name = isList ? "a.plist" : "a.json"
      let changesIncluded = random.chance(30)
      let main = isList ? Self.plist : Self.json
      try fixture.folder.write(
        changesIncluded ? main : mutated(main, &random), to: name)
      try fixture.folder.write(
        changesIncluded ? mutated(Self.included, &random) : Self.included, to: "b.json")
      do {
        let tree = try NodeTree.launch(name, in: fixture.environment)
        trees += 1
        for node in tree.root?.subtree ?? [] where !node.isDestroyed {
          let error = nodeError { try node.fire("go") }
          if let error { #expect(!error.problems.isEmpty, "seed \(seed), round \(round)") }
        }
        try tree.destroy()
      } catch {
        #expect(error.location != nil, "seed \(seed), round \(round): \(error)")
      }
    }
    print("mutations of node files: \(trees) of 400 made trees")
    #expect(trees > 20, "seed \(seed): the files were changed too much to say anything")
  }
}
