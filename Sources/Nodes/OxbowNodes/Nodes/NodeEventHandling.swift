/// A handler that runs around a node's events; named by the `Class` of an `eventHandler`.
public protocol NodeEventHandling: Sendable {
  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event; the node may not know its name.
  ///   - node: The node.
  ///   - next: Runs the actions of the event; returns false if there are none.
  /// - Returns: Whether the event was handled.
  /// - Throws: What `next` throws, or an error of its own.
  func handle(_ event: NodeEvent, of node: Node, next: () throws -> Bool) throws -> Bool
}
