import OxbowPlatform

/// A clock that a test moves.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset = Duration.zero

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
  }

  private struct State {
    var now = Instant()
    var last = 0
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] =
      [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var cancelled = 0
  }

  private let state = Lock(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }
  /// How many sleeps were cancelled.
  var cancelled: Int { state.withLock { $0.cancelled } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, watchers) = state.withLock { state in
          begin(number, deadline, continuation, &state)
        }
        for watcher in watchers { watcher.resume() }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        state.cancelled += 1
        return state.sleepers.removeValue(forKey: number)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private func begin(
    _ number: Int, _ deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>,
    _ state: inout State
  ) -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) {
    if Task.isCancelled { return (.failure(CancellationError()), []) }
    if deadline <= state.now { return (.success(()), []) }
    state.sleepers[number] = (deadline, continuation)
    let ready = state.watchers.filter { $0.count <= state.sleepers.count }
    state.watchers.removeAll { $0.count <= state.sleepers.count }
    return (nil, ready.map(\.continuation))
  }

  /// Wakes the sleepers until a moment that is reached.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Waits until so many sleep.
  func sleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isReady = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isReady { continuation.resume() }
    }
  }
}
