internal import OxbowModel
public import OxbowPlatform
internal import OxbowStore
internal import Synchronization

/// What rows and objects know of their context.
///
/// Slabs hold the token, and the token does not hold the context, so an object that outlives its
/// context keeps its values and learns that the context is gone.
///
/// An object points to the sign of its slab's token as long as it lives. Threads that do not own
/// the object may read the sign and the token, and nothing else of it.
final class ContextToken: @unchecked Sendable {
  // Sendable by argument:
  // - `sign`, `coordinator`, `owner`, `name` and `unsavedWork` are immutable, and what they refer
  //   to is Sendable, or, as the sign, written only where it is atomic.
  // - `shared` has a lock.
  // - `hasViolation` is atomic.
  // - `context` is written by the owner only, and read only after `check` found the caller to be
  //   it; so is `rowChanges`.
  let sign: UnsafePointer<OwnerSign>

  let coordinator: PersistentStoreCoordinator
  let owner: ContextOwner
  let name: String

  /// The context, until it is reset or gone.
  ///
  /// Weak, because the last reference to a context may be dropped on any thread while the owner
  /// uses one of its objects.
  private(set) weak var context: ManagedObjectContext?

  /// Counts replaced rows and objects that left, for code that caches what it made of values.
  ///
  /// It belongs to the owner; unchecked, because nothing is called while it changes.
  @exclusivity(unchecked) var rowChanges = 0
  let unsavedWork: UnsavedWork

  private let hasViolation = Atomic(false)

  private let shared = Lock(Shared())

  private struct Shared: Sendable {
    /// The first use off the owner since the owner's last call, and the reports since then.
    var violation: PersistenceError?
    var reported: Set<String> = []
    /// The refused uses of objects after the context had gone, by object.
    var refusals: [ObjectReference: PersistenceError] = [:]
  }

  /// Whether the context was neither reset nor is gone.
  var hasContext: Bool { sign.pointee.hasContext }

  init(
    coordinator: PersistentStoreCoordinator, owner: ContextOwner, name: String,
    context: ManagedObjectContext?
  ) {
    self.coordinator = coordinator
    self.owner = owner
    self.name = name
    self.context = context
    unsavedWork = UnsavedWork(coordinator: coordinator, owner: owner, context: name)
    let sign = UnsafeMutablePointer<OwnerSign>.allocate(capacity: 1)
    self.sign = UnsafePointer(sign)
    sign.initialize(to: OwnerSign(of: owner, token: .passUnretained(self)))
  }

  deinit {
    UnsafeMutablePointer(mutating: sign).deinitialize(count: 1).deallocate()
  }

  /// Forgets the context when it is reset.
  func tearDown() {
    context = nil
    end()
  }

  func recordsEdits(_ records: Bool) {
    if records {
      _ = sign.pointee.flags.bitwiseOr(OwnerSign.recording, ordering: .relaxed)
    } else {
      _ = sign.pointee.flags.bitwiseAnd(~OwnerSign.recording, ordering: .relaxed)
    }
  }

  /// Notes that the context is going.
  ///
  /// Its end may come on any thread, so `context` is left alone.
  func end() {
    _ = sign.pointee.flags.bitwiseOr(OwnerSign.ended, ordering: .relaxed)
    unsavedWork.unwatch()
  }
}

// MARK: - The owner

extension ContextToken {
  var isCurrent: Bool { sign.pointee.isCurrent }

  /// Whether the compiler proves that only one isolation domain can reach the context's objects.
  var isProved: Bool { sign.pointee.isProved }

  /// Returns whether the caller may use the context.
  ///
  /// If not, the visit is reported, with `visited` for the object that was reached for, and the
  /// next throwing call of the owner throws it. A repeated visit is reported once.
  func check(_ action: @autoclosure () -> String, _ visited: @autoclosure () -> String) -> Bool {
    if isCurrent { return true }
    refuseVisit(action(), visited())
    return false
  }

  /// Reports a use off the owner, and keeps it for the owner's next throwing call.
  func refuseVisit(_ action: String, _ visited: String) {
    let error = wrongOwner(action, visited)
    let isNew = shared.withLock { shared in
      if shared.violation == nil { shared.violation = error }
      return shared.reported.insert(error.message).inserted
    }
    hasViolation.store(true, ordering: .releasing)
    if isNew { coordinator.report("\(error)") }
  }

