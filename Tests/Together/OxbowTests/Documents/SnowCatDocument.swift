import Oxbow
import OxbowNodes
import OxbowTestSupport
import Synchronization
import Testing

// SnowCat's document, example by example in its order, as a program says it with Oxbow.

/// The classes of the document's files.
private enum Scene {
  final class Label: ViewNode {
    var text = ""
    var color = NodeColor.clear
    override func apply(_ attributes: NodeAttributes) throws {
      try super.apply(attributes)
      text = try attributes.text("text") ?? text
      color = try attributes.value("color", as: NodeColor.self) ?? color
    }
  }

  class Button: ViewNode {
    var title = ""
    var color = NodeColor.clear
    override func apply(_ attributes: NodeAttributes) throws {
      try super.apply(attributes)
      title = try attributes.text("title") ?? title
      color = try attributes.value("color", as: NodeColor.self) ?? color
    }
  }

  final class ImageView: ViewNode {
    var image = ""
    override func apply(_ attributes: NodeAttributes) throws {
      try super.apply(attributes)
      image = try attributes.text("image") ?? image
    }
  }

  /// The controller of the second example: it observes one notification and posts another one.
  final class Controller: ControllerNode {
    var seen: [String] = []

    override init() {
      super.init()
      observe("scene.first.clicked") { [unowned self] notification in
        seen.append("user info: \(notification.info)")
        try post("scene.anything", info: notification.info)
      }
    }
  }

  /// The button of the second example: it reads its dictionary, takes an attribute more, handles
  /// its click itself, and has a function that files call.
  final class SecondButton: Button, NodeConstructible {
    let keys: Int
    var hint = ""
    var hadParent = false
    var steps: [String] = []

    init(node: NodeValue) throws {
      keys = node.dictionary?.entries.count ?? 0
      super.init()
    }

    override func apply(_ attributes: NodeAttributes) throws {
      try super.apply(attributes)
      hint = try attributes.text("hint") ?? hint
      hadParent = parent != nil
    }

    override func handle(_ event: NodeEvent) throws -> Bool {
      let isHandled = try super.handle(event)
      guard event.name == "onClick" else { return isHandled }
      steps.append("sender: \(title)")
      return true
    }

    override class var functions: [NodeFunction] {
      [
        .function("_click:", of: SecondButton.self) { button in
          { (text: String) in button.steps.append("object: \(text)") }
        }
      ]
    }
  }
}

private final class Alerts: AlertPresenting {
  private let state = Mutex<[String]>([])
  var shown: [String] { state.withLock { $0 } }

  func present(_ alert: NodeAlert, answer: @escaping @Sendable (String) -> Void) {
    let buttons = alert.buttons.map(\.title).joined(separator: ",")
    state.withLock { $0.append("\(alert.title ?? ""): \(alert.message ?? "") [\(buttons)]") }
  }
}

@Suite("The document of SnowCat") struct SnowCatDocument {
  private let alerts = Alerts()

  private func launch(_ files: [String: String]) throws -> (tree: NodeTree, folder: TemporaryFolder)
  {
    let folder = try TemporaryFolder()
    for (name, text) in files { try folder.write("{\"Node\": \(text)}", to: name) }
    var environment = NodeEnvironment(files: NodeFiles(root: folder.path))
    environment.screen = NodeSize(width: 400, height: 300)
    environment.presenter = alerts
    environment.classes.register("Label", Scene.Label.init)
    environment.classes.register("Button", Scene.Button.init)
    environment.classes.register("ImageView", Scene.ImageView.init)
    environment.classes.register("MyController", Scene.Controller.init)
    environment.classes.register(Scene.SecondButton.self, as: "MyButton")
    return (try NodeTree.launch("main.json", in: environment), folder)
  }

  private func view(of tree: NodeTree) throws -> ViewNode {
    let window = try #require(tree.root as? WindowNode)
    return try #require((window.rootViewController as? ControllerNode)?.view)
  }

  // MARK: - Example 1

  private static let first = [
    "main.json": """
    {"comment": "where it begins",
     "window": {"rootViewController": "include file=\\"page.json\\" replace=\\"name: Ada\\""}}
    """,
    "page.json": """
    {"Class": "ViewController", "comment": "a page", "view": {"subviews": [
      {"Class": "Label", "text": "Good morning", "color": "{0, 0, 255}",
       "center": "{center, middle - 100}"},
      "include file=\\"button.json\\" attributes=\\"center: {center, middle}\\"",
      {"Class": "ImageView", "image": "cat.png", "size": "{100, 100}",
       "center": "{center, middle + 100}",
       "events": {"page.clicked": [{"name": "ToggleVisibility", "target": "self"}]},
       "notifications": ["page.clicked"]}
    ]}}
    """,
    "button.json": """
    {"Class": "Button", "title": "press", "color": "{255, 0, 0}", "events": {"onClick": [
      {"name": "Alert", "title": "Dear ${name}", "message": "Tea?", "ok": "Yes"},
      {"name": "Notification", "event": "page.clicked"}
    ]}}
    """,
  ]

