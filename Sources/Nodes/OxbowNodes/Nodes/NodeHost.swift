/// What nodes ask of the tree that they are in.
protocol NodeHost: AnyObject {
  /// The size of what the nodes are shown on.
  var screen: NodeSize { get }

  /// Has an event handled by a node.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - node: The node.
  ///   - handler: What runs around it.
  /// - Returns: False where the node knows none of the name.
  /// - Throws: ``NodeError`` when an action or the handler fails.
  func handle(
    _ event: NodeEvent, on node: Node, by handler: (any NodeEventHandling)?
  ) throws(NodeError) -> Bool

  /// Runs the actions that a node's file has for an event; false where it has none.
  func runActions(of event: NodeEvent, on node: Node) throws(NodeError) -> Bool

  /// Brings a notification to whoever observes it.
  func post(_ notification: NodeNotification) throws(NodeError)

  /// Brings the notifications of a name to a node.
  func subscribe(_ node: Node, to name: String)

  /// Sets the attributes of a node now, unless they are set.
  func finishAttributes(of node: Node) throws(NodeError)

  /// Makes nodes and adds them to a parent, all or none.
  func add(_ values: [NodeValue], to parent: Node, in slot: NodeSlot) throws(NodeError) -> [Node]

  /// Takes a node and all below it out of the tree.
  func remove(_ node: Node) throws(NodeError)
}
