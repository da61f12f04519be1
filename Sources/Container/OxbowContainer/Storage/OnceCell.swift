internal import OxbowPlatform
internal import Synchronization

/// Runs a build once for all threads, and again after one that threw.
///
/// Threads that come while one builds wait for it and get its result: the finished build, or the
/// same error. After an error the cell is empty, and the next thread tries again. Once ready, a
/// look at the cell costs one acquiring load and no lock.
///
/// A cell that its container has sealed builds nothing more; one that is closed is not ready
/// either. What a build wrote stays where it is: a thread may have looked just before.
package final class OnceCell: Sendable {
  private enum State {
    static let empty: UInt8 = 0
    static let ready: UInt8 = 1
    static let sealed: UInt8 = 2
    static let closed: UInt8 = 3
  }

  /// One run of a build.
  ///
  /// `owner` and `entry` never change; `finished` is the flag that waiters of other cells read; the
  /// failure is guarded by the cell's monitor.
  private final class Attempt: @unchecked Sendable {
    let owner: UInt
    let entry: String
    let finished = Atomic<Bool>(false)
    var failure: (any Error)?

    init(owner: UInt, entry: String) {
      self.owner = owner
      self.entry = entry
    }
  }

  private enum Turn {
    case ready
    case mine(Attempt)
    case theirs(Attempt)
  }

  private let state = Atomic<UInt8>(State.empty)
  private let current = Monitor<Attempt?>(nil)

  package init() {}

  /// Whether a build has succeeded; what it wrote is visible then.
  var isReady: Bool { state.load(ordering: .acquiring) == State.ready }

  /// Whether nothing is built here any more.
  var isSealed: Bool { state.load(ordering: .acquiring) >= State.sealed }

  /// Lets no build begin and none that runs succeed; what is ready stays ready.
  func seal() {
    _ = state.compareExchange(
      expected: State.empty, desired: State.sealed, ordering: .acquiringAndReleasing)
  }

  /// Lets the cell never be ready again.
  func close() { state.store(State.closed, ordering: .sequentiallyConsistent) }

  /// Runs `build` unless it has run or runs already, and waits for it.
  ///
  /// The message about threads that wait in a circle names the entry.
  ///
  /// - Throws: What `build` throws; `constructionDeadlock` when the thread that builds waits for
  ///   this one; `containerReleased` when the cell was sealed before the build had succeeded.
  package func run(for entry: String, _ build: () throws -> Void) throws {
    try run(for: entry, staysReady: true, unless: { isReady }, build)
  }

  /// Runs `build`, one thread at a time, unless a look under the lock says that it is not needed.
  ///
  /// The cell never becomes ready: what is built here can end and be built again.
  package func run(
    for entry: String, unless isDone: () -> Bool, _ build: () throws -> Void
  ) throws {
    try run(for: entry, staysReady: false, unless: isDone, build)
  }

  private func run(
    for entry: String, staysReady: Bool, unless isDone: () -> Bool, _ build: () throws -> Void
  ) throws {
    switch try takeTurn(entry, isDone) {
    case .ready: return
    case .mine(let attempt):
      do {
        try build()
      } catch {
        end(attempt, with: error)
        throw error
      }
      let refusal = staysReady && !becomeReady() ? Self.refusal(entry) : nil
      end(attempt, with: refusal)
      if let refusal { throw refusal }
    case .theirs(let attempt):
      try Self.waiting(for: attempt, wanted: entry) {
        waitUntilFinished(attempt)
      }
      if let failure = attempt.failure { throw failure }
    }
  }

  private static func refusal(_ entry: String) -> ContainerError {
    ContainerError(.containerReleased(entry), getting: entry)
  }

  private func becomeReady() -> Bool {
    state.compareExchange(
      expected: State.empty, desired: State.ready, ordering: .acquiringAndReleasing
    ).exchanged
  }

  private func takeTurn(_ entry: String, _ isDone: () -> Bool) throws -> Turn {
    try current.update { current in
      if isDone() { return .ready }
      if isSealed { throw Self.refusal(entry) }
      if let attempt = current { return .theirs(attempt) }
      let attempt = Attempt(owner: currentThreadNumber(), entry: entry)
      current = attempt
      return .mine(attempt)
    }
  }

  private func waitUntilFinished(_ attempt: Attempt) {
    // The monitor waits for a time; a constructor may take any.
    while current.wait(
      milliseconds: 60_000,
      for: { _ in attempt.finished.load(ordering: .acquiring) ? true : nil }) == nil
    {}
  }

  private func end(_ attempt: Attempt, with failure: (any Error)?) {
    current.update { current in
      current = nil
      attempt.failure = failure
      attempt.finished.store(true, ordering: .releasing)
    }
  }
}

