internal import OxbowDocuments
internal import OxbowPlatform
internal import Synchronization

extension Container {
  /// Runs the container's services until the task is cancelled; see ``run(_:)``.
  ///
  /// Each service has 30 seconds to become ready, and as long to end.
  public func run() async throws { try await run(RunOptions()) }

  /// Runs the container's services until the task is cancelled or one of them ends, then shuts the
  /// container down.
  ///
  /// A service is a singleton that is a ``RunningObject`` or has ``Readiness``, by the type of its
  /// definition; where that is a protocol which does not say so, by the object, if it is built.
  ///
  /// 1. All services are built, those first that others need. Nothing has started if that fails.
  /// 2. Each starts when the services are ready that it needs, directly or through other objects,
  ///    providers and proxies, as far as that closes no circle.
  /// 3. In the end each is stopped when those have ended that need it: its task is cancelled, and
  ///    waited for.
  /// 4. The container is shut down, as by ``shutDown()``; whatever happened.
  ///
  /// Services run in tasks of their own, with the task-local values of the caller. One that does
  /// not end within its limit is named by the error; it, and what it needs, is not disposed of.
  ///
  /// - Parameter options: The limits, and which services run.
  /// - Throws: ``ContainerError``: `unknownObject` and `runRefused` before anything is built; what
  ///   constructors throw; `serviceNotReady` with the chain of definitions that led to the service;
  ///   `serviceEnded`; `shutdownFailed` for a service that could not be stopped and for an object
  ///   that could not be disposed of. No error after a cancellation that all have obeyed.
  public func run(_ options: RunOptions) async throws {
    let keeper = try inside("container") { self.keeper }
    defer { withExtendedLifetime(keeper) {} }
    let engine = engine
    guard let stopped = self as? any _StoppedFromOutside else {
      return try await engine.run(options)
    }
    try await stopped._untilStopped { try await engine.run(options) }
  }
}

/// What cancels a container's run, beside the cancellation of its task.
public protocol _StoppedFromOutside {
  /// Runs `body` in a task that is cancelled when the container has to stop.
  func _untilStopped(_ body: @escaping @Sendable () async throws -> Void) async throws
}

/// Whether a container's services run.
enum RunPhase: Sendable {
  case idle, building
  case running(ServiceRun)
  case over
}

extension Engine {
  /// Lets nothing run any more.
  ///
  /// - Returns: Whether nothing runs.
  func endWithoutRun() -> Bool {
    phase.withLock { phase in
      switch phase {
      case .building, .running: return false
      case .idle, .over: phase = .over
      }
      return true
    }
  }

  @concurrent fileprivate func run(_ options: RunOptions) async throws {
    let selected = try selection(options.only)
    try beginRun()
    let threads = WorkThreads(limit: 8)
    defer { threads.shutDown() }
    var outcome = ServiceRun.Outcome()
    if !Task.isCancelled {
      guard let run = try await builtRun(selected, options, threads) else {
        phase.withLock { $0 = .idle }
        throw ContainerError(.noServices(options.only), task: Self.task)
      }
      outcome = await self.outcome(of: run)
    }
    // Not one of the threads that may still build what was not ready.
    let ending = WorkThreads(limit: 1)
    defer { ending.shutDown() }
    let problems = await ending.run { [outcome] in
      self.problems(of: outcome, options) + self.shutDown(keeping: self.used(by: outcome.running))
    }
    endRun()
    if !problems.isEmpty { throw ContainerError(Self.task, problems) }
  }

  private static var task: String { "run the container" }

  /// The services, built; the container ends if that fails.
  private func builtRun(
    _ selected: Set<Int>?, _ options: RunOptions, _ threads: WorkThreads
  ) async throws -> ServiceRun? {
    do {
      return try await threads.run { try self.makeRun(selected, options, threads) }
    } catch {
      let error = await threads.run { self.ended(after: error) }
      endRun()
      throw error
    }
  }

  private func outcome(of run: ServiceRun) async -> ServiceRun.Outcome {
    if Task.isCancelled { return ServiceRun.Outcome() }
    phase.withLock { $0 = .running(run) }
    return await run.run()
  }

  private func beginRun() throws {
    let isOver = phase.withLock { phase -> Bool? in
      switch phase {
      case .building, .running: return false
      case .over: return true
      case .idle:
        phase = .building
        return nil
      }
    }
    if let isOver { throw ContainerError(.runTwice(isOver: isOver), task: Self.task) }
    guard isShutDown.load(ordering: .acquiring) else { return }
    endRun()
    throw ContainerError(.runTwice(isOver: true), task: Self.task)
  }

  private func endRun() { phase.withLock { $0 = .over } }

  /// The objects of the names, and all that they need; nil for all objects.
  private func selection(_ only: Set<String>?) throws -> Set<Int>? {
    guard let only else { return nil }
    let unknown = only.filter { numbers[$0] == nil }.sorted()
    guard unknown.isEmpty else {
      throw ContainerError(
        Self.task, unknown.map { .unknownObject($0, among: numbers.keys) })
    }
    let named = only.compactMap { numbers[$0] }
    return Set(named + plan.graph.reached(from: named))
  }
}

// MARK: - Services

