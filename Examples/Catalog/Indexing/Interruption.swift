import Foundation

/// Notices Ctrl-C: the first one asks to come to an end, the second one ends the process.
///
/// A thread of its own waits for the signal, so nothing has to be safe in a signal handler.
final class Interruption: Sendable {
  private let isRequested = Guarded(false)

  var isRaised: Bool { isRequested.withLock { $0 } }

  /// Begins to listen; call it before other threads are started, because they take over its mask.
  init() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let thread = Thread { [isRequested] in
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      var number: Int32 = 0
      while sigwait(&signals, &number) == 0 {
        let isSecond = isRequested.withLock { isRequested in
          defer { isRequested = true }
          return isRequested
        }
        if isSecond { _exit(130) }
      }
    }
    thread.name = "signals"
    thread.start()
  }
}
