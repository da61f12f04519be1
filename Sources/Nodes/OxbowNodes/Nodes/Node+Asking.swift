internal import OxbowDocuments

extension Node {
  /// Handles an event; returns whether the node knows it.
  ///
  /// - Throws: ``NodeError`` of the first action that failed; the actions after it do not run.
  @discardableResult
  public func fire(_ event: String, info: NodeValue = [:]) throws(NodeError) -> Bool {
    guard let host else { throw withoutTree("event \"\(event)\"") }
    return try host.handle(NodeEvent(event, info: info), on: self, by: eventHandler)
  }

  /// Posts a notification.
  ///
  /// Nodes of the same tree and observers receive it before this returns; other trees find it in
  /// their inboxes.
  ///
  /// - Throws: ``NodeError`` with the problems of all nodes that failed; each received it.
  public func post(_ name: String, info: NodeValue = [:]) throws(NodeError) {
    guard let host else { throw withoutTree("notification \"\(name)\"") }
    try host.post(NodeNotification(name, from: id, info: info))
  }

  /// Calls a closure for every notification of a name, on the tree's actor or task, before the
  /// event of the same name is handled, until the node is destroyed.
  public func observe(_ name: String, _ body: @escaping (NodeNotification) throws -> Void) {
    observers[name, default: []].append(body)
    if let host { host.subscribe(self, to: name) } else { early.append(name) }
  }

  private func withoutTree(_ what: String) -> NodeError {
    NodeError(
      .destroyed, "\(what): the node is \(isDestroyed ? "no longer" : "not") in a tree",
      at: location)
  }

  // MARK: - Nodes below

  /// Creates nodes from definitions, as a file has them, and adds them to a slot.
  ///
  /// - Throws: ``NodeError``; then none was added.
  @discardableResult
  public func add(_ values: [NodeValue], to name: String) throws(NodeError) -> [Node] {
    guard let host else { throw NodeError(.destroyed, "the node is not in a tree", at: location) }
    guard let slot = type(of: self).slot(named: name) else {
      throw NodeError(
        .unknownAttribute, "\(className) has no nodes \"\(name)\"", at: location,
        nearNames: nearNames(to: name, among: type(of: self).slots.map(\.name)))
    }
    if !slot.isMany, values.count > 1 || child(in: name) != nil {
      throw NodeError(
        .invalidDefinition, "\"\(name)\" of \(className) takes one node, and would have several",
        at: values.last?.location ?? location)
    }
    return try host.add(values, to: self, in: slot)
  }

  /// Takes the node and all below it out of the tree and destroys them: `onDestroy` is handled,
  /// delayed actions are cancelled, subscriptions end.
  ///
  /// - Throws: ``NodeError`` with the problems of `onDestroy`; the nodes are destroyed
  ///   nevertheless.
  public func removeFromParent() throws(NodeError) {
    try host?.remove(self)
  }
}
