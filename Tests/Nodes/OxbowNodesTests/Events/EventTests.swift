import OxbowDocuments
import OxbowNodes
import OxbowTestSupport
import Testing

@Suite struct EventTests {
  /// A fixture whose action `Log` notes its `text`.
  private func logging() throws -> (Fixture, Log) {
    var fixture = try Fixture()
    let log = Log()
    fixture.environment.actions.register("Log") { call in
      log.note(try call.arguments.required("text", as: String.self))
    }
    return (fixture, log)
  }

  @Test func `SC-17 an event runs its actions in order, and an unknown one does nothing`() throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      #"{"events": {"go": [{"name": "Log", "text": "a"}, {"name": "Log", "text": "b", "comment": 1}]}}"#
    )
    #expect(try tree.root?.fire("go") == true)
    #expect(try tree.root?.fire("stop") == false)
    #expect(log.lines == ["a", "b"])
  }

  @Test(arguments: [
    (#"{"events": []}"#, "events is an array; a dictionary is expected"),
    (#"{"events": {"a": {}}}"#, "event \"a\" is a dictionary; an array of actions is expected"),
    (#"{"events": {"a": ["b"]}}"#, "an action is \"b\"; a dictionary is expected"),
    (#"{"events": {"a": [{"nmae": "b"}]}}"#, "an action has no \"name\"; there is \"nmae\""),
    (#"{"actions": {"a": [{"name": "b"}]}}"#, "an action is an array; a dictionary is expected"),
    (#"{"notifications": "a"}"#, "notifications is \"a\"; an array of names is expected"),
    (#"{"notifications": [1]}"#, "a notification is \"1\"; a name is expected"),
    (#"{"eventHandler": []}"#, "eventHandler is an array; a dictionary is expected"),
  ])
  func `SC-17 events of another form are an error where they are`(
    node: String, message: String
  ) throws {
    let error = nodeError { _ = try Fixture().launch(node) }
    #expect(error?.message == message)
    #expect(error?.location?.line == 1)
  }

  @Test func `SC-17 the first action that fails ends the event`() throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      #"{"events": {"go": [{"name": "Log", "text": "a"}, {"name": "Log"}, {"name": "Log", "text": "c"}]}}"#
    )
    let error = nodeError { try tree.root?.fire("go") }
    #expect(error?.code == .missingArgument)
    #expect(error?.message == "\"text\" is missing")
    #expect(error?.location?.line == 1)
    #expect(log.lines == ["a"])
  }

  @Test func `SC-18 nodes receive notifications in the order of their subscriptions`() throws {
    let (fixture, log) = try logging()
    fixture.hub.observe("n") { _ in log.note("observer") }
    let tree = try fixture.launch(
      views: """
        {"notifications": ["n"], "events": {"n": [{"name": "Log", "text": "one"}]}},
        {"notifications": ["n"], "events": {"n": [{"name": "Log", "text": "two"}]}}
        """)
    fixture.hub.observe("n") { _ in log.note("late") }
    try tree.root?.post("n")
    #expect(log.lines == ["observer", "one", "two", "late"])
  }

  @Test func `SC-18 a name that is observed twice is observed once, with a note`() throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      #"{"notifications": ["n", "n"], "events": {"n": [{"name": "Log", "text": "one"}]}}"#)
    try tree.root?.post("n")
    #expect(log.lines == ["one"])
    #expect(tree.notes.map(\.text) == ["notification \"n\" is named twice and observed once"])
  }

  @Test func `SC-18 a destroyed node receives nothing, and the hub holds no tree`() throws {
    let (fixture, log) = try logging()
    let view = #"{"notifications": ["n"], "events": {"n": [{"name": "Log", "text": "one"}]}}"#
    var tree: NodeTree? = try fixture.launch(views: "\(view), \(view)")
    weak let weakTree = tree
    weak let weakNode = tree?.root?.children.first
    try tree?.root?.children.first?.removeFromParent()
    #expect(weakNode == nil)
    try tree?.root?.post("n")
    #expect(log.lines == ["one"])
    tree = nil
    #expect(weakTree == nil)
    fixture.hub.post(NodeNotification("n"))
    #expect(log.lines == ["one"])
  }

  @Test func `SC-18 observers may post and observe while they are called`() throws {
    let fixture = try Fixture()
    let log = Log()
    let hub = fixture.hub
    let first = hub.observe("n") { _ in
      hub.observe("m") { log.note($0.name) }
      hub.post(NodeNotification("m"))
    }
    hub.post(NodeNotification("n"))
    first.cancel()
    hub.post(NodeNotification("n"))
    #expect(log.lines == ["m"])
  }

  @Test func `SC-18 all nodes receive a notification though one fails`() throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      views: """
        {"notifications": ["n"], "events": {"n": [{"name": "Log"}]}},
        {"notifications": ["n"], "events": {"n": [{"name": "Log", "text": "two"}]}}
        """)
    #expect(nodeError { try tree.root?.post("n") }?.problems.map(\.code) == [.missingArgument])
    #expect(log.lines == ["two"])
  }

  @Test func `SC-19 named actions are called by name`() throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      #"{"actions": {"greet": {"name": "Log", "text": "hi"}}, "events": {"go": [{"name": "greet"}]}}"#
    )
    try tree.root?.fire("go")
    #expect(log.lines == ["hi"])
  }

  @Test func `SC-20 an event handler bundles what a node does`() throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      """
      {"eventHandler": {"events": {"go": [{"name": "greet"}], "n": [{"name": "greet"}]},
        "actions": {"greet": {"name": "Log", "text": "hi"}}, "notifications": ["n"]},
       "events": {"stop": [{"name": "greet"}]}}
      """)
    try tree.root?.fire("go")
    try tree.root?.fire("stop")
    try tree.root?.post("n")
    #expect(log.lines == ["hi", "hi", "hi"])
    let twice = nodeError {
      _ = try fixture.launch(#"{"eventHandler": {"events": {"a": []}}, "events": {"a": []}}"#)
    }
    #expect(twice?.message == "event \"a\" is in the event handler already")
    let typo = nodeError { _ = try fixture.launch(#"{"eventHandler": {"evets": {}}}"#) }
    #expect(typo?.nearNames == ["events"])
  }

  @Test func `SC-20 a handler of the program runs around the events`() throws {
    let (plain, log) = try logging()
    var fixture = plain
    fixture.environment.classes.registerHandler("Tracing") { TracingHandler(log: log) }
    let tree = try fixture.launch(
      #"{"eventHandler": {"Class": "Tracing", "events": {"go": [{"name": "Log", "text": "a"}]}}}"#)
    #expect(try tree.root?.fire("go") == true)
    #expect(try tree.root?.fire("stop") == false)
    #expect(log.lines == ["before go", "a", "after true", "before stop", "after false"])
    let error = nodeError {
      _ = try fixture.launch(#"{"eventHandler": {"Class": "Tracin"}}"#)
    }
    #expect(error?.code == .unknownClass)
    #expect(error?.nearNames == ["Tracing"])
  }

  @Test func `SC-21 events tell of the life of a node`() throws {
    let (fixture, log) = try logging()
    let events = """
      "events": {"onCreate": [{"name": "Log", "text": "create NAME"}],
        "onSet": [{"name": "Log", "text": "set NAME"}],
        "onDestroy": [{"name": "Log", "text": "destroy NAME"}]}
      """
    let tree = try fixture.launch(
      """
      {\(events.replacing("NAME", with: "window")), "subviews": [
        {\(events.replacing("NAME", with: "view")), "alpha": 0.5}]}
      """)
    #expect(log.lines == ["create window", "create view", "set view", "set window"])
    try tree.destroy()
    #expect(log.lines.suffix(2) == ["destroy window", "destroy view"])
    #expect(tree.isDestroyed)
    try tree.destroy()
    #expect(log.lines.count == 6)
  }

  @Test func `SC-21 onCreate comes before the attributes, and onSet after them`() throws {
    var fixture = try Fixture()
    let log = Log()
    fixture.environment.actions.register("Alpha") { call in
      log.note("\(try call.target(as: ViewNode.self).alpha)")
    }
    _ = try fixture.launch(
      views:
        #"{"alpha": 0.5, "events": {"onCreate": [{"name": "Alpha"}], "onSet": [{"name": "Alpha"}]}}"#
    )
    #expect(log.lines == ["1.0", "0.5"])
  }

  @Test func `SC-22 the names of events are free`() throws {
    let (fixture, log) = try logging()
    let names = ["onSwipeLeft", "leftBarButtonItems[0].onClick", "onConfirm", "Größe geändert"]
    let events = names.map { "\"\($0)\": [{\"name\": \"Log\", \"text\": \"\($0)\"}]" }
    let tree = try fixture.launch("{\"events\": {\(events.joined(separator: ", "))}}")
    for name in names { try tree.root?.fire(name) }
    #expect(log.lines == names)
  }

  @Test func `SC-42 what an observer posts from outside waits in the inbox`() throws {
    let (fixture, log) = try logging()
    let hub = fixture.hub
    hub.observe("first") { hub.post(NodeNotification("second", info: $0.info)) }
    let tree = try fixture.launch(
      """
      {"notifications": ["second"], "events": {"second": [{"name": "Log", "text": "seen"}],
        "go": [{"name": "Notification", "event": "first"}]}}
      """)
    try tree.root?.fire("go")
    #expect(log.lines.isEmpty)
    #expect(try tree.drain() == 1)
    #expect(log.lines == ["seen"])
    #expect(try tree.drain() == 0)
  }

  @Test func `SC-42 other threads reach a tree through its inbox`() async throws {
    let (fixture, log) = try logging()
    let tree = try fixture.launch(
      """
      {"notifications": ["n"], "events": {"n": [{"name": "Log", "text": "n"}],
        "go": [{"name": "Log", "text": "go"}]}}
      """)
    let (inbox, hub) = (tree.inbox, fixture.hub)
    let root = try #require(tree.root).id
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask { inbox.send("go", to: root) }
        group.addTask { hub.post(NodeNotification("n")) }
      }
    }
    #expect(try tree.drain() == 40)
    #expect(
      log.lines.sorted() == Array(repeating: "go", count: 20) + Array(repeating: "n", count: 20))
    #expect(tree.node(root) === tree.root)
  }

  @Test func `SC-42 a tree runs until it is destroyed`() async throws {
    var fixture = try Fixture()
    fixture.environment.actions.register("End") { try $0.tree?.destroy() }
    let tree = try fixture.launch(#"{"events": {"end": [{"name": "End"}]}}"#)
    tree.inbox.send("end", to: try #require(tree.root).id)
    try await tree.run()
    #expect(tree.isDestroyed)
    #expect(try await tree.drainNext() == 0)
  }

  @Test func `SC-42 waiting for the inbox ends when the task is cancelled`() async throws {
    let fixture = try Fixture()
    let environment = fixture.environment
    try fixture.write("{}", to: "a.json")
    let task = Task {
      let tree = try NodeTree.launch("a.json", in: environment)
      try await tree.run()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

extension EventTests {
  @Test func `W13 a class handles an event of its own and calls super for what its file says`()
    throws
  {
    let (plain, log) = try logging()
    var fixture = plain
    fixture.environment.classes.register("Counter") { Counter(log: log) }
    let tree = try fixture.launch(
      views: """
        {"Class": "Counter", "notifications": ["n"],
         "events": {"onClick": [{"name": "Log", "text": "file"}], "go": [{"name": "onClick"}]}}
        """)
    let node = try #require(tree.root?.children.first)
    log.clear()
    #expect(try node.fire("onClick"))
    #expect(log.lines == ["class onClick", "file", "class done"])
    log.clear()
    #expect(try node.fire("go"))
    #expect(log.lines == ["class onClick", "file", "class done"])
    log.clear()
    #expect(try !node.fire("other"))
    try tree.root?.post("n")
    #expect(log.lines == ["class n"])
  }

  @Test
  func `W13 a class handles an event that its file does not know, and the events of its life`()
    throws
  {
    let (plain, log) = try logging()
    var fixture = plain
    fixture.environment.classes.register("Counter") { Counter(log: log) }
    let tree = try fixture.launch(
      views: #"{"Class": "Counter", "events": {"go": [{"name": "onClick"}]}}"#)
    let node = try #require(tree.root?.children.first)
    #expect(log.lines == ["class onCreate", "class onSet"])
    log.clear()
    #expect(try node.fire("onClick"))
    #expect(try node.fire("go"))
    #expect(log.lines == ["class onClick", "class done", "class onClick", "class done"])
    log.clear()
    try tree.destroy()
    #expect(log.lines == ["class onDestroy"])
  }

  @Test
  func `W13 the handler of the file is around the class, and what the class throws has a place`()
    throws
  {
    let (plain, log) = try logging()
    var fixture = plain
    fixture.environment.classes.register("Counter") { Counter(log: log) }
    fixture.environment.classes.registerHandler("Tracing") { TracingHandler(log: log) }
    let tree = try fixture.launch(
      views: #"{"Class": "Counter", "eventHandler": {"Class": "Tracing"}}"#)
    let node = try #require(tree.root?.children.first)
    log.clear()
    #expect(try node.fire("onClick"))
    #expect(log.lines == ["before onClick", "class onClick", "class done", "after true"])
    let error = nodeError { try node.fire("fail") }
    #expect(error?.code == .actionFailed)
    #expect(error?.message == "Counter failed at \"fail\": the counter refuses")
    #expect(error?.location?.line == 1)
  }

  @Test func `W13 an event that the class fires again while it handles it is a circle`() throws {
    final class Loop: ViewNode {
      override func handle(_ event: NodeEvent) throws -> Bool {
        event.name == "go" ? try fire("go") : try super.handle(event)
      }
    }
    var fixture = try Fixture()
    fixture.environment.classes.register("Loop", Loop.init)
    let tree = try fixture.launch(views: #"{"Class": "Loop"}"#)
    let error = nodeError { try tree.root?.children.first?.fire("go") }
    #expect(error?.code == .eventCycle)
  }

  @Test func `S1 subscriptions that end leave the others in their order`() throws {
    let fixture = try Fixture()
    let log = Log()
    let observations = (0..<100).map { number in
      fixture.hub.observe("n") { _ in log.note("\(number)") }
    }
    for number in 0..<100 where number % 3 != 0 { observations[number].cancel() }
    observations[1].cancel()
    fixture.hub.observe("n") { _ in log.note("last") }
    fixture.hub.post(NodeNotification("n"))
    #expect(log.lines == (0..<100).filter { $0 % 3 == 0 }.map { "\($0)" } + ["last"])
    log.clear()
    for observation in observations { observation.cancel() }
    fixture.hub.post(NodeNotification("n"))
    #expect(log.lines == ["last"])
  }

  @Test func `S1 a tree of many nodes that are subscribed and wait is destroyed at once`() throws {
    var fixture = try Fixture()
    fixture.environment.actions.register("Wait") { _ in }
    let node = """
      {"notifications": ["n", "m"], "events": {"onSet": [{"name": "Wait", "delay": 5}]}}
      """
    let tree = try fixture.launch(
      views: Array(repeating: node, count: 3_000).joined(separator: ","))
    #expect(tree.root?.children.count == 3_000)
    try tree.root?.children.last?.removeFromParent()
    try tree.root?.children.first?.removeFromParent()
    #expect(tree.root?.children.count == 2_998)
    try tree.destroy()
    fixture.hub.post(NodeNotification("n"))
    #expect(try tree.drain() == 0)
  }
}

private final class Counter: ViewNode {
  private let log: Log

  init(log: Log) { self.log = log }

  override func handle(_ event: NodeEvent) throws -> Bool {
    if event.name == "fail" { throw CounterError() }
    if ["go", "other"].contains(event.name) { return try super.handle(event) }
    log.note("class \(event.name)")
    _ = try super.handle(event)
    guard event.name == "onClick" else { return false }
    log.note("class done")
    return true
  }
}

private struct CounterError: Error, CustomStringConvertible {
  var description: String { "the counter refuses" }
}

private struct TracingHandler: NodeEventHandling {
  let log: Log

  func handle(_ event: NodeEvent, of node: Node, next: () throws -> Bool) throws -> Bool {
    log.note("before \(event.name)")
    let isHandled = try next()
    log.note("after \(isHandled)")
    return isHandled
  }
}
