internal import OxbowPlatform

/// The identity of a node, unique in the program; it may be used on any thread.
public struct NodeID: Hashable, Sendable, CustomStringConvertible {
  private let number: UInt64
  private static let last = Lock<UInt64>(0)

  init() {
    number = Self.last.withLock { last in
      last += 1
      return last
    }
  }

  /// The number of the node.
  public var description: String { "node \(number)" }
}

/// Something that happens to a node.
public struct NodeEvent: Hashable, Sendable {
  /// The name of the event.
  public let name: String
  /// Its data; for a notification, what was posted with it.
  public let info: NodeValue

  /// Creates an event.
  public init(_ name: String, info: NodeValue = [:]) {
    self.name = name
    self.info = info
  }
}

/// A notification: a name, with data from its sender.
public struct NodeNotification: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The node that posted it; nil if the program did.
  public let sender: NodeID?
  /// Its data: the whole dictionary of the action that posted it.
  public let info: NodeValue

  /// Creates a notification.
  public init(_ name: String, from sender: NodeID? = nil, info: NodeValue = [:]) {
    self.name = name
    self.sender = sender
    self.info = info
  }
}
