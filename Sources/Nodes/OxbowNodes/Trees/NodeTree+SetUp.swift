internal import OxbowDocuments

extension NodeTree {
  private enum Task {
    case fill(Node, NodeSlot)
    case finish(Node)
  }

  /// Sets up nodes that were added to one parent: their attributes, then what is below them.
  ///
  /// Works through a list and not by recursion, so that deep trees do not need a deep stack.
  func setUp(_ nodes: [Node]) throws(NodeError) {
    // The next task is the last one.
    var tasks = try begin(nodes)
    while let task = tasks.popLast() {
      switch task {
      case .fill(let node, let slot):
        guard !node.isDestroyed else { continue }
        tasks += try begin(fill(slot, of: node))
      case .finish(let node):
        // A node below may have removed it.
        guard !node.isDestroyed else { continue }
        try finish(node)
      }
    }
  }

  /// Sets the attributes of siblings and returns the tasks that are left, the last one first.
  private func begin(_ nodes: [Node]) throws(NodeError) -> [Task] {
    for node in nodes { try node.lifeCycle("onCreate") }
    for node in nodes where !node.isDestroyed { try finishAttributes(of: node) }
    return nodes.reversed().flatMap { node in
      [.finish(node)] + type(of: node).slots.reversed().map { .fill(node, $0) }
    }
  }

  private func finish(_ node: Node) throws(NodeError) {
    try NodeError.wrapping(.setUpFailed, "\(node.className) refused", at: node.location) {
      try node.didSetUp()
    }
    try node.lifeCycle("onSet")
  }

  /// Creates the nodes that a definition has for a slot.
  private func fill(_ slot: NodeSlot, of node: Node) throws(NodeError) -> [Node] {
    guard let value = node.definition?[slot.name] else { return [] }
    let values = slot.isMany ? try Self.values(value, of: slot) : [value]
    return try values.map { (value) throws(NodeError) in try attach(value, to: node, in: slot) }
  }

  private static func values(
    _ value: NodeValue, of slot: NodeSlot
  ) throws(NodeError) -> [NodeValue] {
    guard let values = value.array else {
      throw NodeError(
        .invalidDefinition, "\"\(slot.name)\" is \(value.kind); an array of nodes is expected",
        at: value.location)
    }
    return values
  }
}

extension Node {
  /// Handles a life-cycle event of the node; the file's handler receives those for which the file
  /// has actions.
  func lifeCycle(_ event: String) throws(NodeError) {
    guard !isDestroyed else { return }
    let handler = handling.events[event] == nil ? nil : eventHandler
    _ = try host?.handle(NodeEvent(event), on: self, by: handler)
  }
}
