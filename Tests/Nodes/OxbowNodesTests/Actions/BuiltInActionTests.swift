import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

@Suite struct BuiltInActionTests {
  /// A window whose one view is a class with an action for the event `go`.
  private func launch(
    _ action: String, _ className: String = "View", in fixture: Fixture, more: String = ""
  ) throws -> (tree: NodeTree, view: ViewNode) {
    let tree = try fixture.launch(
      views: "{\"Class\": \"\(className)\", \(more) \"events\": {\"go\": [\(action)]}}")
    return (tree, try #require(tree.root?.children.first as? ViewNode))
  }

  /// The error of an action.
  private func error(_ action: String, _ className: String = "View") throws -> NodeError? {
    let (tree, view) = try launch(action, className, in: Fixture())
    return withExtendedLifetime(tree) { nodeError { try view.fire("go") } }
  }

  // MARK: - Alerts

  @Test func `SC-27 an alert is shown by the presenter, and its answer is an event`() throws {
    let fixture = try Fixture()
    let (tree, view) = try launch(
      #"{"name": "Alert", "title": "T", "message": "M", "ok": "Yes", "cancel": "No"}"#, in: fixture)
    let log = Log()
    try tree.root?.add([["events": ["x": []]]], to: "subviews")
    try view.fire("go")
    let alert = try #require(fixture.presenter.alerts.first)
    #expect(alert.kind == .alert)
    #expect(alert.title == "T")
    #expect(alert.message == "M")
    #expect(alert.buttons.map(\.title) == ["Yes", "No"])
    #expect(alert.buttons.map(\.event) == ["onConfirm", "onCancel"])
    #expect(alert.node == view.id)
    #expect(log.lines.isEmpty)
  }

  @Test func `SC-27 an alert may be a whole view with events of its own`() throws {
    let fixture = try Fixture()
    let (tree, view) = try launch(
      """
      {"name": "Alert", "view": {"title": "T", "ok": "Yes",
        "events": {"onConfirm": [{"name": "Hide"}]}}}
      """, in: fixture)
    try view.fire("go")
    let alert = try #require(fixture.presenter.alerts.first)
    #expect(alert.title == "T")
    #expect(alert.view?["ok"] == "Yes")
    fixture.presenter.answer(0, "onConfirm")
    fixture.presenter.answer(0, "onConfirm")
    #expect(!view.isHidden)
    #expect(try tree.drain() == 1)
    #expect(view.isHidden)
  }

  @Test func `SC-27 without events of its own the node handles the answer`() throws {
    let fixture = try Fixture()
    let tree = try fixture.launch(
      """
      {"events": {"go": [{"name": "Alert", "title": "T", "cancel": "No"}],
        "onCancel": [{"name": "Hide"}]}}
      """)
    try tree.root?.fire("go")
    fixture.presenter.answer(0, "onCancel")
    try tree.drain()
    #expect((tree.root as? ViewNode)?.isHidden == true)
  }

  @Test func `SC-27 an alert that says nothing is an error`() throws {
    #expect(try error(#"{"name": "Alert", "titel": "T"}"#)?.code == .missingArgument)
    #expect(try error(#"{"name": "Alert", "titel": "T"}"#)?.nearNames == ["title"])
    #expect(try error(#"{"name": "Alert", "view": "T"}"#)?.code == .invalidValue)
  }

  @Test func `SC-34 an action sheet is shown as alerts are, and needs a view`() throws {
    let fixture = try Fixture()
    let (tree, view) = try launch(
      #"{"name": "ActionSheet", "view": {"title": "T", "cancel": "No"}}"#, in: fixture)
    try view.fire("go")
    #expect(fixture.presenter.alerts.map(\.kind) == [.actionSheet])
    #expect(fixture.presenter.alerts.first?.buttons.map(\.title) == ["No"])
    #expect(try error(#"{"name": "ActionSheet", "title": "T"}"#)?.message == "\"view\" is missing")
    #expect(tree.notes.isEmpty)
  }

  // MARK: - Notification

  @Test func `SC-28 a notification comes with the whole action and its node`() throws {
    let fixture = try Fixture()
    let (tree, view) = try launch(
      #"{"name": "Notification", "event": "n", "more": {"a": [1]}}"#, in: fixture)
    var received: [NodeNotification] = []
    tree.root?.observe("n") { received.append($0) }
    try view.fire("go")
    #expect(received.map(\.info) == [["name": "Notification", "event": "n", "more": ["a": [1]]]])
    #expect(received.first?.sender == view.id)
    let missing = try error(#"{"name": "Notification", "evnt": "n"}"#)
    #expect(missing?.message == "\"event\" is missing; there is \"evnt\"")
    #expect(missing?.nearNames == ["event"])
  }

  // MARK: - Functions

  @Test(arguments: [
    (#""selector": "reset""#, "reset"),
    (#""selector": "_click:", "object": "a""#, "click a"),
    (#""selector": "_click:", "object": 7"#, "click 7"),
    (#""selector": "move:to:", "object1": "a", "object2": "1 + 1""#, "move a to 2"),
    (#""selector": "move:to:", "object": "a", "object2": 3"#, "move a to 3"),
  ])
  func `SC-29 a function gets as many objects as its name has colons`(
    arguments: String, call: String
  ) throws {
    let fixture = try Fixture()
    let (tree, view) = try launch("{\"name\": \"CallFunc\", \(arguments)}", "MyButton", in: fixture)
    try view.fire("go")
    #expect((view as? MyButton)?.calls == [call])
    #expect(tree.notes.isEmpty)
  }

  @Test(arguments: [
    (
      #""selector": "_clik:""#, NodeError.Code.unknownFunction,
      "MyButton has no function \"_clik:\""
    ),
    (
      #""selector": "_click:""#, .missingArgument,
      "argument 1 of \"_click:\" is missing; it is a String"
    ),
    (
      #""selector": "move:to:", "object": "a""#, .missingArgument,
      "argument 2 of \"move:to:\" is missing; it is a Int"
    ),
    (
      #""selector": "move:to:", "object": "a", "object2": []"#, .invalidValue,
      "argument 2 of \"move:to:\" is a Int: an array is not accepted here; expected: a number"
    ),
    (
      #""selector": "_click:", "object": {}"#, .invalidValue,
      "argument 1 of \"_click:\" is a String: a dictionary is not accepted here; expected: a text"
    ),
    (#""object": "a""#, .missingArgument, "\"selector\" is missing"),
    (#""selector": "fail""#, .actionFailed, "CallFunc failed: no"),
    (
      #""selector": "reset", "object": 1"#, .unknownAttribute, "CallFunc has no argument \"object\""
    ),
  ])
  func `SC-29 arguments that are missing or mistyped are errors with number and type`(
    arguments: String, code: NodeError.Code, message: String
  ) throws {
    let error = try error("{\"name\": \"CallFunc\", \(arguments)}", "MyButton")
    #expect(error?.code == code)
    #expect(error?.message == message)
    #expect(error?.location?.line == 1)
    if code == .unknownFunction { #expect(error?.nearNames == ["_click:"]) }
  }

  // MARK: - Views

  @Test func `SC-30 setAttributes sets attributes`() throws {
    let fixture = try Fixture()
    let (tree, view) = try launch(
      #"{"name": "View", "selector": "setAttributes:", "attributes": {"title": "new", "alpha": 0.5}}"#,
      "Button", in: fixture)
    try view.fire("go")
    #expect((view as? Button)?.title == "new")
    #expect(view.alpha == 0.5)
    #expect(tree.root?.children.count == 1)
    let typo = try error(
      #"{"name": "View", "selector": "setAttributes:", "attributes": {"titel": "new"}}"#, "Button")
    #expect(typo?.nearNames == ["title"])
    let missing = try error(#"{"name": "View", "selector": "setAttributes:"}"#)
    #expect(missing?.message == "\"attributes\" is missing")
  }

  @Test func `SC-30 addSubview makes a node and adds it, or leaves nothing behind`() throws {
    let fixture = try Fixture()
    let (_tree, view) = try launch(
      #"{"name": "View", "selector": "addSubview:", "view": {"Class": "Button", "center": "{right, bottom}"}}"#,
      in: fixture, more: #""size": "{100, 50}","#)
    try view.fire("go")
    #expect((view.children.first as? Button)?.frame.center == NodePoint(x: 100, y: 50))
    let (other, broken) = try launch(
      #"{"name": "View", "selector": "addSubview:", "view": {"subviews": [{"alpha": 3}]}}"#,
      in: fixture
    )
    #expect(nodeError { try broken.fire("go") }?.code == .invalidValue)
    #expect(broken.children.isEmpty)
    withExtendedLifetime((_tree, other)) {}
  }

  @Test func `SC-30 addSubview of a controller adds to its view`() throws {
    let fixture = try Fixture()
    let tree = try fixture.launch(
      """
      {"rootViewController": {"view": {}, "events": {"go":
        [{"name": "View", "selector": "addSubview:", "view": {"tag": 7}}]}}}
      """)
    let controller = try #require(tree.root?.child(in: "rootViewController") as? ControllerNode)
    try controller.fire("go")
    #expect(controller.view?.children.map(\.tag) == [7])
  }

  @Test func `SC-30 removeFromSuperview destroys the node`() throws {
    let fixture = try Fixture()
    let (tree, view) = try launch(
      #"{"name": "View", "selector": "removeFromSuperview"}, {"name": "Unknown"}"#, in: fixture)
    try view.fire("go")
    #expect(view.isDestroyed)
    #expect(tree.root?.children.isEmpty == true)
    let error = nodeError { try view.fire("go") }
    #expect(error?.code == .destroyed)
    let selector = try self.error(#"{"name": "View", "selector": "addSubveiw:"}"#)
    #expect(selector?.code == .unknownFunction)
    #expect(selector?.nearNames == ["addSubview:"])
  }

  @Test func `SC-31 visibility is changed, or opacity where it is given`() throws {
    let fixture = try Fixture()
    for (action, isHidden, alpha) in [
      (#"{"name": "Hide"}"#, true, 1.0), (#"{"name": "Show"}"#, false, 1),
      (#"{"name": "ToggleVisibility"}"#, true, 1),
      (#"{"name": "Hide", "alpha": "1 / 4"}"#, false, 0.25),
      (#"{"name": "Show", "alpha": 1}"#, false, 1),
    ] {
      let (_tree, view) = try launch(action, in: fixture)
      try view.fire("go")
      #expect(view.isHidden == isHidden, "\(action)")
      #expect(view.alpha == alpha, "\(action)")
      withExtendedLifetime(_tree) {}
    }
    #expect(try error(#"{"name": "Hide", "alpha": 2}"#)?.code == .invalidValue)
    let controller = try fixture.launch(
      #"{"rootViewController": {"events": {"go": [{"name": "Hide"}]}}}"#)
    let wrong = nodeError { try controller.root?.child(in: "rootViewController")?.fire("go") }
    #expect(wrong?.code == .wrongTarget)
    #expect(wrong?.message == "Hide is for a ViewNode; the target is a ControllerNode")
  }

  @Test(arguments: [
    (#"{"name": "MoveBy", "center": "{5, -5}"}"#, 15.0, 15.0, 100.0, 50.0),
    (#"{"name": "MoveTo", "origin": "{1, 2}"}"#, 1, 2, 100, 50),
    (#"{"name": "MoveTo", "center": "{center, middle}"}"#, 150, 125, 100, 50),
    (#"{"name": "MoveTo", "anchorPoint": "{0, 1}", "position": "{10, 300}"}"#, 10, 250, 100, 50),
    (#"{"name": "Resize", "size": "{50, 30}"}"#, 35, 30, 50, 30),
    (
      #"{"name": "Resize", "size": "{self.width * 2, 10}", "anchorPoint": "{0, 0}"}"#, 10, 20, 200,
      10
    ),
  ])
  func `SC-32 geometry is changed`(
    action: String, x: Double, y: Double, width: Double, height: Double
  ) throws {
    let fixture = try Fixture()
    let (_tree, view) = try launch(
      action, in: fixture, more: #""frame": "{{10, 20}, {100, 50}}","#)
    try view.fire("go")
    #expect(
      view.frame
        == NodeRect(origin: NodePoint(x: x, y: y), size: NodeSize(width: width, height: height)))
    withExtendedLifetime(_tree) {}
  }

  @Test func `SC-32 a move without a point, or with two, is an error`() throws {
    #expect(try error(#"{"name": "MoveTo"}"#)?.code == .missingArgument)
    #expect(
      try error(#"{"name": "MoveBy", "origin": "{1, 1}", "center": "{1, 1}"}"#)?.message
        == "MoveBy takes one of origin, center and position; it has origin and center")
    #expect(try error(#"{"name": "Resize"}"#)?.message == "\"size\" is missing")
    #expect(try error(#"{"name": "Resize", "size": "{-1, 1}"}"#)?.code == .invalidValue)
  }

  @Test func `SC-33 controllers are added, presented, dismissed and removed`() throws {
    let fixture = try Fixture()
    let selectors = [
      "add": #""selector": "addChildViewController:", "viewController": {"tag": 2}"#,
      "present":
        #""selector": "presentViewController:animated:", "viewController": {"tag": 3}, "animated": "yes""#,
      "modal":
        #""selector": "presentModalViewController:animated:", "viewController": {"tag": 3}, "animated": 1"#,
      "dismiss": #""selector": "dismissModalViewControllerAnimated:""#,
      "set": #""selector": "setAttributes:", "attributes": {"tag": 9}"#,
      "typo": #""selector": "presentViewControler:""#,
      "remove": #""selector": "removeFromParentViewController""#,
    ]
    let events = selectors.map { "\"\($0)\": [{\"name\": \"ViewController\", \($1)}]" }
    let tree = try fixture.launch(
      "{\"rootViewController\": {\"events\": {\(events.joined(separator: ", "))}}}")
    let controller = try #require(tree.root?.child(in: "rootViewController") as? ControllerNode)
    try controller.fire("add")
    #expect(controller.children(in: "childViewControllers").map(\.tag) == [2])
    for event in ["present", "modal"] {
      try controller.fire(event)
      #expect(controller.presented?.tag == 3)
      #expect(nodeError { try controller.fire("present") }?.code == .invalidDefinition)
      try controller.fire("dismiss")
      #expect(controller.presented == nil)
    }
    #expect(nodeError { try controller.fire("dismiss") }?.code == .wrongTarget)
    try controller.fire("set")
    #expect(controller.tag == 9)
    #expect(nodeError { try controller.fire("typo") }?.nearNames.first == "presentViewController:")
    try controller.fire("remove")
    #expect(controller.isDestroyed)
  }

  @Test func `SC-35 a kind of action of the program is found by name, prefix and class`() throws {
    var fixture = try Fixture()
    let log = Log()
    fixture.environment.actions.register("SCActionShake", Shake(log: log))
    let (tree, view) = try launch(
      """
      {"name": "Shake", "times": "1 + 2"}, {"Class": "SCActionShake", "times": 1},
      {"name": "anything", "Class": "Shake", "times": 2}
      """, in: fixture)
    try view.fire("go")
    #expect(log.lines == ["shaken 3", "shaken 1", "shaken 2"])
    let (_, other) = (tree, view)
    #expect(other === view)
    let (second, shaken) = try launch(#"{"name": "Shake", "tmies": 2}"#, in: fixture)
    let error = withExtendedLifetime(second) { nodeError { try shaken.fire("go") } }
    #expect(error?.code == .missingArgument)
    #expect(error?.nearNames == ["times"])
  }

  @Test func `SC-40 texts are translated`() throws {
    var fixture = try Fixture()
    fixture.environment.translate = { ["Hello": "Hallo", "Yes": "Ja"][$0] ?? $0 }
    fixture.environment.classes.register(Gauge.componentDescriptor)
    let tree = try fixture.launch(
      views: """
        {"Class": "Label", "text": "Hello", "events": {"go": [{"name": "Alert", "title": "Hello", "ok": "Yes"}]}},
        {"Class": "ImageView", "image": "Hello"}, {"Class": "Gauge", "title": "Hello"}
        """)
    let nodes = try #require(tree.root?.children)
    #expect((nodes[0] as? Label)?.text == "Hallo")
    #expect((nodes[1] as? ImageView)?.image == "Hello")
    #expect((nodes[2] as? Gauge)?.title == "Hallo")
    try nodes[0].fire("go")
    #expect(fixture.presenter.alerts.first?.title == "Hallo")
    #expect(fixture.presenter.alerts.first?.buttons.first?.title == "Ja")
  }
}

private struct Shake: NodeAction {
  let log: Log

  func run(_ call: ActionCall) throws {
    log.note("shaken \(try call.arguments.required("times", as: Int.self))")
  }
}