  /// Whether the owner calls, and all calls since its last one were the owner's.
  var isUndisturbed: Bool { isCurrent && !hasViolation.load(ordering: .acquiring) }

  /// Throws if the caller is not the owner, or if there was another caller since the last call.
  func requireOwner(
    _ action: @autoclosure () -> String, _ visited: @autoclosure () -> String = "the context"
  ) throws(PersistenceError) {
    guard isCurrent else {
      let error = wrongOwner(action(), visited())
      coordinator.report("\(error)")
      throw error
    }
    guard hasViolation.load(ordering: .acquiring) else { return }
    hasViolation.store(false, ordering: .relaxed)
    let earlier = shared.withLock { shared in
      defer { (shared.violation, shared.reported) = (nil, []) }
      return shared.violation
    }
    if let earlier { throw earlier }
  }

  private var visitor: String {
    let task = ContextOwner.currentTask.map { " in \($0)" } ?? ""
    return "on \(ContextOwner.currentThread)\(task)"
  }

  private func wrongOwner(_ action: String, _ visited: String) -> PersistenceError {
    PersistenceError(
      .wrongOwner,
      "\(visited) was used off its owner: \(action) \(visitor), but the context '\(name)' belongs "
        + "to \(owner). Send the object's ID and fetch it there, or do "
        + "the work inside `perform`")
  }
}

// MARK: - What is shared with visitors

extension ContextToken {
  /// Runs `body` while no object of the context is pointed to another row.
  ///
  /// Visitors read an object's row inside, and the owner of a context that can have visitors
  /// changes it inside.
  func whileRowsStay<R: Sendable>(_ body: () -> R) -> R { shared.withLock { _ in body() } }

  /// Keeps the first error of an object whose context is gone, and reports it.
  func refuse(_ reference: ObjectReference, _ error: PersistenceError) {
    let isFirst = shared.withLock { shared in
      guard shared.refusals[reference] == nil else { return false }
      shared.refusals[reference] = error
      return true
    }
    if isFirst { coordinator.report("\(error)") }
  }

  /// The error of a use of an object after its context had gone.
  func refusal(of reference: ObjectReference) -> PersistenceError? {
    shared.withLock { $0.refusals[reference] }
  }
}

// MARK: - The sign

/// The owner of a context as its objects see it.
///
/// Plain memory that a token holds as long as it lives: a getter compares a word, and counts no
/// references for it. Only `flags`, which is atomic, is written after the token was made, so any
/// thread may read it. It is declared here because it and the token know each other.
@usableFromInline struct OwnerSign: ~Copyable {
  /// The thread that owns the context; 0 for its holder, and `elsewhere` when a task owns it.
  @usableFromInline let thread: UInt

  /// The task that owns the context, or 0.
  private let task: Int

  /// Whether the context was reset or is gone, and whether it records edits for undo.
  let flags = Atomic<UInt8>(0)

  static let ended: UInt8 = 1
  static let recording: UInt8 = 2

  let token: Unmanaged<ContextToken>
  private static let elsewhere = UInt.max

  init(of owner: ContextOwner, token: Unmanaged<ContextToken>) {
    self.token = token
    switch owner {
    case .holder: (thread, task) = (0, 0)
    case .thread(let number): (thread, task) = (number, 0)
    case .task(let number): (thread, task) = (Self.elsewhere, number)
    }
  }

  /// Whether the caller may use the context: asked by every getter.
  @inlinable var isCurrent: Bool {
    thread == 0 || thread == currentThreadNumber() || isCurrentTask
  }

  /// Whether the caller is the task that owns the context.
  @usableFromInline @inline(never) var isCurrentTask: Bool {
    thread == Self.elsewhere && ContextOwner.currentTaskNumber == task
  }
  var isProved: Bool { thread == 0 }
  var hasContext: Bool { flags.load(ordering: .relaxed) & Self.ended == 0 }
  var isRecording: Bool { flags.load(ordering: .relaxed) & Self.recording != 0 }

  /// Whether the context exists and records nothing: one load for each value of a new object.
  var hasPlainContext: Bool { flags.load(ordering: .relaxed) == 0 }
}
