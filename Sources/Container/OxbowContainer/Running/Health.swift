/// How an object is.
public struct Health: Sendable, Hashable {
  /// Whether it can do its work.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case up, degraded, down

    /// Whether one is better than another.
    public static func < (a: Self, b: Self) -> Bool {
      a == .up && b != .up || a == .degraded && b == .down
    }
  }

  /// Whether the object can do its work.
  public var status: Status
  /// What is wrong; nil if nothing is.
  public var text: String?
  /// What else there is to know: names and values.
  public var details: [String: String]

  /// Creates a health.
  public init(_ status: Status, _ text: String? = nil, details: [String: String] = [:]) {
    (self.status, self.text, self.details) = (status, text, details)
  }

  /// All is well.
  public static let up = Health(.up)

  /// The object works, and something should be done about it.
  public static func degraded(_ text: String) -> Health { Health(.degraded, text) }

  /// The object does not work.
  public static func down(_ text: String) -> Health { Health(.down, text) }
}

/// A singleton that says how it is.
public protocol HealthReporting: Sendable {
  /// How the object is now.
  ///
  /// It is asked often and by several at once, so it should answer soon.
  func health() async -> Health
}
