public import OxbowDocuments

/// A tree of nodes that was made from a file, with its events.
///
/// ```swift
/// let tree = try NodeTree.launch("main.plist", in: environment)
/// try tree.root?.fire("onClick")
/// try await tree.run()      // handles what others send, until the tree is destroyed
/// ```
///
/// Whoever launches a tree holds it: nodes do not, and do nothing once it is gone. A tree is
/// confined to an actor or a task, and is not `Sendable`. Others
/// send events to its ``inbox`` and post notifications to the hub; the tree handles them when
/// ``drain()`` or ``run()`` is called. What its own nodes post reaches its nodes at once.
public final class NodeTree {
  /// What the tree is made with.
  public let environment: NodeEnvironment
  /// Where other threads leave events for the tree.
  public let inbox = NodeInbox()
  /// The topmost node; nil once the tree was destroyed.
  public internal(set) var root: Node?
  /// What is worth knowing about the files.
  public internal(set) var notes: [DocumentNote] = []

  /// All nodes.
  var records: [NodeID: NodeRecord] = [:]
  /// How many nodes have their attributes set at this moment.
  var applying = 0
  /// The events and actions that are being handled, outermost first.
  var running: [RunningEvent] = []
  /// The actions that wait for their time.
  var delayed: [UInt64: DelayedAction] = [:]
  var lastDelay: UInt64 = 0
  /// The names of the container's definitions of classes, once they were looked for.
  var definitionNames: [ObjectIdentifier: [String]] = [:]

  init(_ environment: NodeEnvironment) { self.environment = environment }

  deinit {
    for action in delayed.values { action.task.cancel() }
    environment.hub.removeAll(of: inbox)
    inbox.close()
  }

  /// Reads a file and makes the tree that it describes.
  ///
  /// The `window` of the file's node becomes the root, or the node itself where it has none.
  ///
  /// - Parameters:
  ///   - file: The path of the file from the root of the files.
  ///   - environment: What the tree is made with.
  ///   - variables: What `${name}` stands for in the file.
  /// - Returns: The tree.
  /// - Throws: ``NodeError``, with the place of what is wrong; no node is left then.
  public static func launch(
    _ file: String, in environment: NodeEnvironment, replacing variables: [String: String] = [:]
  ) throws(NodeError) -> NodeTree {
    let loaded = try environment.files.load(file, replacing: variables)
    let tree = NodeTree(environment)
    tree.notes = loaded.notes
    try tree.launch(loaded.node)
    return tree
  }

  /// Makes a tree of a node that a program wrote.
  ///
  /// - Parameters:
  ///   - node: The node, or a dictionary with `window`.
  ///   - environment: What the tree is made with.
  /// - Returns: The tree.
  /// - Throws: ``NodeError``; no node is left then.
  public static func launch(
    node: NodeValue, in environment: NodeEnvironment
  ) throws(NodeError) -> NodeTree {
    let tree = NodeTree(environment)
    try tree.launch(node)
    return tree
  }

  /// The node of an identity; nil once it was destroyed.
  public func node(_ id: NodeID) -> Node? { records[id]?.node }

  /// The first node with a tag, each node before its children.
  public func node(tagged tag: Int) -> Node? { root?.subtree.first { $0.tag == tag } }

  /// Whether the tree was destroyed.
  public var isDestroyed: Bool { root == nil }

  /// Destroys all nodes: `onDestroy` is handled, delayed actions are cancelled.
  ///
  /// - Throws: ``NodeError`` with what went wrong in `onDestroy`; the tree is destroyed all the
  ///   same.
  public func destroy() throws(NodeError) {
    defer { inbox.close() }
    if let root { try remove(root) }
  }
}

extension NodeTree: ActionHost {
  /// The size of what the nodes are shown on.
  var screen: NodeSize { environment.screen }
}

extension Node {
  /// The tree; nil before the node is set up, and once it was destroyed.
  public var tree: NodeTree? { host as? NodeTree }
}

extension ActionCall {
  /// The tree of both nodes.
  public var tree: NodeTree? { host as? NodeTree }
}
