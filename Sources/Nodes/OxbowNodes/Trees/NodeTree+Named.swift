extension NodeTree {
  /// Creates the tree of the file that is named after a class of nodes: `Panel.plist`, `Panel.json`
  /// or `Panel.js`.
  ///
  /// The file's node is a `Panel` and need not name its class. A file with several nodes has them
  /// in `objects`, and the last one is created.
  ///
  /// - Throws: ``NodeError``, with the location of the problem; no node is left then.
  public static func launch<Root: Node>(
    _ type: Root.Type, in environment: NodeEnvironment,
    replacing variables: [String: String] = [:]
  ) throws(NodeError) -> NodeTree {
    let name = "\(Root.self)"
    let file = try environment.files.file(named: name)
    let loaded = try environment.files.load(file, replacing: variables)
    let tree = NodeTree(environment)
    tree.notes = loaded.notes
    try tree.launch(lastObject(of: loaded.node), as: Root.self, default: name)
    return tree
  }

  /// Returns the last of a file's objects, or its only node.
  private static func lastObject(of node: NodeValue) throws(NodeError) -> NodeValue {
    guard node["Class"] == nil, let objects = node["objects"] else { return node }
    if let last = objects.array?.last { return last }
    throw NodeError(
      .invalidDefinition,
      "\"objects\" is \(objects.kind), which has no last node; nodes are expected",
      at: objects.location)
  }
}
