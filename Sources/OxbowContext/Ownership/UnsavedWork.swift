#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
internal import OxbowPlatform
internal import OxbowStore

/// The contexts of threads, so that work which a thread never saved is reported.
///
/// A thread's context ends with its thread. The main thread has no such end: its context is looked at
/// when the store is closed, and when the process exits.
enum UnsavedWork {
  private struct Watched: Sendable {
    weak var token: ContextToken?
  }

  private static let watched = Lock<[ObjectIdentifier: Watched]>([:])
  private static let exitHook: Void = { atexit { UnsavedWork.report(of: nil) } }()

  /// Watches a context that is bound to a thread.
  static func watch(_ token: ContextToken) {
    guard case .thread = token.owner else { return }
    exitHook
    watched.withLock { $0[ObjectIdentifier(token)] = Watched(token: token) }
    token.coordinator.onClose("unsaved work") { report(of: $0) }
  }

  static func forget(_ token: ContextToken) {
    _ = watched.withLock { $0.removeValue(forKey: ObjectIdentifier(token)) }
  }

  /// Reports the contexts that have unsaved objects; those of one store, or all.
  private static func report(of coordinator: PersistentStoreCoordinator?) {
    let tokens = watched.withLock { $0.values.compactMap(\.token) }
    for token in tokens where coordinator == nil || token.coordinator === coordinator {
      report(token)
    }
  }

  private static func report(_ token: ContextToken) {
    guard token.hasUnsavedWork else { return }
    token.hasUnsavedWork = false
    token.coordinator.report(
      "the context '\(token.name)' of \(token.owner) has unsaved changes; call save() or "
        + "rollback() before the store is closed and before the process exits")
  }
}
