/// What is wrong with objects that a container runs.
extension ContainerError.Problem {
  static func serviceScope(_ name: String, typeName: String, scope: String) -> Self {
    Self(
      .serviceScope, "object \"\(name)\" cannot be run by its container",
      seen: "\(withArticle(typeName)), which is a RunningObject, in scope \"\(scope)\"",
      expected: "a singleton, of which there is one to run",
      nextStep: "give it scope \"singleton\", or take RunningObject away and run it where it is "
        + "made")
  }

  static func noServices(_ only: Set<String>?) -> Self {
    Self(
      .runRefused, "there is nothing to run",
      seen: only.map { "no service among \(quoted($0.sorted())) and what these need" }
        ?? "no singleton that is known to be a RunningObject or to have Readiness",
      expected: "a service, by its type or already built",
      nextStep: "conform to RunningObject; where a definition's type is a protocol that does not, "
        + "give the definition the trait eager")
  }

  static func runTwice(isOver: Bool) -> Self {
    Self(
      .runRefused,
      isOver ? "the container was run or shut down before" : "the container runs already",
      seen: isOver ? "run() after the end" : "run() while another call of it is at work",
      expected: "one call of run() for each container",
      nextStep: "build a container for each run, or wait for the end of the first one")
  }

  static func runs() -> Self {
    Self(
      .runRefused, "the container's services run",
      seen: "shutDown() while run() is at work", expected: "a container that does not run",
      nextStep: "cancel the task that called run(): it stops the services and shuts down")
  }

  static func notReady(_ name: String, _ error: any Error) -> Self {
    Self(
      .serviceNotReady, "service \"\(name)\" could not be started", seen: shown(error),
      expected: "ready() that returns",
      nextStep: "remove the cause and run a new container: this one was shut down",
      underlying: error)
  }

  static func endedBeforeReady(_ name: String, _ error: (any Error)?) -> Self {
    Self(
      .serviceNotReady, "service \"\(name)\" could not be started",
      seen: "run() ended before ready() did" + (error.map { ": " + shown($0) } ?? ""),
      expected: "run() that goes on until its task is cancelled",
      nextStep: "remove the cause and run a new container: this one was shut down",
      underlying: error)
  }

  static func notReadyWithin(_ limit: Duration, _ name: String) -> Self {
    Self(
      .serviceNotReady, "service \"\(name)\" could not be started",
      seen: "ready() that has not returned within \(limit)",
      expected: "a service that is ready within the limit",
      nextStep: "find out what it waits for, or give it more time: RunOptions.readyWithin")
  }

  static func serviceEnded(_ name: String, _ error: (any Error)?) -> Self {
    Self(
      .serviceEnded, "service \"\(name)\" has \(error == nil ? "ended" : "failed")",
      seen: error.map(shown) ?? "run() that returned although its task was not cancelled",
      expected: "run() that goes on until its task is cancelled",
      nextStep: error == nil
        ? "wait in run() for the cancellation" : "remove the cause and run a new container",
      underlying: error)
  }

  static func failedToStop(_ name: String, _ error: any Error) -> Self {
    Self(
      .shutdownFailed, "service \"\(name)\" has failed while it was stopped", seen: shown(error),
      expected: "run() that returns, or throws CancellationError",
      nextStep: "remove the cause; the other services were stopped all the same",
      underlying: error)
  }

  static func lateToStop(_ name: String, limit: Duration, kept: [String], runs: Bool) -> Self {
    let rest = kept.isEmpty ? "" : "; because it may use them, not disposed of: \(quoted(kept))"
    return Self(
      .shutdownFailed, "service \"\(name)\" did not stop in time",
      seen: runs
        ? "run() or ready() at work \(limit) after its task was cancelled" + rest
        : "an end later than \(limit) after its task was cancelled",
      expected: "an end within the limit",
      nextStep: "end when the task is cancelled, or take more time: RunOptions.stopWithin")
  }

  /// An error in one line, where it is one of a container, whose problems follow.
  private static func shown(_ error: any Error) -> String {
    (error as? ContainerError)?.message ?? "\(error)"
  }
}
