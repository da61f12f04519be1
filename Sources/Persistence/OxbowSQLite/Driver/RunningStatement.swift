/// Whether the statement that runs is to stop, whether one was stopped, and who hears of it.
final class RunningStatement {
  let isInterrupted: (@Sendable () -> Bool)?
  var hasStopped = false
  var tell: (() -> Void)?

  init(_ isInterrupted: (@Sendable () -> Bool)?) { self.isInterrupted = isInterrupted }

  func goesOn() -> Bool {
    tell?()
    if isInterrupted?() == true { hasStopped = true }
    return !hasStopped
  }
}
