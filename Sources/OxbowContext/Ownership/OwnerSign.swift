public import OxbowPlatform

/// The owner of a context as its objects' getters see it.
///
/// Plain memory that a token holds as long as it lives itself: a getter compares a word, and counts no
/// references for it. Never written after its token was made, so any thread may read it.
@usableFromInline struct OwnerSign {
  /// The thread that owns the context; 0 for whoever holds it, and `task` when a task owns it.
  @usableFromInline let thread: UInt

  let token: Unmanaged<ContextToken>

  /// No thread's number.
  private static let task = UInt.max

  init(of owner: ContextOwner, token: Unmanaged<ContextToken>) {
    self.token = token
    thread =
      switch owner {
      case .holder: 0
      case .thread(let number): number
      case .task: Self.task
      }
  }

  /// Whether the caller may use the context: for every getter to ask.
  @inlinable var isCurrent: Bool {
    thread == 0 || thread == currentThreadNumber() || isCurrentTask
  }

  /// Whether the caller is the task that owns the context.
  @usableFromInline @inline(never) var isCurrentTask: Bool {
    thread == Self.task && token.takeUnretainedValue().owner.isCurrent
  }

  /// Whether only the one isolation domain that the compiler proves can reach the context's objects.
  var isProved: Bool { thread == 0 }
}