// MARK: - Waiting

/// Which thread waits for which, so that two threads that could only wait for ever get an error
/// instead.
///
/// Declared dependencies never close a circle of waits (see `CycleGroup`). An undeclared one can: a
/// provider or lazy proxy that is called inside a constructor. The lock is taken only by a thread
/// that is about to wait, never while an object is built and never on a hit. It is one for the
/// process because circles can run through several containers.
extension OnceCell {
  private struct Wait {
    let attempt: Attempt
    let wanted: String
  }

  /// What each thread waits for.
  private static let waits = Lock<[UInt: Wait]>([:])

  /// Runs `block`, which waits for an attempt to finish.
  ///
  /// - Throws: `constructionDeadlock` when the attempt's thread waits for this one, directly or
  ///   through others.
  private static func waiting(for attempt: Attempt, wanted: String, _ block: () -> Void) throws {
    let me = currentThreadNumber()
    try waits.withLock { waits in
      if let loop = loop(from: me, to: attempt, wanted: wanted, in: waits) {
        throw ContainerError(.waitLoop(wanted, steps: loop), getting: wanted)
      }
      waits[me] = Wait(attempt: attempt, wanted: wanted)
    }
    block()
    waits.withLock { $0[me] = nil }
  }

  /// The circle that a wait would close, as sentences; nil when there is none.
  private static func loop(
    from me: UInt, to attempt: Attempt, wanted: String, in waits: [UInt: Wait]
  ) -> [String]? {
    var steps: [String] = []
    var attempt = attempt
    var wanted = wanted
    var visitor = "this thread"
    var others = 0
    // Attempts that have finished do not block, even if the waiter has not woken up yet.
    while !attempt.finished.load(ordering: .acquiring) {
      steps.append(
        "\(visitor) asks for \"\(wanted)\" while \(attempt.owner == me ? "it" : "another thread") "
          + "builds \"\(attempt.entry)\"")
      if attempt.owner == me { return steps }
      guard let next = waits[attempt.owner] else { return nil }
      others += 1
      visitor = others == 1 ? "the other thread" : "thread \(others + 1)"
      attempt = next.attempt
      wanted = next.wanted
    }
    return nil
  }
}

/// A value that is written once (again only when a scope replaces it) and read often.
///
/// `filled` is the fast path beside `value`: an optional of a generic type is looked up and copied
/// with the runtime's help at each read, a pointer is followed (`docs/performance.md`,
/// K/singleton).
///
/// Not synchronised: its owner's cell guards it. So it may be in a property whose accesses are not
/// checked for exclusivity.
struct OnceValue<T>: ~Copyable {
  private var pointer: UnsafeMutablePointer<T>?

  init() {}

  deinit { Self.drop(pointer) }

  var isFilled: Bool { pointer != nil }

  /// The value.
  ///
  /// - Precondition: `isFilled`.
  var filled: T { pointer.unsafelyUnwrapped.pointee }

  var value: T? { isFilled ? filled : nil }

  /// Replaces the value by another one, or by none.
  mutating func set(_ value: T?) {
    let old = pointer
    pointer = nil
    Self.drop(old)
    guard let value else { return }
    let new = UnsafeMutablePointer<T>.allocate(capacity: 1)
    new.initialize(to: value)
    pointer = new
  }

  private static func drop(_ pointer: UnsafeMutablePointer<T>?) {
    pointer?.deinitialize(count: 1)
    pointer?.deallocate()
  }
}
