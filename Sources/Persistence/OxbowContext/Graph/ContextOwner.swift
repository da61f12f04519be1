internal import OxbowPlatform

/// Who may use a context.
///
/// Most confinement is proved by the compiler: a context is not `Sendable`. What reaches code
/// through a Sendable proxy cannot be proved, so such a context is bound to its thread or its task,
/// and every use of it and of its objects elsewhere is refused and reported.
public enum ContextOwner: Sendable, Hashable {
  /// The holder of the context; the compiler sees to it that this is one isolation domain.
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

  /// The address of the current task: no two tasks that live have the same.
  static var currentTaskNumber: Int? {
    withUnsafeCurrentTask { $0.map { unsafeBitCast($0, to: Int.self) } }
  }

  /// Whether the caller may use the context.
  var isCurrent: Bool {
    switch self {
    case .holder: true
    case .thread(let number): number == currentThreadNumber()
    case .task: self == ContextOwner.currentTask
    }
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
