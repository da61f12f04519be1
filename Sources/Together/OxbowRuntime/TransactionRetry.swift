internal import OxbowFoundation
public import OxbowModel

/// How often a unit of work is begun again after it met the changes of another writer.
///
/// ```swift
/// TransactionRetry(attempts: 5, upTo: .milliseconds(200), within: .seconds(2))
/// ```
///
/// Unless codes are listed, an attempt is worth another after a `conflict`, and after
/// `uniquenessViolated` where it had asked the store for objects of that entity and found none
/// with the value: find or create. A value that it did not look for, or that the same object has
/// taken twice, is a mistake, and no attempt mends it.
public struct TransactionRetry: Sendable {
  /// How often the work is begun at most: by an aspect once where the context had unsaved changes.
  public let attempts: Int

  /// How long to wait after the first attempt, at most; twice as long after each further one.
  public let delay: Duration

  /// The longest wait, however many attempts there were.
  let longestDelay: Duration

  /// How long after the beginning another attempt may begin, its wait included, or `nil` for any
  /// time.
  public let limit: Duration?

  /// All errors that are worth another attempt, or `nil` for those that other writers cause.
  public let codes: Set<PersistenceError.Code>?

  private let sleep: (@Sendable (Duration) throws -> Void)?

  /// The clock, which tests replace.
  package var now: @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }

  /// One attempt.
  public static let never = TransactionRetry(attempts: 1)

  /// Creates a rule.
  ///
  /// A rule without an attempt is refused with `unsupported` when a unit of work begins. The
  /// parameters are the properties; `sleep` waits. Unless something else is given, the thread
  /// sleeps for half of the time up to all of it, so that two writers do not meet again; async code
  /// waits without its thread.
  public init(
    attempts: Int, delay: Duration = .milliseconds(10), upTo longestDelay: Duration = .seconds(1),
    within limit: Duration? = nil, on codes: Set<PersistenceError.Code>? = nil,
    sleep: (@Sendable (Duration) throws -> Void)? = nil
  ) {
    self.attempts = attempts
    self.delay = delay
    self.longestDelay = longestDelay
    self.limit = limit
    self.codes = codes
    self.sleep = sleep
  }

  /// Runs `body` with the number of the attempt, as often as the rule says, until it throws
  /// nothing, or what no attempt changes.
  func run<R>(_ body: (Int) throws -> R) throws -> R {
    var attempts = try TransactionAttempts(self)
    while true {
      do { return try body(attempts.attempt) } catch { try wait(attempts.pause(after: error)) }
    }
  }

  /// Likewise, without its thread while it waits.
  nonisolated(nonsending) func run<R>(
    _ body: nonisolated(nonsending) (Int) async throws -> R
  ) async throws -> R {
    var attempts = try TransactionAttempts(self)
    while true {
      do { return try await body(attempts.attempt) } catch {
        try await wait(attempts.pause(after: error))
      }
    }
  }

  func wait(_ pause: Duration) throws {
    if let sleep { return try sleep(pause) }
    let time = (pause * .random(in: 0.5...1)).components
    var rest = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.attoseconds / 1_000_000_000))
    // A signal ends the sleep early.
    withUnsafeMutablePointer(to: &rest) { while nanosleep($0, $0) != 0, errno == EINTR {} }
  }

  nonisolated(nonsending) func wait(_ pause: Duration) async throws {
    if let sleep { return try sleep(pause) }
    try await Task.sleep(for: pause * .random(in: 0.5...1))
  }

  /// The wait after an attempt.
  fileprivate func pause(after attempt: Int) -> Duration {
    var pause = min(delay, longestDelay)
    for _ in 1..<attempt {
      guard pause > .zero, pause < longestDelay else { break }
      pause = min(pause + pause, longestDelay)
    }
    return pause
  }

  fileprivate func isWorthwhile(_ error: PersistenceError) -> Bool {
    if let codes { return codes.contains { $0 ~= error } }
    return error.code == .conflict || error.code == .uniquenessViolated && error.followsLookup
  }
}

/// The attempts of one unit of work.
struct TransactionAttempts {
  private let rule: TransactionRetry
  private let end: ContinuousClock.Instant?
  private(set) var attempt = 1

  /// The objects whose values the last attempt found to be taken.
  private var holders: [ManagedObjectID]?

  init(_ rule: TransactionRetry) throws(PersistenceError) {
    guard rule.attempts > 0 else {
      throw PersistenceError(
        .unsupported,
        "a transaction was to begin with \(rule.attempts) attempts; give its TransactionRetry at "
          + "least one")
    }
    self.rule = rule
    end = rule.limit.map { rule.now() + $0 }
  }

  /// Whether there may be another one.
  var hasNext: Bool { attempt < rule.attempts }

  /// The wait before the next attempt.
  ///
  /// - Throws: The error, when there is no other attempt.
  mutating func pause(after error: any Error) throws -> Duration {
    guard hasNext, let failure = error as? PersistenceError,
      rule.isWorthwhile(failure), !isRepeated(failure)
    else { throw error }
    let pause = rule.pause(after: attempt)
    if let end, rule.now() + pause > end { throw error }
    attempt += 1
    return pause
  }

  /// Whether the same object has the value again, though the last attempt could have found it.
  private mutating func isRepeated(_ error: PersistenceError) -> Bool {
    guard rule.codes == nil, error.code == .uniquenessViolated else { return false }
    let holders = Array(error.objectIDs.dropFirst())
    defer { self.holders = holders }
    return self.holders == holders
  }
}
