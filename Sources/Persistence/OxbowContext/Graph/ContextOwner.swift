internal import OxbowPlatform

/// Who may use a context.
///
/// The compiler proves most confinement: a context is not `Sendable`. It cannot prove it for what
/// code reaches through a Sendable proxy, so such a context is bound to its thread or task, and
/// every other use of it and of its objects is refused and reported.
public enum ContextOwner: Sendable, Hashable {
  /// The holder of the context: one isolation domain, as the compiler proves.
  case holder

  /// One thread.
  case thread(UInt)

  /// One task, on whatever thread it runs; not its child tasks.
  case task(Int)

  /// The calling thread.
  public static var currentThread: ContextOwner { .thread(currentThreadNumber()) }

  /// The current task, or `nil` outside of tasks.
  public static var currentTask: ContextOwner? {
    currentTaskNumber.map { .task($0) }
  }

  /// The address of the current task, unique among living tasks.
  static var currentTaskNumber: Int? {
    withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: Int.self) } }
  }
}

extension ContextOwner: CustomStringConvertible {
  /// The owner as messages name it.
  public var description: String {
    switch self {
    case .holder: "its holder"
    case .thread(let number): "thread \(String(number, radix: 16))"
    case .task(let number): "task \(String(UInt(bitPattern: number), radix: 16))"
    }
  }
}
