internal import OxbowPlatform

/// The place where other threads leave events for a tree.
public final class NodeInbox: Sendable {
  enum Message: Sendable {
    case notification(NodeNotification, NodeID)
    case event(NodeEvent, NodeID)
    case delayed(UInt64)
    case answer(String, NodeID, NodeHandling)
  }

  private struct State {
    var messages: [Message] = []
    var isClosed = false
    var lastWaiter: UInt64 = 0
    var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
  }

  private let state = Lock(State())

  init() {}

  /// Leaves an event for a node; it is handled when the tree drains its inbox, unless the node has
  /// been destroyed by then.
  public func send(_ event: String, to node: NodeID, info: NodeValue = [:]) {
    leave(.event(NodeEvent(event, info: info), node))
  }

  func leave(_ message: Message) {
    wake { state in
      if !state.isClosed { state.messages.append(message) }
    }
  }

  func close() {
    wake { state in
      state.isClosed = true
      state.messages = []
    }
  }

  /// Takes all messages.
  func take() -> [Message] {
    state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
  }

  private func wake(_ change: (inout State) -> Void) {
    let waiters = state.withLock { state in
      change(&state)
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume() }
  }

  /// Waits until there is a message, the inbox was closed, or the task is cancelled.
  func wait() async {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isClosed || !state.messages.isEmpty || Task.isCancelled { return true }
          state.waiters[number] = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      let waiter = state.withLock { $0.waiters.removeValue(forKey: number) }
      waiter?.resume()
    }
  }
}
