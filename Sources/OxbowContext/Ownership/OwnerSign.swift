public import OxbowPlatform
internal import Synchronization

/// The owner of a context as its objects see it.
///
/// Plain memory that a token holds as long as it lives itself: a getter compares a word, and counts no
/// references for it. Nothing but `ended`, which is atomic, is written after the token was made, so any
/// thread may read it.
@usableFromInline struct OwnerSign: ~Copyable {
  /// The thread that owns the context; 0 for whoever holds it, and `elsewhere` when a task owns it.
  @usableFromInline let thread: UInt

  /// The task that owns the context, or 0.
  private let task: Int

  /// Whether the context was reset or is gone.
  let ended = Atomic(false)

  let token: Unmanaged<ContextToken>

  /// No thread's number.
  private static let elsewhere = UInt.max

  init(of owner: ContextOwner, token: Unmanaged<ContextToken>) {
    self.token = token
    switch owner {
    case .holder: (thread, task) = (0, 0)
    case .thread(let number): (thread, task) = (number, 0)
    case .task(let number): (thread, task) = (Self.elsewhere, number)
    }
  }

  /// Whether the caller may use the context: for every getter to ask.
  @inlinable var isCurrent: Bool {
    thread == 0 || thread == currentThreadNumber() || isCurrentTask
  }

  /// Whether the caller is the task that owns the context.
  @usableFromInline @inline(never) var isCurrentTask: Bool {
    thread == Self.elsewhere && ContextOwner.currentTaskNumber == task
  }

  /// Whether only the one isolation domain that the compiler proves can reach the context's objects.
  var isProved: Bool { thread == 0 }

  /// Whether the context was neither reset nor is gone.
  var hasContext: Bool { !ended.load(ordering: .relaxed) }
}
