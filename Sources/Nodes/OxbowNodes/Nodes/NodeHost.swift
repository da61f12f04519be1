protocol NodeHost: AnyObject {
  var screen: NodeSize { get }

  /// Lets a node handle an event, with the handler that runs around it; returns whether the node
  /// knows the event.
  func handle(
    _ event: NodeEvent, on node: Node, by handler: (any NodeEventHandling)?
  ) throws(NodeError) -> Bool

  /// Runs the actions that a node's file has for an event; returns false if it has none.
  func runActions(of event: NodeEvent, on node: Node) throws(NodeError) -> Bool

  /// Delivers a notification to its observers.
  func post(_ notification: NodeNotification) throws(NodeError)

  func subscribe(_ node: Node, to name: String)

  /// Sets the attributes of a node now, unless they are set already.
  func finishAttributes(of node: Node) throws(NodeError)

  /// Creates nodes and adds them to a parent, all or none.
  func add(_ values: [NodeValue], to parent: Node, in slot: NodeSlot) throws(NodeError) -> [Node]

  func remove(_ node: Node) throws(NodeError)
}
