import Foundation
import OxbowContainer
import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

/// A view whose properties are described, as `@Component` does.
final class Gauge: ViewNode, Component {
  enum Style: String, CaseIterable { case round, flat }

  var title = ""
  var level = 0.0
  var steps = 0
  var style = Style.round
  var origin = NodePoint()
  var marks: [Double] = []

  nonisolated static var componentDescriptor: ComponentDescriptor {
    ComponentDescriptor(
      Gauge.self, name: "Gauge", sendability: .of(), product: .of(),
      initializers: [InitializerDescriptor { Gauge() }],
      properties: [
        .property(
          "title", String.self, typeName: "String", sendability: .of(),
          accepts: { $0 is String.Type }, set: { $0.title = $1 }),
        .property(
          "level", Double.self, typeName: "Double", sendability: .of(),
          accepts: { $0 is Double.Type }, set: { $0.level = $1 }),
        .property(
          "steps", Int.self, typeName: "Int", sendability: .of(), accepts: { $0 is Int.Type },
          set: { $0.steps = $1 }),
        .property(
          "style", Style.self, typeName: "Style", sendability: .of(),
          accepts: { $0 is Style.Type }, set: { $0.style = $1 }),
        .property(
          "marks", [Double].self, typeName: "[Double]", sendability: .of(),
          accepts: { $0 is Double.Type }, set: { $0.marks = $1 }),
      ])
  }
}

