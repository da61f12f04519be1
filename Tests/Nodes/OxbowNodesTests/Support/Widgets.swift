import OxbowContainer
import OxbowNodes

class Label: ViewNode {
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
  /// Whether the button had a parent when its attributes were set.
  var hadParent = false

  override func apply(_ attributes: NodeAttributes) throws {
    try super.apply(attributes)
    hadParent = parent != nil
    title = try attributes.text("title") ?? title
    color = try attributes.value("color", as: NodeColor.self) ?? color
  }
}

final class ImageView: ViewNode {
  var image = ""

  override func apply(_ attributes: NodeAttributes) throws {
    try super.apply(attributes)
    image = try attributes.value("image") ?? image
  }
}

/// A program's button with functions that files call.
final class MyButton: Button {
  var calls: [String] = []

  override class var functions: [NodeFunction] {
    super.functions + [
      .function("_click:", of: MyButton.self) { button in
        { (text: String) in button.calls.append("click \(text)") }
      },
      .function("reset", of: MyButton.self) { button in { button.calls.append("reset") } },
      .function("move:to:", of: MyButton.self) { button in
        { (name: String, place: Int) in button.calls.append("move \(name) to \(place)") }
      },
      .function("fail", of: MyButton.self) { _ in { throw Refusal() } },
    ]
  }
}

struct Refusal: Error, CustomStringConvertible {
  var description: String { "no" }
}

/// A program's controller that observes the first button and tells the second.
final class MyController: ControllerNode {
  var received: [NodeNotification] = []

  override init() {
    super.init()
    observe("msg.page1.button1.clicked") { [unowned self] notification in
      received.append(notification)
      try post("msg.whatever", info: notification.info)
    }
  }
}

/// A node that reads its definition while it is made.
final class Panel: ViewNode, NodeConstructible {
  let definitionSeen: NodeValue
  let hadParentInInit: Bool
  var hadParentInApply = false
  var caption = ""

  init(node: NodeValue) throws {
    guard node["caption"]?.text != "refused" else { throw Refusal() }
    definitionSeen = node
    hadParentInInit = false
    super.init()
  }

  override func apply(_ attributes: NodeAttributes) throws {
    try super.apply(attributes)
    hadParentInApply = parent != nil
    caption = try attributes.value("caption") ?? ""
  }
}

extension NodeClasses {
  mutating func registerWidgets() {
    register("Label", Label.init)
    register("Button", Button.init)
    register("ImageView", ImageView.init)
    register("MyButton", MyButton.init)
    register("MyController", MyController.init)
    register(Panel.self)
  }
}
