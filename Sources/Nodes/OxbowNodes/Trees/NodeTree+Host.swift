extension NodeTree: ActionHost {
  /// The size of the screen.
  var screen: NodeSize { environment.screen }
}

extension Node {
  /// The tree; nil before the node is set up, and after it was destroyed.
  public var tree: NodeTree? { host as? NodeTree }
}

extension ActionCall {
  /// The tree of both nodes.
  public var tree: NodeTree? { host as? NodeTree }
}
