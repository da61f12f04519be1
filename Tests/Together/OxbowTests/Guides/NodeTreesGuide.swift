import Foundation
import Oxbow
import OxbowNodes
import OxbowTestSupport
import Testing

// The code of docs/guide/node-trees.md.

/// The classes of the guide's nodes.
enum NodeTreesGuide {
  final class Greeter: Sendable {
    static let log = Log()

    func greet(_ name: String) { Self.log.note("Hello, \(name)") }
  }

  final class Log: @unchecked Sendable {
    // Sendable by argument: behind its lock.
    private let lock = NSLock()
    private var noted: [String] = []

    var lines: [String] { lock.withLock { noted } }

    func note(_ line: String) { lock.withLock { noted.append(line) } }
  }

  @Component final class Meter: ViewNode {
    var title = ""
    var level = 0.0
  }

  class Button: ViewNode {
    private let greeter: Greeter
    var title = ""

    init(greeter: Greeter) {
      self.greeter = greeter
      super.init()
    }

    override func apply(_ attributes: NodeAttributes) throws {
      try super.apply(attributes)
      title = try attributes.text("title") ?? title
    }

    override class var functions: [NodeFunction] {
      [
        .function("greet:", of: Button.self) { button in
          { (name: String) in button.greeter.greet(name) }
        }
      ]
    }
  }
}

@Suite struct NodeTreesGuideTests {
  private typealias Greeter = NodeTreesGuide.Greeter
  private typealias Button = NodeTreesGuide.Button

  /// The JSON of the guide, as files.
  private func files() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let texts = try Guide(name: "node-trees").texts("json")
    for (text, name) in zip(texts, ["main.json", "button.json"]) {
      try folder.write(text, to: name)
    }
    #expect(texts.count == 2)
    return folder
  }

  @Test func `the guide's files make a tree that greets`() async throws {
    let files = try files()
    let folder = files.path
    let builder = ContainerBuilder()
    let greeter = builder.singleton(named: "greeter", { Greeter() })
    builder.prototype(named: "button", Button.init(greeter:), greeter)
    let container = try builder.build()

    var environment = NodeEnvironment(files: NodeFiles(root: folder), container: container)
    environment.screen = NodeSize(width: 80, height: 24)
    environment.classes.register("Button") { Button(greeter: Greeter()) }
    let tree = try NodeTree.launch("main.json", in: environment)

    let meter = try #require(tree.node(tagged: 1) as? NodeTreesGuide.Meter)
    #expect(meter.title == "Books")
    #expect(meter.level == 0.75)
    #expect(meter.frame.center == NodePoint(x: 40, y: 12))

    let button = try #require(tree.node(tagged: 2) as? Button)
    try button.fire("onClick")
    #expect(button.title == "Again")

    #expect(Greeter.log.lines == ["Hello, Ada"])
    button.title = ""
    let buttonID = button.id
    let inbox = tree.inbox
    let hub = environment.hub
    await Task.detached {
      inbox.send("onClick", to: buttonID)
      hub.post(NodeNotification("greeted", info: ["who": "Eve"]))
    }.value
    try tree.drain()
    #expect(Greeter.log.lines == ["Hello, Ada", "Hello, Ada"])
    #expect(button.title == "Again")
    try tree.destroy()
  }

  @Test func `the guide's kind of action logs`() throws {
    let files = try files()
    let log = NodeTreesGuide.Log()
    var environment = NodeEnvironment(files: NodeFiles(root: files.path))
    environment.actions.register("Log") { call in
      log.note(try call.arguments.required("text", as: String.self))
    }
    let node: NodeValue = ["events": ["go": [["name": "Log", "text": "done"]]]]
    let tree = try NodeTree.launch(node: node, in: environment)
    try tree.root?.fire("go")
    #expect(log.lines == ["done"])
  }
}
