internal import OxbowFoundation
internal import OxbowPlatform
internal import OxbowStore
internal import Synchronization

/// Whether a context has something to save, so that work which a thread never saved is reported.
///
/// A thread's context ends with its thread. The main thread does not end: its context is checked
/// when the store is closed, and when the process exits.
final class UnsavedWork: Sendable {
  private let coordinator: PersistentStoreCoordinator
  private let owner: ContextOwner
  private let context: String
  private let flag = Atomic(false)
  private let isWatched = Atomic(false)

  init(coordinator: PersistentStoreCoordinator, owner: ContextOwner, context: String) {
    self.coordinator = coordinator
    self.owner = owner
    self.context = context
  }

  /// Whether the context may have something to save; also read by other threads.
  var isPresent: Bool {
    get { flag.load(ordering: .relaxed) }
    set {
      if newValue, !isWatched.load(ordering: .relaxed) { watch() }
      flag.store(newValue, ordering: .relaxed)
    }
  }

  private struct Watched: Sendable {
    weak var work: UnsavedWork?
  }

  private static let watched = Lock<[ObjectIdentifier: Watched]>([:])
  private static let exitHook: Void = { atexit { UnsavedWork.report(of: nil) } }()

  /// Watches the work of a context that is bound to a thread, from its first change on.
  private func watch() {
    guard case .thread = owner else { return }
    isWatched.store(true, ordering: .relaxed)
    Self.exitHook
    Self.watched.withLock { $0[ObjectIdentifier(self)] = Watched(work: self) }
    coordinator.onClose("unsaved work") { Self.report(of: $0) }
  }

  func unwatch() {
    guard isWatched.load(ordering: .relaxed) else { return }
    _ = Self.watched.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
  }

  /// Reports the contexts with unsaved objects, of one store or of all.
  private static func report(of coordinator: PersistentStoreCoordinator?) {
    let all = watched.withLock { $0.values.compactMap(\.work) }
    for work in all where coordinator == nil || work.coordinator === coordinator { work.report() }
  }

  private func report() {
    guard isPresent else { return }
    isPresent = false
    coordinator.report(
      "the context '\(context)' of \(owner) has unsaved changes; call save() or rollback() before "
        + "the store is closed and before the process exits")
  }
}
