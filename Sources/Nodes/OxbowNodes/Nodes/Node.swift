public import OxbowDocuments

/// A place of a node where other nodes go: a key of node files whose value is a node, or nodes.
public struct NodeSlot: Hashable, Sendable {
  /// The key.
  public let name: String
  /// Whether an array of nodes goes there.
  public let isMany: Bool
  /// The class of a node that names none.
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

/// A node whose class reads its definition while it is made.
///
/// A class that does not conform is made by its plain initializer, or by the container.
public protocol NodeConstructible: Node {
  /// Makes a node, without its parent, its children and its attributes.
  ///
  /// - Parameter node: The whole dictionary of the file.
  /// - Throws: What is wrong with the dictionary; then the tree is not built.
  init(node: NodeValue) throws
}

/// A node of a tree that a file describes.
///
/// A node is made first, then added to its parent, then given its attributes: ``apply(_:)`` finds
/// ``parent`` set. Attributes that no class of the node reads are properties of its
/// `@Component` description, whose types convert them.
///
/// Nodes are confined to their tree, and the tree to whoever launched it: neither is `Sendable`.
/// Other threads reach a node by its ``id`` through ``NodeTree/inbox`` and ``NotificationHub``.
open class Node {
  /// What tells the node from others.
  public let id = NodeID()
  /// A number that targets of actions may use.
  public var tag: Int?
  /// The node that it was added to; nil for the root, and once it was removed.
  public internal(set) weak var parent: Node?
  /// The nodes that were added to it, in the order of its slots.
  public internal(set) var children: [Node] = []
  /// The slot of the parent that it is in.
  public internal(set) var slot = ""
  /// What it is in; nil before the node is set up, and once it was destroyed.
  weak var host: (any NodeHost)?
  /// What its file says; nil for a node that a program made.
  public internal(set) var definition: NodeValue?
  /// What happens by which event, action and notification.
  public internal(set) var handling = NodeHandling()
  /// What runs around the handling of events.
  public internal(set) var eventHandler: (any NodeEventHandling)?
  /// Whether the node was destroyed.
  public internal(set) var isDestroyed = false
  /// What the program observes, by the notification's name.
  var observers: [String: [(NodeNotification) throws -> Void]] = [:]
  /// The names that it observed before it had a tree.
  var early: [String] = []

  /// Creates a node without a parent.
  public init() {}

  /// The keys whose values are nodes.
  open class var slots: [NodeSlot] { [.many("children", of: "Node")] }

  /// The functions that `CallFunc` calls.
  open class var functions: [NodeFunction] { [] }

  /// What names in the numbers of its attributes stand for.
  open var symbols: any NodeSymbols { NoSymbols() }

  /// Sets what a file says, once the node was added to its parent.
  ///
  /// A class reads the attributes that it knows and calls its superclass first. An attribute that
  /// is asked for is known, also where the file does not give it.
  ///
  /// - Throws: What is wrong with the attributes; then the tree is not built.
  open func apply(_ attributes: NodeAttributes) throws {
    tag = try attributes.value("tag", as: Int.self) ?? tag
  }

  /// Called when the node, its attributes and its children are complete.
  open func didSetUp() throws {}

  /// Handles an event; by default by the actions that the file has for it.
  ///
  /// A class overrides it for what its nodes do by themselves, and calls its superclass for what
  /// the file says. It gets every event of the node, also notifications and those of its life, and
  /// it is inside of the ``eventHandler``. To have an event handled, call ``fire(_:info:)``.
  ///
  /// ```swift
  /// override func handle(_ event: NodeEvent) throws -> Bool {
  ///   if event.name == "onClick" { clicks += 1 }
  ///   return try super.handle(event) || event.name == "onClick"
  /// }
  /// ```
  ///
  /// - Parameter event: The event; the file may have no actions for it.
  /// - Returns: Whether the node knows the event.
  /// - Throws: What an action throws, or an error of the class.
  open func handle(_ event: NodeEvent) throws -> Bool {
    try host?.runActions(of: event, on: self) ?? false
  }

  /// Makes a change that an action says takes some time; by default at once.
  ///
  /// - Parameters:
  ///   - animation: How long, and by which transition.
  ///   - changes: Makes the change.
  /// - Throws: What the change throws.
  open func animate(_ animation: NodeAnimation, _ changes: () throws -> Void) throws {
    try changes()
  }

  /// Where the definition stands.
  public var location: SourceLocation? { definition?.location }

  /// The name of its class, for messages.
  public var className: String { "\(type(of: self))" }
}

/// How a change is to be shown.
public struct NodeAnimation: Hashable, Sendable {
  /// How many seconds it takes.
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
  /// The node in a slot for one.
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

  /// The node itself or the nearest one above it of a class.
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

/// What runs around the handling of a node's events; named by the `Class` of an `eventHandler`.
public protocol NodeEventHandling: Sendable {
  /// Handles an event.
  ///
  /// - Parameters:
  ///   - event: The event; the node may know none of its name.
  ///   - node: The node.
  ///   - next: Runs the actions of the event; returns false where there are none.
  /// - Returns: Whether the event was handled.
  /// - Throws: What `next` throws, or an error of its own.
  func handle(_ event: NodeEvent, of node: Node, next: () throws -> Bool) throws -> Bool
}
