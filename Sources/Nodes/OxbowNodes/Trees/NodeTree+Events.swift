extension NodeTree {
  private static let deepest = 64

  // MARK: - Events

  @discardableResult
  func handle(_ event: NodeEvent, on node: Node) throws(NodeError) -> Bool {
    try handle(event, on: node, by: node.eventHandler)
  }

  func handle(
    _ event: NodeEvent, on node: Node, by handler: (any NodeEventHandling)?
  ) throws(NodeError) -> Bool {
    let step = RunningEvent(node: node, kind: .event, name: event.name)
    return try run(step) { () throws(NodeError) in
      let next = { () throws(NodeError) -> Bool in
        try NodeError.wrapping(
          .actionFailed, "\(node.className) failed at \"\(event.name)\"", at: node.location
        ) { try node.handle(event) }
      }
      guard let handler else { return try next() }
      return try NodeError.wrapping(
        .actionFailed, "the handler of \(node.className) failed", at: node.location
      ) { try handler.handle(event, of: node, next: next) }
    }
  }

  func runActions(of event: NodeEvent, on node: Node) throws(NodeError) -> Bool {
    guard let actions = node.handling.events[event.name] else { return false }
    // A node that an action has destroyed does not run the others.
    for action in actions where !node.isDestroyed { try perform(action, on: node, event) }
    return true
  }

  /// Runs `body` as the next step of the running event; refuses a step that leads back to itself.
  func run<R>(
    _ step: RunningEvent, _ body: () throws(NodeError) -> R
  ) throws(NodeError) -> R {
    if let first = running.firstIndex(of: step) {
      let circle = (running[first...] + [step]).map(\.shown).joined(separator: " → ")
      throw NodeError(
        .eventCycle, "events lead back to themselves: \(circle)", at: node(step.node)?.location)
    }
    guard running.count < Self.deepest else {
      throw NodeError(
        .tooLarge,
        "more than \(Self.deepest) events lead to each other: "
          + running.suffix(4).map(\.shown).joined(separator: " → "), at: node(step.node)?.location)
    }
    running.append(step)
    defer { running.removeLast() }
    return try body()
  }

  // MARK: - Notifications

  func post(_ notification: NodeNotification) throws(NodeError) {
    var problems: [NodeError.Problem] = []
    for subscription in environment.hub.subscriptions(notification.name) {
      switch subscription.receiver {
      case .observer(let body): body(notification)
      case .node(let id, let inbox) where inbox === self.inbox:
        do throws(NodeError) { try deliver(notification, to: id) } catch {
          problems += error.problems
        }
      case .node(let id, let inbox): inbox.leave(.notification(notification, id))
      }
    }
    if let error = NodeError(problems) { throw error }
  }

  func deliver(_ notification: NodeNotification, to id: NodeID) throws(NodeError) {
    guard let node = node(id) else { return }
    let step = RunningEvent(node: node, kind: .notification, name: notification.name)
    try run(step) { () throws(NodeError) in
      for observer in node.observers[notification.name] ?? [] {
        try NodeError.wrapping(
          .actionFailed, "\(node.className) failed at \"\(notification.name)\"", at: node.location
        ) { try observer(notification) }
      }
      try handle(NodeEvent(notification.name, info: notification.info), on: node)
    }
  }

  // MARK: - Removing

  /// Removes a node and all below it from the tree.
  func remove(_ node: Node) throws(NodeError) {
    var problems: [NodeError.Problem] = []
    for node in node.subtree {
      do throws(NodeError) { try node.lifeCycle("onDestroy") } catch { problems += error.problems }
    }
    // Nodes that were added meanwhile are removed too.
    for node in node.subtree { forget(node) }
    detach(node)
    if let error = NodeError(problems) { throw error }
  }
}
