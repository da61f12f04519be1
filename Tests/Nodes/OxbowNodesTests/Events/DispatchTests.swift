import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

@Suite struct DispatchTests {
  private func logging() throws -> (Fixture, Log) {
    var fixture = try Fixture()
    let log = Log()
    fixture.environment.actions.register("Log") { call in
      log.note(try call.arguments.required("text", as: String.self))
    }
    fixture.environment.actions.register("x") { _ in log.note("kind") }
    return (fixture, log)
  }

  @Test func `SC-23 an event of the target goes before its named action, and that before a kind`()
    throws
  {
    let (fixture, log) = try logging()
    let go = #""go": [{"name": "x"}]"#
    let event = #""x": [{"name": "Log", "text": "event"}]"#
    let action = #""actions": {"x": {"name": "Log", "text": "action"}}"#
    for node in [
      "\"events\": {\(go), \(event)}, \(action)", "\"events\": {\(go)}, \(action)",
      "\"events\": {\(go)}",
    ] {
      let tree = try fixture.launch("{\(node)}")
      try tree.root?.fire("go")
    }
    #expect(log.lines == ["event", "action", "kind"])
  }

  @Test func `SC-23 the events and actions are those of the target`() throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      """
      {"events": {"x": [{"name": "Log", "text": "of the window"}]},
       "subviews": [{"events": {"go": [{"name": "x", "target": "parent"}],
         "x": [{"name": "Log", "text": "own"}]}}]}
      """)
    try tree.root?.children.first?.fire("go")
    #expect(log.lines == ["of the window"])
  }

  @Test func `SC-23 an unknown action is an error with near names`() throws {
    let (fixture, _) = try logging()
    let tree = try fixture.launch(#"{"events": {"go": [{"name": "Hied"}]}}"#)
    let error = nodeError { try tree.root?.fire("go") }
    #expect(error?.code == .unknownAction)
    #expect(error?.nearNames == ["Hide"])
    #expect(error?.location?.column == 38)
  }

  @Test func `SC-23 an event that leads back to itself is an error with the circle`() throws {
    let (fixture, _) = try logging()
    let tree = try fixture.launch(
      #"{"events": {"a": [{"name": "b"}], "b": [{"name": "a"}], "c": [{"name": "d"}]}, "actions": {"d": {"name": "d"}}}"#
    )
    let error = nodeError { try tree.root?.fire("a") }
    #expect(error?.code == .eventCycle)
    #expect(
      error?.message.hasSuffix(
        "event \"a\" of WindowNode → event \"b\" of WindowNode → event \"a\" of WindowNode") == true
    )
    #expect(nodeError { try tree.root?.fire("c") }?.code == .eventCycle)
  }

  @Test func `SC-23 notifications that lead back to themselves are an error`() throws {
    let (fixture, _) = try logging()
    let view = { (own: String, other: String) in
      """
      {"notifications": ["\(own)"], "events": {"\(own)": [{"name": "Notification", "event": "\(other)"}]}}
      """
    }
    let tree = try fixture.launch(views: "\(view("a", "b")), \(view("b", "a"))")
    #expect(nodeError { try tree.root?.post("a") }?.code == .eventCycle)
  }

  @Test func `SC-23 a chain of events that is too long is an error and no overflow`() throws {
    let (fixture, _) = try logging()
    let views = (0..<400).map {
      #"{"events": {"go": [{"name": "go", "target": "parent.children[\#($0 + 1)]"}]}}"#
    }
    let tree = try fixture.launch(views: views.joined(separator: ","))
    #expect(nodeError { try tree.root?.children.first?.fire("go") }?.code == .tooLarge)
    #expect(nodeError { try tree.root?.children[350].fire("go") }?.code == .unknownTarget)
  }

  // MARK: - Targets

  @Test(arguments: [
    ("self", 4), ("parent", 3), ("window", 1), ("view", 4), ("controller", 2),
    ("rootViewController", 2), ("controller.view", 3), ("parent.parent", 2),
    ("window.rootViewController.view", 3), ("parent.children[0]", 4), ("parent.children[2 - 1]", 5),
    ("parent.subviews[1]", 5), ("controller.view.children[(1)]", 5), ("6", 6), ("parent.view", 3),
    (" parent . parent ", 2),
  ])
  func `SC-24 targets are paths and tags`(target: String, tag: Int) throws {
    var fixture = try Fixture()
    let log = Log()
    fixture.environment.actions.register("Tag") { log.note("\($0.target.tag ?? 0)") }
    let tree = try fixture.launch(
      """
      {"tag": 1, "rootViewController": {"tag": 2, "view": {"tag": 3, "subviews": [
        {"tag": 4, "subviews": [{"tag": 6}], "events": {"go": [{"name": "Tag", "target": "\(target)"}]}},
        {"tag": 5}]}}}
      """)
    try tree.node(tagged: 4)?.fire("go")
    #expect(log.lines == ["\(tag)"])
  }

  @Test func `SC-24 without a target the node itself is meant, and a number is a tag`() throws {
    var fixture = try Fixture()
    let log = Log()
    fixture.environment.actions.register("Tag") { log.note("\($0.target.tag ?? 0)") }
    let tree = try fixture.launch(
      #"{"tag": 1, "subviews": [{"tag": 2}], "events": {"go": [{"name": "Tag"}, {"name": "Tag", "target": 2}]}}"#
    )
    try tree.root?.fire("go")
    #expect(log.lines == ["1", "2"])
  }

  @Test(arguments: [
    ("parnt", ["parent"]), ("7", []), ("children[0]", []), ("children[x]", []),
    ("childen[0]", ["children"]),
    ("children[0", []), ("parent", []), ("controller", []), ("", []), ("self..self", []),
    ("children[1/0]", []), ("children[-1]", []), ("children", []),
  ])
  func `SC-24 a target that is none is an error`(target: String, near: [String]) throws {
    let fixture = try Fixture()
    let tree = try fixture.launch(
      "{\"events\": {\"go\": [{\"name\": \"Hide\", \"target\": \"\(target)\"}]}}")
    let error = nodeError { try tree.root?.fire("go") }
    #expect(error != nil)
    #expect(error?.nearNames == near)
    #expect(error?.location?.file.hasSuffix("launched.json") == true)
  }

  // MARK: - Delay

  @Test func `SC-25 a delayed action runs when its time has come`() async throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      #"{"events": {"go": [{"name": "Log", "text": "late", "delay": "1 + 1"}, {"name": "Log", "text": "now"}]}}"#
    )
    #expect(try tree.root?.fire("go") == true)
    #expect(log.lines == ["now"])
    await fixture.clock.sleepers(1)
    fixture.clock.advance(by: .seconds(1))
    #expect(try tree.drain() == 0)
    fixture.clock.advance(by: .seconds(1))
    #expect(try await tree.drainNext() == 1)
    #expect(log.lines == ["now", "late"])
  }

  @Test func `SC-25 the time counts from the action, whenever its task begins`() async throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      #"{"events": {"go": [{"name": "Log", "text": "late", "delay": 1}]}}"#)
    try tree.root?.fire("go")
    fixture.clock.advance(by: .seconds(1))
    #expect(try await tree.drainNext() == 1)
    #expect(log.lines == ["late"])
  }

  @Test func `SC-25 destroying the node cancels its delayed actions`() async throws {
    let (fixture, log) = try logging()
    let view = #"{"events": {"go": [{"name": "Log", "text": "late", "delay": 1}]}}"#
    var tree: NodeTree? = try fixture.launch(views: "\(view), \(view)")
    try tree?.root?.children[0].fire("go")
    try tree?.root?.children[1].fire("go")
    await fixture.clock.sleepers(2)
    try tree?.root?.children[0].removeFromParent()
    #expect(fixture.clock.cancelled == 1)
    fixture.clock.advance(by: .seconds(1))
    #expect(try await tree?.drainNext() == 1)
    #expect(log.lines == ["late"])
    try tree?.root?.children[0].fire("go")
    await fixture.clock.sleepers(1)
    tree = nil
    #expect(fixture.clock.cancelled == 2)
  }

  @Test(.timeLimit(.minutes(30)))
  func `SC-25 a tree whose root has removed itself has no more messages`() async throws {
    let (fixture, _) = try logging()
    let tree = try fixture.launch("{}")
    try tree.root?.removeFromParent()
    #expect(tree.isDestroyed)
    #expect(try await tree.drainNext() == 0)
    try await tree.run()
  }

  @Test func `SC-25 a delay that is no time is an error`() throws {
    let (fixture, _) = try logging()
    for delay in ["\"soon\"", "-1", "[]"] {
      let tree = try fixture.launch(
        #"{"events": {"go": [{"name": "Log", "text": "late", "delay": DELAY}]}}"#
          .replacing("DELAY", with: delay))
      let error = nodeError { try tree.root?.fire("go") }
      #expect(error?.location != nil, "\(delay)")
    }
  }

  @Test func `SC-26 duration and transition reach the node's hook`() throws {
    var fixture = try Fixture()
    fixture.environment.classes.register("Animated", AnimatedView.init)
    let tree = try fixture.launch(
      views:
        #"{"Class": "Animated", "events": {"go": [{"name": "Hide", "duration": "0.5 * 2", "transition": "fade"}]}}"#
    )
    let view = try #require(tree.root?.children.first as? AnimatedView)
    try view.fire("go")
    #expect(view.animations == [NodeAnimation(duration: 1, transition: "fade")])
    #expect(view.isHidden)
    #expect(view.wasHiddenBefore == false)
  }
}

private final class AnimatedView: ViewNode {
  var animations: [NodeAnimation] = []
  var wasHiddenBefore: Bool?

  override func animate(_ animation: NodeAnimation, _ changes: () throws -> Void) throws {
    animations.append(animation)
    wasHiddenBefore = isHidden
    try changes()
  }
}
