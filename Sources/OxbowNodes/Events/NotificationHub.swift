internal import OxbowPlatform

/// Brings notifications to nodes of trees and to observers of the program.
///
/// Any thread may post and observe. No lock is held while observers run, so they may post and
/// observe themselves. Delivery is in the order of the subscriptions: an observer is called at
/// once; nodes find the notification in the inbox of their tree, but for those of the tree that
/// posts, which handle it at once.
public final class NotificationHub: Sendable {
  /// Who receives a notification.
  struct Subscription: Sendable {
    enum Receiver: Sendable {
      case observer(@Sendable (NodeNotification) -> Void)
      case node(NodeID, of: NodeInbox)
    }

    let number: UInt64
    let receiver: Receiver
  }

  private struct State {
    var last: UInt64 = 0
    var subscriptions: [String: [Subscription]] = [:]
    /// The names that a node is subscribed to.
    var names: [NodeID: Set<String>] = [:]
    /// The nodes of each inbox.
    var nodes: [ObjectIdentifier: Set<NodeID>] = [:]

    mutating func remove(_ name: String, where isEnded: (Subscription) -> Bool) {
      subscriptions[name]?.removeAll(where: isEnded)
      if subscriptions[name]?.isEmpty == true { subscriptions[name] = nil }
    }
  }

  private let state = Lock(State())

  /// Creates a hub without subscriptions.
  public init() {}

  /// An observer of a hub.
  public struct Observation: Sendable {
    let cancelling: @Sendable () -> Void

    /// Ends the observation; a call that has begun goes on.
    public func cancel() { cancelling() }
  }

  /// Has a closure called for every notification of a name, until it is cancelled.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - body: Called by whoever posts, on its thread.
  /// - Returns: What ends it.
  @discardableResult
  public func observe(
    _ name: String, _ body: @escaping @Sendable (NodeNotification) -> Void
  ) -> Observation {
    let number = add(.observer(body), to: name)
    return Observation { [weak self] in
      self?.state.withLock { $0.remove(name) { $0.number == number } }
    }
  }

  /// Posts a notification from outside of trees.
  public func post(_ notification: NodeNotification) {
    for subscription in subscriptions(notification.name) {
      switch subscription.receiver {
      case .observer(let body): body(notification)
      case .node(let node, let inbox): inbox.leave(.notification(notification, node))
      }
    }
  }

  // MARK: - Nodes

  func subscriptions(_ name: String) -> [Subscription] {
    state.withLock { $0.subscriptions[name] ?? [] }
  }

  /// Subscribes a node once.
  func subscribe(_ node: NodeID, of inbox: NodeInbox, to name: String) {
    let isNew = state.withLock { state in
      state.nodes[ObjectIdentifier(inbox), default: []].insert(node)
      return state.names[node, default: []].insert(name).inserted
    }
    if isNew { _ = add(.node(node, of: inbox), to: name) }
  }

  func remove(_ node: NodeID) {
    state.withLock { Self.remove(node, &$0) }
  }

  func removeAll(of inbox: NodeInbox) {
    state.withLock { state in
      for node in state.nodes.removeValue(forKey: ObjectIdentifier(inbox)) ?? [] {
        Self.remove(node, &state)
      }
    }
  }

  private static func remove(_ node: NodeID, _ state: inout State) {
    for name in state.names.removeValue(forKey: node) ?? [] {
      state.remove(name) { if case .node(node, _) = $0.receiver { true } else { false } }
    }
  }

  private func add(_ receiver: Subscription.Receiver, to name: String) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.subscriptions[name, default: []]
        .append(Subscription(number: state.last, receiver: receiver))
      return state.last
    }
  }
}
