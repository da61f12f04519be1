internal import OxbowFoundation
internal import Synchronization

/// Notices Ctrl-C: the first one asks to come to an end, the second one ends the process.
enum Interruption {
  private static let flag = Atomic(false)

  static var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Makes Ctrl-C end the process at once with the exit code of an interruption.
  static func begin() { handle { _ in _exit(130) } }

  /// Begins to listen; until then Ctrl-C ends the process at once.
  static func watch() {
    // Reading it makes it: a handler of a signal only stores.
    guard !isRequested else { return }
    handle { _ in Interruption.raise() }
  }

  private static func handle(_ handler: @convention(c) @escaping (Int32) -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] {
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = handler
      #else
        action.__sigaction_handler.sa_handler = handler
      #endif
      // The second signal finds the action that it had before: the process ends. Reads and writes
      // go on after the first.
      action.sa_flags = Int32(truncatingIfNeeded: UInt32(SA_RESETHAND)) | SA_RESTART
      sigaction(number, &action, nil)
      sigaddset(&signals, number)
    }
    // A parent that blocks these signals hands that down.
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func raise() { flag.store(true, ordering: .relaxed) }
}