  @Test func `Example 1, AppDelegate and main: a file becomes the tree of a window`() throws {
    let (tree, _) = try launch(Self.first)
    #expect(try view(of: tree).children.count == 3)
    #expect((tree.root as? WindowNode)?.frame.size == NodeSize(width: 400, height: 300))
    #expect(tree.notes.isEmpty)
  }

  @Test func `Example 1, page1: views, an include with attributes, words for places`() throws {
    let (tree, _) = try launch(Self.first)
    let views = try view(of: tree).children
    let label = try #require(views[0] as? Scene.Label)
    #expect(label.text == "Good morning")
    #expect(label.color == NodeColor(red: 0, green: 0, blue: 1))
    #expect(label.frame.center == NodePoint(x: 200, y: 50))
    #expect((views[1] as? Scene.Button)?.frame.center == NodePoint(x: 200, y: 150))
    let image = try #require(views[2] as? Scene.ImageView)
    #expect(image.image == "cat.png")
    #expect(image.frame.size == NodeSize(width: 100, height: 100))
    #expect(image.frame.center == NodePoint(x: 200, y: 250))
  }

  @Test func `Example 1, btn1: a click asks the user, and tells the image by a notification`()
    throws
  {
    let (tree, _) = try launch(Self.first)
    let views = try view(of: tree).children
    let image = try #require(views[2] as? Scene.ImageView)
    #expect(try views[1].fire("onClick"))
    #expect(alerts.shown == ["Dear Ada: Tea? [Yes]"])
    #expect(image.isHidden)
    try views[1].fire("onClick")
    #expect(!image.isHidden)
  }

  // MARK: - Example 2

  private static let second = [
    "main.json": """
    {"window": {"rootViewController": {"Class": "MyController", "view": {"subviews": [
      "include file=\\"first.json\\" replace=\\"name: Ada\\""
    ]}}}}
    """,
    "first.json": """
    {"Class": "Button", "title": "one", "color": "{255, 0, 0}",
     "events": {
       "onClick": [{"name": "Notification", "event": "scene.first.clicked"}],
       "scene.anything": [
         {"name": "View", "target": "parent", "selector": "addSubview:",
          "view": "include file=\\"second.json\\" attributes=\\"center: {200, 100}\\""},
         {"name": "Hide", "target": "self"}
       ]},
     "notifications": ["scene.anything"]}
    """,
    "second.json": """
    {"Class": "MyButton", "title": "two", "color": "{0, 255, 0}", "hint": "again", "events": {
      "onClick": [{"name": "CallFunc", "selector": "_click:", "object": "${name}"}]
    }}
    """,
  ]

  @Test func `Example 2, MyController: it observes a notification, reads it and posts another one`()
    throws
  {
    let (tree, _) = try launch(Self.second)
    let controller = try #require(
      (tree.root as? WindowNode)?.rootViewController as? Scene.Controller)
    try view(of: tree).children.first?.fire("onClick")
    #expect(
      controller.seen == [
        #"user info: {"name": "Notification", "event": "scene.first.clicked"}"#
      ])
  }

  @Test func `Example 2, btn1: a notification adds a view of another file, and hides the button`()
    throws
  {
    let (tree, _) = try launch(Self.second)
    let page = try view(of: tree)
    try page.children.first?.fire("onClick")
    #expect(page.children.count == 2)
    #expect((page.children.first as? ViewNode)?.isHidden == true)
    #expect((page.children.last as? ViewNode)?.frame.center == NodePoint(x: 200, y: 100))
  }

  /// The second button, once it was added.
  private func secondButton(of tree: NodeTree) throws -> Scene.SecondButton {
    let page = try view(of: tree)
    try page.children.first?.fire("onClick")
    return try #require(page.children.last as? Scene.SecondButton)
  }

  @Test func `Example 2, MyButton: it reads its dictionary, and its attributes with a parent`()
    throws
  {
    let (tree, _) = try launch(Self.second)
    let button = try secondButton(of: tree)
    #expect(button.keys == 6)
    #expect((button.title, button.hint) == ("two", "again"))
    #expect(button.hadParent)
  }

  @Test func `Example 2, MyButton onClick: the class handles the event, and calls super`() throws {
    let (tree, _) = try launch(Self.second)
    let button = try secondButton(of: tree)
    #expect(try button.fire("onClick"))
    #expect(button.steps.last == "sender: two")
  }

  @Test func `Example 2, btn2 and CallFunc: a file calls a function with a variable`() throws {
    let (tree, _) = try launch(Self.second)
    let button = try secondButton(of: tree)
    try button.fire("onClick")
    #expect(button.steps == ["object: Ada", "sender: two"])
  }
}
