public import OxbowDocuments

/// A tree of nodes that was made from a file, with its events.
///
/// ```swift
/// let tree = try NodeTree.launch("main.plist", in: environment)
/// try tree.root?.fire("onClick")
/// try await tree.run()      // handles what others send, until the tree is destroyed
/// ```
///
/// Keep a tree as long as you use it: its nodes do not hold it, and do nothing after it is
/// released. A tree is confined to an actor or a task, and is not `Sendable`. Other threads send
/// events to its ``inbox`` and post notifications to the hub; the tree handles them when
/// ``drain()`` or ``run()`` is called. Notifications of its own nodes reach its nodes at once.
public final class NodeTree {
  /// The environment of the tree.
  public let environment: NodeEnvironment
  /// Where other threads leave events for the tree.
  public let inbox = NodeInbox()
  /// The topmost node; nil after the tree was destroyed.
  public internal(set) var root: Node?
  /// The notes about the files.
  public internal(set) var notes: [DocumentNote] = []

  var records: [NodeID: NodeRecord] = [:]
  var applying = 0
  /// The events and actions that are being handled, outermost first.
  var running: [RunningEvent] = []
  var delayed: [UInt64: DelayedAction] = [:]
  var lastDelay: UInt64 = 0
  /// The names of the container's definitions of classes that were looked up.
  var definitionNames: [ObjectIdentifier: [String]] = [:]

  init(_ environment: NodeEnvironment) { self.environment = environment }

  deinit {
    for action in delayed.values { action.task.cancel() }
    environment.hub.removeAll(of: inbox)
    inbox.close()
  }

  /// Reads a file, whose path is relative to the root of the files, and creates the tree that it
  /// describes.
  ///
  /// The `window` of the file's node becomes the root, or the node itself if it does not have one.
  ///
  /// - Throws: ``NodeError``, with the location of the problem; no node is left then.
  public static func launch(
    _ file: String, in environment: NodeEnvironment, replacing variables: [String: String] = [:]
  ) throws(NodeError) -> NodeTree {
    let loaded = try environment.files.load(file, replacing: variables)
    let tree = NodeTree(environment)
    tree.notes = loaded.notes
    try tree.launch(loaded.node)
    return tree
  }

  /// Creates a tree from a node of the program, or from a dictionary with `window`.
  ///
  /// - Throws: ``NodeError``; no node is left then.
  public static func launch(
    node: NodeValue, in environment: NodeEnvironment
  ) throws(NodeError) -> NodeTree {
    let tree = NodeTree(environment)
    try tree.launch(node)
    return tree
  }

  /// Returns the node of an identity; nil after it was destroyed.
  public func node(_ id: NodeID) -> Node? { records[id]?.node }

  /// Returns the first node with a tag, looking at each node before its children.
  public func node(tagged tag: Int) -> Node? { root?.subtree.first { $0.tag == tag } }

  /// Whether the tree was destroyed.
  public var isDestroyed: Bool { root == nil }

  /// Destroys all nodes: `onDestroy` is handled, delayed actions are cancelled.
  ///
  /// - Throws: ``NodeError`` with the problems of `onDestroy`; the tree is destroyed nevertheless.
  public func destroy() throws(NodeError) {
    defer { inbox.close() }
    if let root { try remove(root) }
  }
}

extension NodeTree: ActionHost {
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
