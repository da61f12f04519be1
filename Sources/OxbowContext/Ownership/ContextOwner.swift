internal import OxbowPlatform

/// Who may use a context.
///
/// Most confinement is proved by the compiler: a context is not `Sendable`. What reaches code through
/// a Sendable proxy cannot be proved, so such a context is bound to its thread, and faults, edits,
/// walks and saves elsewhere are reported.
public enum ContextOwner: Sendable, Hashable {
  /// Whoever holds the context; the compiler sees to it that this is one isolation domain.
  case holder

  /// One thread.
  case thread(UInt)

  /// The calling thread.
  public static var currentThread: ContextOwner { .thread(currentThreadNumber()) }

  /// Whether the caller may use the context.
  var isCurrent: Bool {
    switch self {
    case .holder: true
    case .thread(let number): number == currentThreadNumber()
    }
  }
}

extension ContextOwner: CustomStringConvertible {
  /// The owner as messages name it.
  public var description: String {
    switch self {
    case .holder: "its holder"
    case .thread(let number): "thread \(String(number, radix: 16))"
    }
  }
}
