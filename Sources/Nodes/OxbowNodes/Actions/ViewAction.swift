internal import OxbowDocuments

/// `View`: `setAttributes:`, `addSubview:` and `removeFromSuperview`.
struct ViewAction: NodeAction {
  private static let selectors = ["setAttributes:", "addSubview:", "removeFromSuperview"]

  func run(_ call: ActionCall) throws {
    let selector = try call.arguments.required("selector", as: String.self)
    switch selector {
    case "setAttributes:": try call.setAttributes(of: call.target)
    case "addSubview:": try call.add("view", to: call.owner(of: "subviews"), "subviews")
    case "removeFromSuperview": try call.animate { try call.target.removeFromParent() }
    default: throw call.unknownSelector(selector, among: Self.selectors)
    }
  }
}

/// `ViewController`: attributes, children, and presented controllers.
struct ControllerAction: NodeAction {
  private static let selectors = [
    "setAttributes:", "addChildViewController:", "removeFromParentViewController",
    "presentViewController:", "presentViewController:animated:", "dismissViewController",
    "dismissViewControllerAnimated:", "presentModalViewController:",
    "presentModalViewController:animated:", "dismissModalViewController",
    "dismissModalViewControllerAnimated:",
  ]

  func run(_ call: ActionCall) throws {
    let selector = try call.arguments.required("selector", as: String.self)
    guard Self.selectors.contains(selector) else {
      throw call.unknownSelector(selector, among: Self.selectors)
    }
    // Old files have it; the target's `animate` decides how a change is shown.
    _ = try call.arguments.value("animated", as: Bool.self)
    guard let controller = call.target.nearest(ControllerNode.self) else {
      throw NodeError(
        .wrongTarget, "\(call.name) is for a controller; there is none above the target",
        at: call.definition.location)
    }
    try run(selector, on: controller, call)
  }

  private func run(_ selector: String, on controller: ControllerNode, _ call: ActionCall) throws {
    switch selector {
    case "setAttributes:": try call.setAttributes(of: controller)
    case "addChildViewController:":
      try call.add("viewController", to: controller, "childViewControllers")
    case "removeFromParentViewController": try call.animate { try controller.removeFromParent() }
    case _ where selector.hasPrefix("present"):
      try call.add("viewController", to: controller, "presentedViewController")
    default: try dismiss(controller, call)
    }
  }

  /// Removes the presented controller, or the controller itself if it is presented.
  private func dismiss(_ controller: ControllerNode, _ call: ActionCall) throws {
    let isPresented = controller.slot == "presentedViewController"
    guard let dismissed = controller.presented ?? (isPresented ? controller : nil) else {
      throw NodeError(
        .wrongTarget,
        "the \(controller.className) does not present a controller, and is not presented itself",
        at: call.definition.location)
    }
    try call.animate { try dismissed.removeFromParent() }
  }
}

extension ActionCall {
  fileprivate func setAttributes(of node: Node) throws {
    guard let values = arguments["attributes"] else { throw arguments.missing("attributes") }
    guard values.dictionary != nil else {
      throw NodeError(
        .invalidValue, "\"attributes\" is \(values.shown); a dictionary is expected",
        at: values.location)
    }
    try animate { try host.apply(values, to: node, known: ["comment"]) }
  }

  fileprivate func add(_ argument: String, to node: Node, _ slot: String) throws {
    guard let value = arguments[argument] else { throw arguments.missing(argument) }
    try animate { try node.add([value], to: slot) }
  }

  /// The target, or its view if it is a controller.
  fileprivate func owner(of slot: String) -> Node {
    type(of: target).slot(named: slot) == nil ? target.child(in: "view") ?? target : target
  }

  fileprivate func unknownSelector(_ selector: String, among known: [String]) -> NodeError {
    NodeError(
      .unknownFunction,
      "\(name) has no selector \"\(selector)\"; known: \(known.joined(separator: ", "))",
      at: arguments.values["selector"]?.location, nearNames: nearNames(to: selector, among: known))
  }
}
