internal import Foundation
internal import OxbowModel

/// How often a unit of work is begun again that met the changes of another writer.
public struct TransactionRetry: Sendable {
  /// How often it is begun at most; an aspect begins it once where the context had unsaved changes
  /// before.
  public let attempts: Int

  /// How long to wait after the first attempt, at most; twice as long after each further one.
  public let delay: Duration

  private let sleep: @Sendable (Duration) throws -> Void

  /// One attempt.
  public static let never = TransactionRetry(attempts: 1)

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - attempts: How often it is begun at most.
  ///   - delay: How long to wait after the first attempt; twice as long after each further one.
  ///   - sleep: Waits. Unless something else is given, the calling thread sleeps for half of the
  ///     time up to all of it, so that those who met do not meet again.
  /// - Precondition: There is at least one attempt.
  public init(
    attempts: Int, delay: Duration = .milliseconds(10),
    sleep: (@Sendable (Duration) throws -> Void)? = nil
  ) {
    precondition(attempts > 0, "A transaction is begun at least once.")
    self.attempts = attempts
    self.delay = delay
    self.sleep = sleep ?? { Thread.sleep(forTimeInterval: $0 / .seconds(1) * .random(in: 0.5...1)) }
  }

  /// Whether another attempt may succeed: another writer has changed a row, or has made one that
  /// must be unique.
  func isWorthwhile(_ error: PersistenceError) -> Bool {
    error.code == .conflict || error.code == .uniquenessViolated
  }

  /// Runs `body` as often as the rule says, until it throws nothing, or what no attempt changes.
  func run<R>(_ body: () throws -> R) throws -> R {
    for attempt in 1..<attempts {
      do { return try body() } catch let error as PersistenceError where isWorthwhile(error) {
        try pause(attempt)
      }
    }
    return try body()
  }

  func pause(_ attempt: Int) throws { try sleep(delay * (1 << min(attempt - 1, 16))) }
}
