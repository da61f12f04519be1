import Foundation

/// A thread that runs a closure, and can be waited for.
final class ThreadRunner: Sendable {
  private let done = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let done = self.done
    Thread {
      body()
      done.signal()
    }.start()
  }

  func join() { done.wait() }
}
