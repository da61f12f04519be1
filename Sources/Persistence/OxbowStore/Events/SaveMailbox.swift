internal import OxbowPlatform
internal import Synchronization

/// The saves that one subscriber has not read yet.
///
/// It holds events up to a number of objects; beyond that it only knows that something changed.
package final class SaveMailbox: Sendable {
  private let flag = Atomic(false)
  private let state = Lock(State())
  private let capacity: Int

  /// How many objects the saves for a context and for a sequence of saves have at most.
  package static let usualCapacity = 100_000

  private struct State: Sendable {
    var events: [SaveEvent] = []
    var size = 0
    var isComplete = true
    var isEnded = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  package init(capacity: Int) { self.capacity = capacity }

  /// Whether there are saves: one load for each operation of a context.
  package var hasNews: Bool { flag.load(ordering: .acquiring) }

  package func post(_ event: SaveEvent) {
    state.withLock { state in
      state.size += event.size
      if state.size > capacity {
        state.events = []
        state.isComplete = false
      } else {
        state.events.append(event)
      }
      flag.store(true, ordering: .releasing)
    }
    wake()
  }

  /// Notes a change that no event names.
  package func postUnknown() {
    forget()
    wake()
  }

  /// Whether no more saves will come.
  package var isEnded: Bool { state.withLock(\.isEnded) }

  /// Wakes those who wait, for good.
  func end() {
    state.withLock { $0.isEnded = true }
    wake()
  }

  private func wake() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  package func take() -> SaveNews {
    state.withLock { state in
      flag.store(false, ordering: .relaxed)
      defer { (state.events, state.size, state.isComplete) = ([], 0, true) }
      return SaveNews(events: state.events, isComplete: state.isComplete)
    }
  }

  /// Forgets the events, but not that there were some.
  package func forget() {
    state.withLock { state in
      state.events = []
      state.isComplete = false
      flag.store(true, ordering: .releasing)
    }
  }

  /// Waits until there is an event, or none will come, or until the task is cancelled.
  package func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if Task.isCancelled || state.isEnded || flag.load(ordering: .relaxed) { return true }
          state.waiters.append(continuation)
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      // A waiter that was woken but not cancelled waits again.
      wake()
    }
  }
}
