internal import OxbowDocuments
internal import OxbowPlatform
internal import Synchronization

extension Container {
  /// How the objects are that report their health or run, each once, below one that needs
  /// it.
  ///
  /// What is not built reports nothing; asking builds nothing. A service is down until it is ready
  /// and from when it is stopped, whatever it reports, and before ``run(_:)`` if it has to run. So
  /// `health().health.status` tells whether the program can serve.
  ///
  /// ```swift
  /// let json = try JSONEncoder().encode(await container.health())
  /// ```
  ///
  /// - Parameter limit: How long objects have to answer. One that has not is down, and is asked
  ///   again only after it has answered.
  /// - Returns: The container, below it the objects that no other object of the tree needs.
  public func health(within limit: Duration = .seconds(5)) async -> HealthTree {
    guard let keeper = try? inside("container", { self.keeper }) else {
      return HealthTree("container", .down("closed"))
    }
    defer { withExtendedLifetime(keeper) {} }
    return await engine.health(within: limit)
  }
}

extension Engine {
  @concurrent fileprivate func health(within limit: Duration) async -> HealthTree {
    let (phase, stages) = await progress()
    let order = ServiceOrder(plan.graph)
    let reporters = reporters(order, stages, isIdle: phase == nil)
    let answers = await questions.answers(of: reporters.compactMapValues(\.self), within: limit)
    var health: [Int: Health] = [:]
    for (number, reporter) in reporters {
      let own = reporter == nil ? .up : answers[number] ?? .down("has not answered in \(limit)")
      health[number] = own.limited(
        by: self.limit(number, reports: reporter != nil, phase, stages))
    }
    if health.isEmpty, isShutDown.load(ordering: .acquiring) {
      return HealthTree("container", .down("ended"))
    }
    if health.isEmpty, container.isClosed { return HealthTree("container", .down("closed")) }
    return tree(order, health)
  }

  /// What the services do that have no stage, nil before the first run; and the stages of others.
  private func progress() async -> (String?, [Int: ServiceMachine.Stage]) {
    switch phase.withLock({ $0 }) {
    case .idle: (nil, [:])
    case .building: ("not started", [:])
    case .running(let run): (nil, await run.stages)
    case .over: ("ended", [:])
    }
  }

  /// The objects of the tree, each with what reports its health.
  private func reporters(
    _ order: ServiceOrder, _ stages: [Int: ServiceMachine.Stage], isIdle: Bool
  ) -> [Int: (any HealthReporting)?] {
    var found: [Int: (any HealthReporting)?] = [:]
    var seen: Set<ObjectIdentifier> = []
    for number in order.byDependents.reversed() where entries[number].sharing == .shared {
      let object = existing(of: entries[number])
      let reporter = object as? any HealthReporting
      guard stages[number] != nil || reporter != nil || stages.isEmpty && isService(number),
        identity(of: object).map({ seen.insert($0).inserted }) ?? true
      else { continue }
      found[number] = .some(reporter)
    }
    return found
  }

  /// Whether an object is known to be a service.
  private func isService(_ number: Int) -> Bool {
    guard entries[number].sharing == .shared else { return false }
    let object = existing(of: entries[number])
    return object is any RunningObject || object is any Readiness || isServiceByType(number)
  }

  /// What keeps an object from being up, whatever it reports; nil if that counts.
  private func limit(
    _ number: Int, reports: Bool, _ phase: String?, _ stages: [Int: ServiceMachine.Stage]
  ) -> String? {
    if let stage = stages[number] { return stage.text }
    if let phase { return isService(number) ? phase : nil }
    let runs = existing(of: entries[number]) is any RunningObject
    return !stages.isEmpty || reports && !runs ? nil : "not started"
  }

  private func tree(_ order: ServiceOrder, _ health: [Int: Health]) -> HealthTree {
    var children: [Int?: [HealthTree]] = [:]
    let parents = parents(order, health)
    for number in order.byDependents.reversed() {
      guard let own = health[number] else { continue }
      let below = children[number, default: []]
      children[parents[number], default: []].append(
        HealthTree(
          HiddenName.shown(entries[number].name), place: entries[number].location?.description,
          own, below))
    }
    let worst = health.values.map(\.status).max() ?? .up
    return HealthTree("container", Health(worst), children[nil, default: []])
  }

  /// For each object of the tree the one above it: of those that need it, directly or through
  /// others, the last to be stopped.
  private func parents(_ order: ServiceOrder, _ health: [Int: Health]) -> [Int: Int] {
    var parents: [Int: Int] = [:]
    var rank: [Int: Int] = [:]
    for (place, number) in order.byDependents.enumerated() {
      rank[number] = place
      guard let above = health[number] == nil ? parents[number] : number else { continue }
      for need in order.needs[number]
      where parents[need].map({ rank[$0, default: 0] < rank[above, default: 0] }) ?? true {
        parents[need] = above
      }
    }
    return parents
  }
}

extension Health {
  /// The health of what is in a state that keeps it from being up.
  fileprivate func limited(by state: String?) -> Health {
    guard let state, status != .down else { return self }
    return Health(.down, text.map { "\(state): \($0)" } ?? state, details: details)
  }
}

extension ServiceMachine.Stage {
  /// What keeps a service from being up.
  fileprivate var text: String? {
    switch self {
    case .waiting: "not started"
    case .starting: "starting"
    case .running: nil
    case .stopping: "stopping"
    case .late: "does not stop"
    case .ended: "ended"
    }
  }
}