extension Engine {
  /// Builds what runs, needs first, and finds out which objects are services; nil if none is.
  private func makeRun(
    _ selected: Set<Int>?, _ options: RunOptions, _ threads: WorkThreads
  ) throws -> ServiceRun? {
    var order = ServiceOrder(plan.graph) { selected?.contains($0) ?? true }
    let numbers = order.byDependents.filter { selected?.contains($0) ?? true }
    var objects: [Int: Any] = [:]
    for number in numbers.reversed() where isBuiltToRun(number) {
      objects[number] = try build(number)
    }
    for number in numbers where objects[number] == nil && entries[number].sharing == .shared {
      objects[number] = existing(of: entries[number])
    }
    var services = Dictionary(
      uniqueKeysWithValues: numbers.compactMap { number in
        service(number, objects[number], threads).map { (number, $0) }
      })
    leaveOutWrapped(numbers, &services)
    leaveOutSecondNames(numbers.reversed(), objects, &services, &order)
    return services.isEmpty ? nil : ServiceRun(services, order, options)
  }

  /// Leaves out the services that another one wraps, which does for them what they do.
  private func leaveOutWrapped(_ numbers: [Int], _ services: inout [Int: ServiceRun.Service]) {
    // One that is wrapped itself wraps as well.
    let all = services
    for number in numbers {
      guard let service = all[number] else { continue }
      for arrow in plan.graph.arrows(of: number)
      where HiddenName.isOriginal(entries[arrow.target].name) {
        guard let original = all[arrow.target], service.replaces(original) else { continue }
        services[arrow.target] = nil
      }
    }
  }

  /// Leaves out the second names of objects: who needs one of these waits for the first.
  private func leaveOutSecondNames(
    _ numbers: some Sequence<Int>, _ objects: [Int: Any],
    _ services: inout [Int: ServiceRun.Service], _ order: inout ServiceOrder
  ) {
    var first: [ObjectIdentifier: Int] = [:]
    for number in numbers where services[number] != nil {
      guard let id = identity(of: objects[number]) else { continue }
      if let other = first[id] {
        services[number] = nil
        order.add(other, neededBy: number)
      } else {
        first[id] = number
      }
    }
  }

  private func service(
    _ number: Int, _ object: Any?, _ threads: WorkThreads
  ) -> ServiceRun.Service? {
    let name = HiddenName.shown(entries[number].name)
    guard let object else {
      guard entries[number].sharing == .shared, plan.graph.nodes[number].isBuiltInTurn else {
        return nil
      }
      return ServiceRun.Service(
        name,
        ready: {
          let object = try await threads.run { try self.build(number) as? any Readiness }
          try await object?.ready()
        })
    }
    return ServiceRun.Service(name, of: object)
  }

  /// Whether an object is built before anything starts.
  private func isBuiltToRun(_ number: Int) -> Bool {
    isServiceByType(number) && !plan.graph.nodes[number].isBuiltInTurn
  }

  /// Whether the type of an object says that it is a service.
  func isServiceByType(_ number: Int) -> Bool {
    guard entries[number].sharing == .shared else { return false }
    let node = lazyTarget(of: number) ?? plan.graph.nodes[number]
    return node.isRunning || node.isAwaited
  }

  /// What is behind the proxy of a lazy definition.
  private func lazyTarget(of number: Int) -> AnyBinding? {
    plan.graph.arrows(of: number).lazy.map { self.plan.graph.nodes[$0.target] }
      .first { HiddenName.isBehindProxy($0.name) }
  }

  private func build(_ number: Int) throws -> Any {
    let object = try entries[number].provider.makeAny(nil)
    guard lazyTarget(of: number) != nil else { return object }
    try (object as? any ForwardingProxy)?.buildTarget()
    return existing(of: entries[number]) ?? object
  }
}

extension ForwardingProxy {
  fileprivate func buildTarget() throws { _ = try _source.target() }
}

// MARK: - The end

extension Engine {
  /// What services use that have not ended: they and all that they need.
  private func used(by services: Set<Int>) -> Set<Int> {
    services.union(plan.graph.reached(from: Array(services)))
  }

  private func problems(
    of outcome: ServiceRun.Outcome, _ options: RunOptions
  ) -> [ContainerError.Problem] {
    let chains = outcome.failures.isEmpty ? nil : plan.graph.shortestChains()
    let failures = outcome.failures.flatMap { failure in
      problems(of: failure.failure, failure.service).map { problem in
        var problem = problem
        let path = chains.map { plan.graph.shownNames(along: $0.chain(to: failure.service)) } ?? []
        if problem.code == .serviceNotReady, path.count > 1 {
          problem.requestedBy = path.map { "\"\($0)\"" }
        }
        return problem
      }
    }
    return failures + outcome.late.map { lateToStop($0, outcome.running.contains($0), options) }
  }

  private func problems(of failure: ServiceRun.Failure, _ number: Int) -> [ContainerError.Problem] {
    let name = HiddenName.shown(entries[number].name)
    let (problem, error): (ContainerError.Problem, (any Error)?) =
      switch failure {
      case .notReady(let error): (.notReady(name, error), error)
      case .notReadyWithin(let limit): (.notReadyWithin(limit, name), nil)
      case .endedBeforeReady(let error): (.endedBeforeReady(name, error), error)
      case .ended(let error): (.serviceEnded(name, error), error)
      case .failedToStop(let error): (.failedToStop(name, error), error)
      }
    return [problem.at(entries[number].location)] + ((error as? ContainerError)?.problems ?? [])
  }

  private func lateToStop(
    _ number: Int, _ runs: Bool, _ options: RunOptions
  ) -> ContainerError.Problem {
    let kept = used(by: runs ? [number] : []).sorted().map { entries[$0] }.filter {
      existing(of: $0) is any Disposable
    }
    return .lateToStop(
      HiddenName.shown(entries[number].name), limit: options.stopWithin,
      kept: kept.map { HiddenName.shown($0.name) }, runs: runs
    ).at(entries[number].location)
  }
}
