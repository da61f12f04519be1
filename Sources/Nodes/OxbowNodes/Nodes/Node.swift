public import OxbowDocuments

/// A place for other nodes in a node: a key of node files whose value is a node or several.
public struct NodeSlot: Hashable, Sendable {
  /// The key.
  public let name: String
  /// Whether it takes an array of nodes.
  public let isMany: Bool
  /// The class of a node that does not name its class.
  public let defaultClass: String

  /// A place for one node.
  public static func one(_ name: String, of defaultClass: String) -> NodeSlot {
    NodeSlot(name: name, isMany: false, defaultClass: defaultClass)
  }

  /// A place for nodes in order.
  public static func many(_ name: String, of defaultClass: String) -> NodeSlot {
    NodeSlot(name: name, isMany: true, defaultClass: defaultClass)
  }
}

/// A node that reads its definition while it is created.
///
/// Nodes of other classes are created by their plain initializer or by the container.
public protocol NodeConstructible: Node {
  /// Creates a node from the dictionary of the file, without its parent, children and attributes.
  ///
  /// - Throws: What is wrong with the dictionary; then the tree is not built.
  init(node: NodeValue) throws
}

/// A node of a tree that a file describes.
///
/// A node is created, then added to its parent, then given its attributes: when ``apply(_:)`` is
/// called, ``parent`` is set. Attributes that the node's classes do not read are set as properties
/// of its `@Component` description, converted to their types.
///
/// Nodes are confined to their tree, and the tree to the actor or task that launched it: neither is
/// `Sendable`. Other threads reach a node by its ``id`` through ``NodeTree/inbox`` and
/// ``NotificationHub``.
open class Node {
  /// The identity of the node.
  public let id = NodeID()
  /// A number that targets of actions may use.
  public var tag: Int?
  /// The node to which it was added; nil for the root, and after it was removed.
  public internal(set) weak var parent: Node?
  /// The nodes that were added to it, in the order of its slots.
  public internal(set) var children: [Node] = []
  /// The slot of the parent that it is in.
  public internal(set) var slot = ""
  /// Its tree; nil before the node is set up, and after it was destroyed.
  weak var host: (any NodeHost)?
  /// Its definition in the file; nil for a node that a program has created.
  public internal(set) var definition: NodeValue?
  /// The handling of events, actions and notifications.
  public internal(set) var handling = NodeHandling()
  /// The handler that runs around events.
  public internal(set) var eventHandler: (any NodeEventHandling)?
  /// Whether the node was destroyed.
  public internal(set) var isDestroyed = false
  /// The program's observers, by the notification's name.
  var observers: [String: [(NodeNotification) throws -> Void]] = [:]
  /// The names that were observed before it had a tree.
  var early: [String] = []

  /// Creates a node without a parent.
  public init() {}

  /// The keys whose values are nodes.
  open class var slots: [NodeSlot] { [.many("children", of: "Node")] }

  /// The functions that `CallFunc` calls.
  open class var functions: [NodeFunction] { [] }

  /// The values of names in the numbers of its attributes.
  open var symbols: any NodeSymbols { NoSymbols() }

  /// Sets the attributes of the file, after the node was added to its parent.
  ///
  /// A class calls its superclass first and reads the attributes that it knows. An attribute that
  /// is read is known, even if the file does not have it.
  ///
  /// - Throws: What is wrong with the attributes; then the tree is not built.
  open func apply(_ attributes: NodeAttributes) throws {
    tag = try attributes.value("tag", as: Int.self) ?? tag
  }

  /// Called when the node, its attributes and its children are complete.
  open func didSetUp() throws {}

  /// Handles an event; by default with the actions that the file has for it.
  ///
  /// A class overrides it to handle events itself, and calls its superclass for the actions in the
  /// file. It receives every event of the node, including notifications and life-cycle events, and
  /// runs inside the ``eventHandler``. To trigger an event, call ``fire(_:info:)``.
  ///
  /// ```swift
  /// override func handle(_ event: NodeEvent) throws -> Bool {
  ///   if event.name == "onClick" { clicks += 1 }
  ///   return try super.handle(event) || event.name == "onClick"
  /// }
  /// ```
  ///
  /// - Returns: Whether the node knows the event.
  /// - Throws: What an action throws, or an error of the class.
  open func handle(_ event: NodeEvent) throws -> Bool {
    try host?.runActions(of: event, on: self) ?? false
  }

  /// Makes a change for which an action gives a duration; by default at once.
  open func animate(_ animation: NodeAnimation, _ changes: () throws -> Void) throws {
    try changes()
  }

  /// The location of the definition.
  public var location: SourceLocation? { definition?.location }

  /// The name of its class, for messages.
  public var className: String { "\(type(of: self))" }
}

/// The way in which a change is shown.
public struct NodeAnimation: Hashable, Sendable {
  /// The duration in seconds.
  public var duration: Double
  /// The `transition` of the action.
  public var transition: NodeValue?

  /// Creates a way to show a change.
  public init(duration: Double = 0, transition: NodeValue? = nil) {
    self.duration = duration
    self.transition = transition
  }
}

extension Node {
  /// The node in a slot that takes one node.
  public func child(in slot: String) -> Node? { children.first { $0.slot == slot } }

  /// The nodes in a slot.
  public func children(in slot: String) -> [Node] { children.filter { $0.slot == slot } }

  /// The node and all below it, each before its children.
  public var subtree: [Node] {
    var found: [Node] = []
    var open = [self]
    while let node = open.popLast() {
      found.append(node)
      open += node.children.reversed()
    }
    return found
  }

  /// Returns the node itself or the nearest one above it, of a class.
  public func nearest<N: Node>(_ type: N.Type) -> N? {
    var current: Node? = self
    while let node = current {
      if let found = node as? N { return found }
      current = node.parent
    }
    return nil
  }

  /// The next node of the same slot, or the one before.
  func sibling(isNext: Bool) -> Node? {
    guard let all = parent?.children, let own = all.firstIndex(where: { $0 === self }) else {
      return nil
    }
    return isNext
      ? all[(own + 1)...].first { $0.slot == slot } : all[..<own].last { $0.slot == slot }
  }

  static func slot(named name: String) -> NodeSlot? { slots.first { $0.name == name } }
}

/// A handler that runs around a node's events; named by the `Class` of an `eventHandler`.
public protocol NodeEventHandling: Sendable {
  /// Handles an event, which the node may not know; returns whether it was handled.
  ///
  /// `next` runs the actions of the event, and returns false if there are none.
  func handle(_ event: NodeEvent, of node: Node, next: () throws -> Bool) throws -> Bool
}
