internal import OxbowPlatform

/// Delivers notifications to the nodes of trees and to observers of the program.
///
/// Any thread may post and observe. No lock is held while observers run, so they may post and
/// observe too. Delivery is in the order of the subscriptions. Observers are called at once. Nodes
/// of the posting tree handle a notification at once; other nodes find it in the inbox of their
/// tree.
public final class NotificationHub: Sendable {
  struct Subscription: Sendable {
    enum Receiver: Sendable {
      case observer(@Sendable (NodeNotification) -> Void)
      case node(NodeID, of: NodeInbox)
    }

    let number: UInt64
    let receiver: Receiver
    var isEnded = false
  }

  private struct State {
    var last: UInt64 = 0
    var subscriptions: [String: Subscriptions] = [:]
    /// The names that a node is subscribed to, each with the number of the subscription.
    var names: [NodeID: [String: UInt64]] = [:]
    /// The nodes of each inbox.
    var nodes: [ObjectIdentifier: Set<NodeID>] = [:]

    mutating func add(_ receiver: Subscription.Receiver, to name: String) -> UInt64 {
      last += 1
      subscriptions[name, default: Subscriptions()]
        .append(Subscription(number: last, receiver: receiver))
      return last
    }

    mutating func remove(_ number: UInt64, of name: String) {
      subscriptions[name]?.end(number)
      if subscriptions[name]?.isEmpty == true { subscriptions[name] = nil }
    }

    mutating func remove(_ node: NodeID) {
      for (name, number) in names.removeValue(forKey: node) ?? [:] { remove(number, of: name) }
    }
  }

  /// The subscriptions to one name, in their order.
  ///
  /// Ended ones stay until they are half of all, so that ending one takes constant time.
  private struct Subscriptions {
    private var all: [Subscription] = []
    private var ended = 0

    var isEmpty: Bool { ended == all.count }
    var current: [Subscription] { ended == 0 ? all : all.filter { !$0.isEnded } }

    mutating func append(_ subscription: Subscription) { all.append(subscription) }

    mutating func end(_ number: UInt64) {
      guard let index = index(of: number), !all[index].isEnded else { return }
      all[index].isEnded = true
      ended += 1
      guard ended > all.count / 2 else { return }
      all.removeAll(where: \.isEnded)
      ended = 0
    }

    /// Numbers only grow.
    private func index(of number: UInt64) -> Int? {
      var range = all.indices
      while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
        if all[middle].number == number { return middle }
        range =
          all[middle].number < number
          ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }
  }

  private let state = Lock(State())

  /// Creates a hub without subscriptions.
  public init() {}

  /// An observer of a hub.
  public struct Observation: Sendable {
    let cancelling: @Sendable () -> Void

    /// Ends the observation; a call that has begun is not interrupted.
    public func cancel() { cancelling() }
  }

  /// Calls a closure for every notification of a name, on the thread that posts, until the
  /// observation is cancelled.
  @discardableResult
  public func observe(
    _ name: String, _ body: @escaping @Sendable (NodeNotification) -> Void
  ) -> Observation {
    let number = state.withLock { $0.add(.observer(body), to: name) }
    return Observation { [weak self] in
      self?.state.withLock { $0.remove(number, of: name) }
    }
  }

  /// Posts a notification from outside any tree.
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
    state.withLock { $0.subscriptions[name]?.current ?? [] }
  }

  func subscribe(_ node: NodeID, of inbox: NodeInbox, to name: String) {
    state.withLock { state in
      state.nodes[ObjectIdentifier(inbox), default: []].insert(node)
      guard state.names[node]?[name] == nil else { return }
      state.names[node, default: [:]][name] = state.add(.node(node, of: inbox), to: name)
    }
  }

  func remove(_ node: NodeID, of inbox: NodeInbox) {
    state.withLock { state in
      state.remove(node)
      state.nodes[ObjectIdentifier(inbox)]?.remove(node)
    }
  }

  func removeAll(of inbox: NodeInbox) {
    state.withLock { state in
      for node in state.nodes.removeValue(forKey: ObjectIdentifier(inbox)) ?? [] {
        state.remove(node)
      }
    }
  }
}
