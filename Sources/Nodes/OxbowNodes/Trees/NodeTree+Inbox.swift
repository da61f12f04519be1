extension NodeTree {
  /// Handles the messages in the inbox (notifications, events, delayed actions that are due), and
  /// returns their number.
  ///
  /// Messages that arrive meanwhile are left for the next call.
  ///
  /// - Throws: ``NodeError`` with the problems of all messages; each was handled.
  @discardableResult
  public func drain() throws(NodeError) -> Int {
    let messages = inbox.take()
    var problems: [NodeError.Problem] = []
    for message in messages {
      do throws(NodeError) { try handle(message) } catch { problems += error.problems }
    }
    if let error = NodeError(problems) { throw error }
    return messages.count
  }

  /// Waits until there is a message in the inbox, and handles all of them.
  ///
  /// - Returns: The number of messages; 0 after the tree was destroyed.
  /// - Throws: `CancellationError`, and what ``drain()`` throws.
  @discardableResult
  public func drainNext() async throws -> Int {
    await inbox.wait()
    try Task.checkCancellation()
    return try drain()
  }

  /// Handles messages as they arrive until the tree is destroyed.
  ///
  /// Runs where it is called: the nodes stay with the caller's actor or task.
  ///
  /// - Throws: `CancellationError`, and what ``drain()`` throws; it may be called again.
  public func run() async throws {
    while !isDestroyed { try await drainNext() }
  }

  private func handle(_ message: NodeInbox.Message) throws(NodeError) {
    switch message {
    case .notification(let notification, let id): try deliver(notification, to: id)
    case .event(let event, let id):
      guard let node = node(id) else { return }
      try handle(event, on: node)
    case .delayed(let number):
      guard let action = delayed.removeValue(forKey: number), let node = node(action.node) else {
        return
      }
      records[action.node]?.delayed.remove(number)
      try performNow(action.definition, on: node, action.event)
    case .answer(let event, let id, let handling): try answer(event, of: id, handling)
    }
  }

  /// Runs the actions of an alert for an answer, or those of the node that asked.
  private func answer(
    _ name: String, of id: NodeID, _ handling: NodeHandling
  ) throws(NodeError) {
    guard let node = node(id) else { return }
    let event = NodeEvent(name)
    guard let actions = handling.events[name] else {
      try handle(event, on: node)
      return
    }
    try run(RunningEvent(node: node, kind: .answer, name: name)) { () throws(NodeError) in
      for action in actions where !node.isDestroyed { try perform(action, on: node, event) }
    }
  }
}
