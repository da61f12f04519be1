internal import OxbowModel
internal import OxbowPlatform
internal import OxbowStore
internal import Synchronization

/// The tie between a context and its rows.
///
/// Slabs hold the token, and the token does not hold the context, so an object that outlives its
/// context still has its values and learns that the context is gone.
final class ContextToken: @unchecked Sendable {
  // Sendable by argument: `owner`, `name` and `coordinator` are immutable, `violation` has a lock, and
  // `unsaved` is atomic, and
  // `context` is read only after `check` found the caller to be the owner, and written by the owner.

  let coordinator: PersistentStoreCoordinator
  let owner: ContextOwner
  let name: String

  /// The context, until it is reset or gone.
  unowned(unsafe) private(set) var context: ManagedObjectContext?

  private let unsaved = Atomic(false)

  /// Whether the context may have something to save, for reports from other threads.
  var hasUnsavedWork: Bool {
    get { unsaved.load(ordering: .relaxed) }
    set { unsaved.store(newValue, ordering: .relaxed) }
  }

  private let violation = Lock<PersistenceError?>(nil)
  private let hasViolation = Atomic(false)

  init(
    coordinator: PersistentStoreCoordinator, owner: ContextOwner, name: String,
    context: ManagedObjectContext?
  ) {
    self.coordinator = coordinator
    self.owner = owner
    self.name = name
    self.context = context
    if context != nil { UnsavedWork.watch(self) }
  }

  /// The token of objects that the context has cut off, because they were deleted or never saved.
  private(set) lazy var severed = ContextToken(
    coordinator: coordinator, owner: owner, name: name, context: nil)

  /// Cuts the tie, when the context is reset or goes.
  func tearDown() {
    context = nil
    UnsavedWork.forget(self)
  }

  /// Returns whether the caller may use the context.
  ///
  /// If not, the visit is reported, with `visited` for the object that was reached for, and the next
  /// throwing call of the owner throws it.
  func check(_ action: @autoclosure () -> String, _ visited: @autoclosure () -> String) -> Bool {
    if owner.isCurrent { return true }
    let error = wrongOwner(action(), visited())
    violation.withLock { if $0 == nil { $0 = error } }
    hasViolation.store(true, ordering: .releasing)
    coordinator.report("\(error)")
    return false
  }

  /// Throws when the caller is not the owner, or when somebody else was since the last call.
  func requireOwner(_ action: String) throws(PersistenceError) {
    guard owner.isCurrent else {
      let error = wrongOwner(action, "the context")
      coordinator.report("\(error)")
      throw error
    }
    guard hasViolation.load(ordering: .acquiring) else { return }
    hasViolation.store(false, ordering: .relaxed)
    let earlier = violation.withLock { violation in
      defer { violation = nil }
      return violation
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
