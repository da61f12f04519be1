internal import OxbowDocuments

/// The services of a container at work: their tasks, the limits that they have, and what has gone
/// wrong.
///
/// What happens next is decided by a `ServiceMachine`. Tasks are not children of the caller's,
/// because a service that ignores its cancellation must not keep the others from stopping.
actor ServiceRun {
  /// An object that runs, is waited for, or both.
  struct Service: Sendable {
    let name: String
    let ready: (@Sendable () async throws -> Void)?
    let run: (@Sendable () async throws -> Void)?

    /// Something that is waited for.
    init(_ name: String, ready: @escaping @Sendable () async throws -> Void) {
      (self.name, self.ready, run) = (name, ready, nil)
    }

    /// An object; nil for one that is not a service.
    init?(_ name: String, of object: Any) {
      let (waited, running) = (object as? any Readiness, object as? any RunningObject)
      if waited == nil, running == nil { return nil }
      self.name = name
      ready = if let waited { { try await waited.ready() } } else { nil }
      run = if let running { { try await running.run() } } else { nil }
    }

    /// Whether a service that this one wraps has nothing left to do.
    func replaces(_ original: Service) -> Bool {
      (ready != nil || original.ready == nil) && (run != nil || original.run == nil)
    }
  }

  /// Something that has gone wrong with a service.
  enum Failure {
    case notReady(any Error)
    case notReadyWithin(Duration)
    case endedBeforeReady((any Error)?)
    case ended((any Error)?)
    case failedToStop(any Error)
  }

  /// What has become of the services.
  struct Outcome: Sendable {
    var failures: [(service: Int, failure: Failure)] = []
    /// The services that had not ended within their limit.
    var late: [Int] = []
    /// Those of them that run still.
    var running: Set<Int> = []
  }

  /// What a service does: its tasks, without those that have ended.
  private struct Work {
    var tasks: [Part: Task<Void, Never>] = [:]
    var limit: Task<Void, Never>?
  }

  private enum Part { case ready, run }

  private let services: [Int: Service]
  private let options: RunOptions
  private var machine: ServiceMachine
  private var work: [Int: Work] = [:]
  private var outcome = Outcome()
  private var finished: CheckedContinuation<Void, Never>?

  init(_ services: [Int: Service], _ order: ServiceOrder, _ options: RunOptions) {
    self.services = services
    self.options = options
    machine = ServiceMachine(order, services: services.keys)
  }

  /// How far each service is, by number.
  var stages: [Int: ServiceMachine.Stage] { machine.stages }

  /// Starts the services, and returns when all have stopped: because the task was cancelled, or one
  /// of them has failed.
  func run() async -> Outcome {
    await withTaskCancellationHandler {
      start(machine.begin())
      await withCheckedContinuation {
        finished = $0
        finishIfOver()
      }
    } onCancel: {
      Task { await self.stop() }
    }
    outcome.running = Set(outcome.late.filter { machine.stages[$0] == .late })
    return outcome
  }

  private func finishIfOver() {
    guard machine.isOver else { return }
    finished?.resume()
    finished = nil
  }
}

// MARK: - Starting

extension ServiceRun {
  private func start(_ numbers: [Int]) {
    var (numbers, next) = (numbers, 0)
    while next < numbers.count {
      let number = numbers[next]
      next += 1
      guard let service = services[number] else { continue }
      work[number] = Work()
      if let run = service.run { begin(.run, of: number, run) }
      if let ready = service.ready {
        limit(number, to: options.readyWithin)
        begin(.ready, of: number, ready)
      } else {
        numbers += machine.becameReady(number)
      }
    }
  }

  /// Begins a part of a service's work, off this actor.
  private func begin(
    _ part: Part, of number: Int, _ body: @escaping @Sendable () async throws -> Void
  ) {
    work[number]?.tasks[part] = Task { @concurrent in
      var failure: (any Error)?
      do { try await body() } catch { failure = error }
      await self.end(part, of: number, failure)
    }
  }

  private func end(_ part: Part, of number: Int, _ error: (any Error)?) {
    work[number]?.tasks[part] = nil
    switch part {
    case .ready: readied(number, error)
    case .run: ended(number, error)
    }
    endIfDone(number)
  }

  private func readied(_ number: Int, _ error: (any Error)?) {
    guard machine.stages[number] == .starting else { return }
    work[number]?.limit?.cancel()
    if let error { return fail(number, .notReady(error)) }
    start(machine.becameReady(number))
  }

  /// Notices when a service is at its present stage for longer than a limit.
  private func limit(_ number: Int, to limit: Duration) {
    guard let service = services[number], let stage = machine.stages[number] else { return }
    let wait = options.wait
    work[number]?.limit?.cancel()
    work[number]?.limit = Task { @concurrent in
      await wait(service.name, limit)
      if !Task.isCancelled { await self.isLate(number, at: stage) }
    }
  }

  private func isLate(_ number: Int, at stage: ServiceMachine.Stage) {
    guard machine.stages[number] == stage else { return }
    if stage == .starting { return fail(number, .notReadyWithin(options.readyWithin)) }
    outcome.late.append(number)
    stop(machine.isLate(number))
  }
}

// MARK: - Stopping

extension ServiceRun {
  private func fail(_ number: Int, _ failure: Failure) {
    outcome.failures.append((number, failure))
    stop()
  }

  /// Stops the services, those first that no other needs.
  private func stop() { stop(machine.stop()) }

  private func stop(_ numbers: [Int]) {
    var (numbers, next) = (numbers, 0)
    while next < numbers.count {
      let number = numbers[next]
      next += 1
      for task in work[number, default: Work()].tasks.values { task.cancel() }
      limit(number, to: options.stopWithin)
      if let now = endedNow(number) { numbers += now }
    }
    finishIfOver()
  }

  /// A service's `run()` has returned or thrown.
  private func ended(_ number: Int, _ error: (any Error)?) {
    switch (machine.stages[number], error) {
    case (.starting, _): fail(number, .endedBeforeReady(error))
    case (.running, _) where !machine.isStopping || error != nil: fail(number, .ended(error))
    case (.stopping, let error?), (.late, let error?):
      if !error.isCancellation { outcome.failures.append((number, .failedToStop(error))) }
    default: break
    }
  }

  private func endIfDone(_ number: Int) {
    if let now = endedNow(number) { stop(now) }
  }

  /// Notes the end of a service that was stopped and does nothing any more; returns what stops now.
  private func endedNow(_ number: Int) -> [Int]? {
    let stage = machine.stages[number]
    guard stage == .stopping || stage == .late, work[number]?.tasks.isEmpty ?? true else {
      return nil
    }
    work[number]?.limit?.cancel()
    return machine.ended(number)
  }
}

extension Error {
  /// Whether it says that the task was cancelled.
  fileprivate var isCancellation: Bool {
    self is CancellationError || (self as? any CancellationReporting)?.isCancellation == true
  }
}
