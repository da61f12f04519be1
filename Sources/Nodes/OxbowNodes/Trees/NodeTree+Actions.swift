internal import OxbowDocuments
internal import OxbowPlatform

private let actionKeys: Set<String> = [
  "name", "Class", "target", "delay", "duration", "transition", "comment",
]

extension NodeTree {
  func perform(
    _ action: NodeValue, on node: Node, _ event: NodeEvent
  ) throws(NodeError) {
    let delay = try attributes(action, of: node, known: []).value("delay", as: Double.self) ?? 0
    guard delay >= 0 else {
      throw NodeError(
        .invalidValue, "\"delay\" is \(delay); a delay cannot be negative",
        at: action["delay"]?.location)
    }
    if delay == 0 {
      try performNow(action, on: node, event)
    } else {
      wait(delay, action, node, event)
    }
  }

  /// Leaves a message in the inbox after the delay.
  ///
  /// The task does not refer to the tree, which may end before it.
  private func wait(_ delay: Double, _ action: NodeValue, _ node: Node, _ event: NodeEvent) {
    lastDelay += 1
    let number = lastDelay
    // More than 30 years would not fit into a duration.
    let sleep = Self.sleep(.seconds(min(delay, 1e9)), on: environment.clock)
    let task = Task { [inbox] in
      do { try await sleep() } catch { return }
      inbox.leave(.delayed(number))
    }
    delayed[number] = DelayedAction(node: node.id, definition: action, event: event, task: task)
    records[node.id]?.delayed.insert(number)
  }

  /// A wait that ends at a fixed time from now, whenever it begins.
  private static func sleep<C: Clock<Duration>>(
    _ duration: Duration, on clock: C
  ) -> @Sendable () async throws -> Void {
    let deadline = clock.now.advanced(by: duration)
    return { try await clock.sleep(until: deadline, tolerance: nil) }
  }

  // MARK: - Dispatch

  /// Runs an action by its name: an event of its target, a named action of it, or a kind of action.
  func performNow(
    _ action: NodeValue, on node: Node, _ event: NodeEvent
  ) throws(NodeError) {
    let target = try NodeTarget(action["target"]).node(from: node, root: root)
    if let name = action["name"]?.text {
      if target.handling.events[name] != nil {
        try handle(NodeEvent(name, info: event.info), on: target)
        return
      }
      if let named = target.handling.actions[name] {
        let step = RunningEvent(node: target, kind: .action, name: name)
        try run(step) { () throws(NodeError) in try perform(named, on: target, event) }
        return
      }
    }
    try runKind(of: action, on: node, target, event)
  }

  private func runKind(
    of definition: NodeValue, on node: Node, _ target: Node, _ event: NodeEvent
  ) throws(NodeError) {
    let key = definition["Class"] != nil ? "Class" : "name"
    let name = definition[key]?.text ?? ""
    guard let action = environment.actions.action(name) else {
      // An event that the target's class handles itself.
      if key == "name", try handle(NodeEvent(name, info: event.info), on: target) { return }
      let handling = target.handling
      let known = Set(
        environment.actions.names + Array(handling.events.keys) + Array(handling.actions.keys))
      throw NodeError(
        .unknownAction,
        "\"\(name)\" is not an event or action of the \(target.className), nor a kind of action",
        at: definition[key]?.location ?? definition.location,
        nearNames: nearNames(to: name, among: known))
    }
    let arguments = attributes(definition, of: target, known: actionKeys)
    let call = ActionCall(
      name: name, node: node, target: target, host: self, arguments: arguments, event: event)
    try NodeError.wrapping(.actionFailed, "\(name) failed", at: definition.location) {
      try action.run(call)
    }
    guard !action.takesAnything else { return }
    for entry in arguments.rest {
      try unknown(entry, "\(name) has no argument", among: arguments.asked)
    }
  }
}

// MARK: - Alerts

extension NodeTree {
  func present(_ alert: NodeAlert) throws(NodeError) {
    let handling = try alert.view?.dictionary.map { (view) throws(NodeError) in
      try self.handling(of: view).handling
    }
    let isAnswered = Lock(false)
    environment.presenter.present(alert) { [inbox] event in
      let isFirst = isAnswered.withLock { isAnswered in
        defer { isAnswered = true }
        return !isAnswered
      }
      if isFirst { inbox.leave(.answer(event, alert.node, handling ?? NodeHandling())) }
    }
  }
}
