internal import OxbowDocuments

/// An event or action that is being handled.
struct RunningEvent: Equatable {
  enum Kind: String {
    case event
    case action
    case notification
    case answer
  }

  let node: NodeID
  let kind: Kind
  let name: String
  let shown: String

  init(node: Node, kind: Kind, name: String) {
    self.node = node.id
    self.kind = kind
    self.name = name
    shown = "\(kind.rawValue) \"\(name)\" of \(node.className)"
  }

  static func == (a: RunningEvent, b: RunningEvent) -> Bool {
    a.node == b.node && a.kind == b.kind && a.name == b.name
  }
}

extension Node {
  /// Has an event handled.
  ///
  /// - Parameters:
  ///   - event: The name of the event.
  ///   - info: What it brings along.
  /// - Returns: Whether the node knows the event.
  /// - Throws: ``NodeError`` of the first action that failed; those after it are not run.
  @discardableResult
  public func fire(_ event: String, info: NodeValue = [:]) throws(NodeError) -> Bool {
    guard let tree else { throw withoutTree("event \"\(event)\"") }
    return try tree.handle(NodeEvent(name: event, info: info), on: self)
  }

  /// Posts a notification.
  ///
  /// Nodes of the same tree and observers receive it before this returns, other trees in their
  /// inboxes.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - info: What comes with it.
  /// - Throws: ``NodeError`` with the problems of all nodes that failed; each received it.
  public func post(_ name: String, info: NodeValue = [:]) throws(NodeError) {
    guard let tree else { throw withoutTree("notification \"\(name)\"") }
    try tree.post(NodeNotification(name, from: id, info: info))
  }

  /// Has a closure called for every notification of a name, where the tree is, until the node is
  /// destroyed.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - body: Called before the event of the same name is handled.
  public func observe(_ name: String, _ body: @escaping (NodeNotification) throws -> Void) {
    observers[name, default: []].append(body)
    if let tree { tree.subscribe(self, to: name) } else { early.append(name) }
  }

  private func withoutTree(_ what: String) -> NodeError {
    NodeError(
      .destroyed, "\(what): the node is in no tree\(isDestroyed ? " any more" : "")", at: location)
  }
}

extension NodeTree {
  /// How many events may lead to each other.
  private static let deepest = 64

  @discardableResult
  func handle(_ event: NodeEvent, on node: Node) throws(NodeError) -> Bool {
    let handling = node.handling
    guard handling.events[event.name] != nil || handling.handler != nil else { return false }
    return try run(RunningEvent(node: node, kind: .event, name: event.name)) {
      () throws(NodeError) in
      let next = { () throws(NodeError) -> Bool in
        guard let actions = handling.events[event.name] else { return false }
        // A node that an action destroyed does nothing more.
        for action in actions where !node.isDestroyed { try self.perform(action, on: node, event) }
        return true
      }
      guard let handler = handling.handler else { return try next() }
      return try NodeError.wrapping(
        .actionFailed, "the handler of \(node.className) failed", at: node.location
      ) { try handler.handle(event, of: node, next: next) }
    }
  }

  /// Runs `body` inside of what is being handled; refuses what leads back to itself.
  func run<R>(
    _ step: RunningEvent, _ body: () throws(NodeError) -> R
  ) throws(NodeError) -> R {
    if let first = running.firstIndex(of: step) {
      let circle = (running[first...] + [step]).map(\.shown).joined(separator: " → ")
      throw NodeError(
        .eventCycle, "events lead back to themselves: \(circle)", at: nodes[step.node]?.location)
    }
    guard running.count < Self.deepest else {
      throw NodeError(
        .tooLarge,
        "more than \(Self.deepest) events lead to each other: "
          + running.suffix(4).map(\.shown).joined(separator: " → "), at: nodes[step.node]?.location)
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
    guard let node = nodes[id] else { return }
    let step = RunningEvent(node: node, kind: .notification, name: notification.name)
    try run(step) { () throws(NodeError) in
      for observer in node.observers[notification.name] ?? [] {
        try NodeError.wrapping(
          .actionFailed, "\(node.className) failed at \"\(notification.name)\"", at: node.location
        ) { try observer(notification) }
      }
      try handle(NodeEvent(name: notification.name, info: notification.info), on: node)
    }
  }

  // MARK: - Removing

  /// Takes a node and all below it out of the tree.
  func remove(_ node: Node) throws(NodeError) {
    var problems: [NodeError.Problem] = []
    for node in node.subtree {
      do throws(NodeError) { try node.lifeCycle("onDestroy") } catch { problems += error.problems }
    }
    // What was added meanwhile goes as well.
    for node in node.subtree { forget(node) }
    detach(node)
    if let error = NodeError(problems) { throw error }
  }
}

extension Node {
  /// Takes the node and all below it out of the tree and destroys them: `onDestroy` is handled,
  /// delayed actions are cancelled, subscriptions end.
  ///
  /// - Throws: ``NodeError`` with what went wrong in `onDestroy`; the nodes are destroyed all the
  ///   same.
  public func removeFromParent() throws(NodeError) {
    try tree?.remove(self)
  }

  /// Makes nodes and adds them to a slot, as a file does.
  ///
  /// - Parameters:
  ///   - values: What a file would say.
  ///   - name: The name of the slot.
  /// - Returns: The nodes.
  /// - Throws: ``NodeError``; then none was added.
  @discardableResult
  public func add(_ values: [NodeValue], to name: String) throws(NodeError) -> [Node] {
    guard let tree else { throw NodeError(.destroyed, "the node is in no tree", at: location) }
    guard let slot = type(of: self).slot(named: name) else {
      throw NodeError(
        .unknownAttribute, "\(className) has no nodes \"\(name)\"", at: location,
        nearNames: nearNames(to: name, among: type(of: self).slots.map(\.name)))
    }
    if !slot.isMany, values.count > 1 || child(in: name) != nil {
      throw NodeError(
        .invalidDefinition, "\"\(name)\" of \(className) holds one node, and would have more",
        at: values.last?.location ?? location)
    }
    return try tree.add(values, to: self, in: slot)
  }
}