@Suite struct ClassTests {
  @Test func `SC-11 a class is found as it is, and behind a prefix`() throws {
    var fixture = try Fixture()
    fixture.environment.classes.register("SCTicker", Label.init)
    fixture.environment.classes.register("UISwitch", Button.init)
    let tree = try fixture.launch(
      views: #"{"Class": "Ticker"}, {"Class": "SCTicker"}, {"Class": "Switch"}"#)
    #expect(tree.root?.children.map(\.className) == ["Label", "Label", "Button"])
    fixture.environment.classes.prefixes = ["My"]
    fixture.environment.classes.register("MySwitch", ImageView.init)
    let other = try fixture.launch(views: #"{"Class": "Switch"}"#)
    #expect(other.root?.children.map(\.className) == ["ImageView"])
  }

  @Test func `SC-11 an unknown class is an error with place, what was tried and near names`() throws
  {
    let error = try Fixture().error(views: "{\n\"Class\": \"Buton\"}")
    #expect(error?.code == .unknownClass)
    #expect(
      error?.message.hasPrefix("\"Buton\", \"SCButon\", \"UIButon\": none of these is") == true)
    #expect(error?.nearNames == ["Button"])
    #expect(error?.location?.line == 2)
  }

  @Test func `SC-11 without a class the kind is that of the slot`() throws {
    let tree = try Fixture().launch(#"{"rootViewController": {"view": {"subviews": [{}]}}}"#)
    #expect(
      tree.root?.subtree.map(\.className) == [
        "WindowNode", "ControllerNode", "ViewNode", "ViewNode",
      ])
  }

  @Test func `SC-12 a class reads its definition, or is made without`() throws {
    let fixture = try Fixture()
    let tree = try fixture.launch(
      views: #"{"Class": "Panel", "caption": "x"}, {"Class": "Label"}"#)
    let panel = try #require(tree.root?.children.first as? Panel)
    #expect(panel.definitionSeen["caption"] == "x")
    #expect(tree.root?.children.last is Label)
    let error = fixture.error(views: #"{"Class": "Panel", "caption": "refused"}"#)
    #expect(error?.code == .setUpFailed)
    #expect(error?.underlying is Refusal)
    #expect(error?.location != nil)
  }

  @Test func `SC-13 attributes are set when the node has its parent`() throws {
    let tree = try Fixture().launch(views: #"{"Class": "Panel", "caption": "x"}"#)
    let panel = try #require(tree.root?.children.first as? Panel)
    #expect(!panel.hadParentInInit)
    #expect(panel.hadParentInApply)
    #expect(panel.caption == "x")
  }

  @Test func `SC-13 an attribute that is not read is an error with near names`() throws {
    var fixture = try Fixture()
    let views = #"{"Class": "Label", "txet": "Hello"}"#
    let error = fixture.error(views: views)
    #expect(error?.code == .unknownAttribute)
    #expect(error?.message == "Label has no attribute \"txet\"")
    #expect(error?.nearNames == ["text"])
    fixture.environment.compatibility = .unknownAttributes
    #expect(
      try fixture.launch(views: views).notes.map(\.text) == ["Label has no attribute \"txet\""])
    #expect(
      try Fixture().error(views: #"{"Class": "Label", "evnets": {}}"#)?.nearNames == ["events"])
  }

  @Test func `SC-13 an attribute of the wrong kind is an error with its name`() throws {
    let error = try Fixture().error(views: #"{"hidden": "perhaps"}"#)
    #expect(error?.code == .invalidValue)
    #expect(
      error?.message == "\"hidden\": \"perhaps\" is not accepted here; expected: true or false")
    #expect(error?.location?.column == 35)
  }

  @Test func `SC-14 a node from a file is read when it is made`() throws {
    let fixture = try Fixture()
    try fixture.write(#"{"Class": "Button", "title": "${a}", "alpha": 1}"#, to: "x/b.json")
    let tree = try fixture.launch(
      views: """
        {"Class": "ObjectFromFile", "File": "x/b.json", "replace": "a: Go", "attributes": "alpha: 0.5"},
        {"Class": "ObjectFromFile", "File": "x/b.json", "replace": {"a": "No"}, "attributes": {"tag": 7}}
        """)
    let buttons = tree.root?.children.compactMap { $0 as? Button } ?? []
    #expect(buttons.map(\.title) == ["Go", "No"])
    #expect(buttons.map(\.alpha) == [0.5, 1])
    #expect(buttons.last?.tag == 7)
  }

  @Test func `SC-14 a node of a program names files from the root, and none outside`() throws {
    let fixture = try Fixture()
    try fixture.write(#"{"tag": 3}"#, to: "x/b.json")
    let node = { (file: String) in
      NodeValue(dictionaryLiteral: ("Class", "ObjectFromFile"), ("File", .init(.text(file))))
    }
    let tree = try fixture.launch("{}")
    let added = try #require(tree.root).add([node("x/b.json")], to: "subviews")
    #expect(added.map(\.tag) == [3])
    for file in ["../b.json", "/etc/b.json", "http://a.b/c.json"] {
      let error = nodeError { try tree.root?.add([node(file)], to: "subviews") }
      #expect(error?.code == .outsideOfRoot)
    }
    #expect(tree.root?.children.count == 1)
  }

  @Test func `SC-14 nodes whose files make each other are an error with the chain`() throws {
    let fixture = try Fixture()
    let inner = #"{"subviews": [{"Class": "ObjectFromFile", "File": "FILE"}]}"#
    try fixture.write(inner.replacing("FILE", with: "b.json"), to: "a.json")
    try fixture.write(inner.replacing("FILE", with: "a.json"), to: "b.json")
    let error = fixture.error(views: #"{"Class": "ObjectFromFile", "File": "a.json"}"#)
    #expect(error?.code == .includeCycle)
    let (a, b) = (fixture.folder.file("a.json"), fixture.folder.file("b.json"))
    #expect(error?.message.hasSuffix("\(a) → \(b) → \(a)") == true)
    let missing = fixture.error(views: #"{"Class": "ObjectFromFile", "file": "a.json"}"#)
    #expect(missing?.nearNames == ["File"])
  }

  @Test func `SC-15 comments are left out`() throws {
    let tree = try Fixture().launch(
      #"{"comment": "a", "window": {"comment": ["b"], "subviews": [{"comment": 1}]}}"#)
    #expect(tree.root?.children.count == 1)
    #expect(tree.notes.isEmpty)
  }

  @Test func `SC-16 nodes are in the slots of their parents`() throws {
    let fixture = try Fixture()
    let tree = try fixture.launch(
      """
      {"window": {"rootViewController": {"view": {"subviews": [{"tag": 1}, {"tag": 2}]},
        "childViewControllers": [{"tag": 3}]}}}
      """)
    let controller = try #require(tree.root?.child(in: "rootViewController") as? ControllerNode)
    #expect(controller.view?.children(in: "subviews").map(\.tag) == [1, 2])
    #expect(controller.children(in: "childViewControllers").map(\.tag) == [3])
    #expect(controller.view?.parent === controller)
    #expect(controller.view?.frame.size == fixture.environment.screen)
    #expect(tree.node(tagged: 2) === controller.view?.children[1])
  }

  @Test(arguments: [
    (#"{"subviews": {}}"#, "an array of nodes is expected"),
    (#"{"subviews": ["x"]}"#, "a node is a dictionary, not a text"),
    (#"{"window": []}"#, "a node is a dictionary, not an array"),
    (#"{"subviews": [{"Class": 1.5}]}"#, "none of these is a class of nodes"),
  ])
  func `SC-16 nodes of another form are an error`(node: String, message: String) throws {
    let error = nodeError { _ = try Fixture().launch(node) }
    #expect(error?.message.contains(message) == true)
    #expect(error?.location?.file.hasSuffix("launched.json") == true)
  }

  @Test func `SC-16 many nodes inside of each other are set up, and too many are an error`() throws
  {
    let fixture = try Fixture()
    let nested = { (count: Int) in
      String(repeating: "{\"subviews\": [", count: count) + "{}"
        + String(repeating: "]}", count: count)
    }
    let tree = try fixture.launch(nested(120))
    #expect(tree.root?.subtree.count == 121)
    #expect(nodeError { _ = try fixture.launch(nested(200)) }?.code == .unreadableFile)
    var deepest = try #require(tree.root?.subtree.last)
    let error = nodeError {
      for _ in 0..<300 { deepest = try deepest.add([[:]], to: "subviews")[0] }
    }
    #expect(error?.code == .tooLarge)
    #expect(tree.root?.subtree.count == 256)
  }

  @Test(arguments: ["lists", "views", "events"])
  func `SC-10 the deepest trees fit the small stack of a thread`(part: String) async throws {
    let fixture = try Fixture()
    let chain = (0..<63).map {
      #"{"events": {"go": [{"name": "go", "target": "parent.children[\#($0 + 1)]"}]}}"#
    }
    let nodes = [
      "lists": String(repeating: "[", count: 250) + String(repeating: "]", count: 250),
      "views": String(repeating: "{\"subviews\": [", count: 120) + "{}"
        + String(repeating: "]}", count: 120),
      "events": "{\"subviews\": [\(chain.joined(separator: ",")), {}]}",
    ]
    try fixture.write("{\"subviews\": [{}], \"a\": \(nodes[part] ?? "")}", to: "lists.json")
    try fixture.write(nodes[part] ?? "", to: "tree.json")
    let result = await onSmallStack {
      if part == "lists" { return try fixture.environment.files.load("lists.json").node["a"]?.kind }
      let tree = try NodeTree.launch("tree.json", in: fixture.environment)
      if part == "views" { return "\(tree.root?.subtree.count ?? 0) nodes" }
      return nodeError { try tree.root?.children.first?.fire("go") }?.code.rawValue
    }
    #expect(
      result == ["lists": "an array", "views": "121 nodes", "events": "unknownAction"][part])
  }

  /// Runs something on a thread whose stack has 512 KiB, as secondary threads of macOS have; code
  /// that is not optimized needs more.
  private func onSmallStack<R: Sendable>(
    _ body: @escaping @Sendable () throws -> R?
  ) async -> R? {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: try? body()) }
      #if DEBUG
        thread.stackSize = 2048 << 10
      #else
        thread.stackSize = 512 << 10
      #endif
      thread.start()
    }
  }

  @Test func `SC-21 a node that its own nodes remove is not set up further`() throws {
    let tree = try Fixture().launch(
      views: """
        {"events": {"onSet": [{"name": "Unknown"}]}, "subviews": [{"events": {"onSet": [
          {"name": "View", "selector": "removeFromSuperview", "target": "parent"}]}}]}, {"tag": 1}
        """)
    #expect(tree.root?.children.map(\.tag) == [1])
  }

  @Test func `SC-41 beside the window there is nothing to set`() throws {
    let error = nodeError { _ = try Fixture().launch(#"{"window": {}, "windwo": 1}"#) }
    #expect(error?.code == .unknownAttribute)
    #expect(error?.nearNames == ["window"])
  }

  @Test func `SC-41 a launch that fails leaves nothing behind`() throws {
    let fixture = try Fixture()
    let log = Log()
    var environment = fixture.environment
    environment.actions.register("Log") { _ in log.note("ran") }
    try fixture.write(
      #"{"subviews": [{"notifications": ["n"], "events": {"n": [{"name": "Log"}]}}, {"alpha": 2}]}"#,
      to: "a.json")
    #expect(nodeError { _ = try NodeTree.launch("a.json", in: environment) }?.code == .invalidValue)
    fixture.hub.post(NodeNotification("n"))
    #expect(log.lines.isEmpty)
  }

  // MARK: - Described properties

  @Test func `SC-13 attributes that no class reads are described properties`() throws {
    var fixture = try Fixture()
    fixture.environment.classes.register(Gauge.componentDescriptor)
    let tree = try fixture.launch(
      views: """
        {"Class": "Gauge", "title": "a", "level": "1 / 4", "steps": "2 * 3", "style": "flat",
         "marks": [1, "self.width"], "size": "{5, 6}"}
        """)
    let gauge = try #require(tree.root?.children.first as? Gauge)
    #expect(gauge.title == "a")
    #expect(gauge.level == 0.25)
    #expect(gauge.steps == 6)
    #expect(gauge.style == .flat)
    #expect(gauge.marks == [1, 5])
    let style = fixture.error(views: #"{"Class": "Gauge", "style": "flt"}"#)
    #expect(style?.code == .invalidValue)
    #expect(style?.nearNames == ["flat"])
    let name = fixture.error(views: #"{"Class": "Gauge", "lvel": 1}"#)
    #expect(name?.nearNames == ["level"])
    #expect(fixture.error(views: #"{"Class": "Gauge", "steps": 1.5}"#)?.code == .invalidValue)
  }
}
