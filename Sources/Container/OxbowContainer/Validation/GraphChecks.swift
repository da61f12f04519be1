internal import OxbowDocuments

/// Checks the declared graph without running a constructor.
struct GraphChecks {
  private let graph: DependencyGraph
  /// Names that definitions may use and that have no object, each with the reason.
  private let absent: [String: UnavailableReason]
  /// Shortest chains from definitions that are not needed.
  private let chains: DirectedGraph.Chains
  private(set) var problems: [ContainerError.Problem] = []
  private(set) var notes: [ContainerError.Note] = []

  private var unlisted = 0
  private var budget = NearNamesBudget()
  private lazy var visibleNames = graph.nodes.filter { !$0.isHidden }.map(\.name)

  /// How many objects may need each other in a row where the container does not keep them: each
  /// takes some frames of the stack, and so many prototypes fit on that of a secondary thread,
  /// 512 kB, without optimization.
  static let longestChain = 200

  init(_ graph: DependencyGraph, absent: [String: UnavailableReason] = [:]) {
    self.graph = graph
    self.absent = absent
    chains = graph.shortestChains()
  }

  /// Runs every check.
  mutating func run() {
    checkReferences()
    checkSharing()
    checkCircles()
    checkChains()
    checkEager()
    checkServices()
    if unlisted > 0 {
      problems.append(.unlisted(unlisted, .missingReference, after: problems.last?.location))
    }
  }

  // MARK: - References

  private mutating func checkReferences() {
    for (number, node) in graph.nodes.enumerated() {
      if graph.arrows(of: number).count < graph.dependencies[number].count {
        for dependency in graph.dependencies[number]
        where graph.number(of: dependency.target) == nil && absent[dependency.target] != .faulty
          && !(dependency.isOptional && absent[dependency.target] == nil)
        {
          // Looking for near names costs as much as there are names.
          if !isFull() { report(missing(dependency, of: node), from: number) }
        }
      }
      for arrow in graph.arrows(of: number) { checkType(arrow, from: number) }
    }
  }

  private mutating func missing(_ dependency: Dependency, of node: AnyBinding)
    -> ContainerError.Problem
  {
    switch absent[dependency.target] {
    case .abstract:
      return .abstractReference(dependency.target, in: node.name, role: dependency.role)
        .at(dependency.location)
    case .bootstrap:
      return .bootstrapReference(dependency.target, in: node.name, role: dependency.role)
        .at(dependency.location)
    case .later:
      return .bootstrapNeedsObject(dependency.target, in: node.name, role: dependency.role)
        .at(dependency.location)
    case .faulty, nil:
      let names = visibleNames
      return .missingReference(
        dependency.target, in: node.name, role: dependency.role,
        near: budget.nearNames(to: dependency.target, among: names), count: names.count
      ).at(dependency.location)
    }
  }

  private mutating func checkType(_ arrow: DependencyGraph.Arrow, from number: Int) {
    let target = graph.nodes[arrow.target]
    let owner = graph.nodes[number]
    let fit = arrow.dependency.fit(target.type)
    if fit == .fits { return }
    if fit.isMisfit(of: target.objects) {
      report(
        .misfit(
          owner: owner.name, dependency: arrow.dependency, targetType: "\(target.type)",
          behind: target.surrounded.flatMap { arrow.dependency.fit($0.type) == .fits ? $0 : nil }),
        from: number)
    } else {
      notes.append(
        ContainerError.Note(
          "object \"\(owner.name)\", \(arrow.dependency.role): whether \"\(target.name)\", "
            + "\(withArticle("\(target.type)")), is \(withArticle(arrow.dependency.typeName)) "
            + "shows when it is injected",
          at: arrow.dependency.location))
    }
  }

  // MARK: - Sharing

  private mutating func checkSharing() {
    for (number, node) in graph.nodes.enumerated() {
      if node.scope.sharing == .shared, !node.isSendable {
        report(
          .sharedNotSendable(
            node.name, typeName: "\(node.type)", scope: node.scope.name,
            isThreadBound: node.isThreadBound
          ).at(node.location),
          from: number)
      }
      if node.scope.needsClass, !(node.type is AnyClass), !TypeFit.isOpen(node.type) {
        report(.weakValue(node.name, typeName: "\(node.type)").at(node.location), from: number)
      }
      for arrow in graph.arrows(of: number) { checkSharing(arrow, from: number) }
    }
  }

  private mutating func checkSharing(_ arrow: DependencyGraph.Arrow, from number: Int) {
    let target = graph.nodes[arrow.target]
    let owner = graph.nodes[number]
    let dependency = arrow.dependency
    // A wrong type is reported as such.
    if dependency.requiresSendable, !target.isSendable, target.scope.sharing != .shared,
      !dependency.fit(target.type).isMisfit(of: target.objects)
    {
      report(
        .needsSendable(owner: owner.name, dependency: dependency, targetType: "\(target.type)"),
        from: number)
    }
    if dependency.use == .taskSource, target.scope.name != ConfinedScope.task.name {
      report(
        .noTaskTarget(owner: owner.name, dependency: dependency, scope: target.scope.name),
        from: number)
    }
    guard target.scope.sharing == .confined else { return }
    switch dependency.use {
    case .object where owner.scope.name != target.scope.name, .lazySource:
      report(
        .confinedEscapes(
          owner: owner.name, ownerScope: owner.scope.name, dependency: dependency,
          targetScope: target.scope.name), from: number)
    case .threadSource where target.scope.name != ConfinedScope.thread.name:
      report(
        .noThreadTarget(
          owner: owner.name, dependency: dependency, targetScope: target.scope.name), from: number)
    case .provider where target.scope.name == TenantScope.name: break
    case .provider, .factory, .lazy:
      report(
        .lateConfined(owner: owner.name, dependency: dependency, targetScope: target.scope.name),
        from: number)
    case .object, .threadSource, .taskSource, .constant: break
    }
  }

  // MARK: - Circles

  private mutating func checkCircles() {
    for component in graph.components {
      if let circle = graph.circleOfConstructors(in: component) {
        report(.cyclicInitializers(graph.names(along: circle)).at(graph.nodes[circle[0]].location))
      }
    }
  }

  // MARK: - Chains

  private mutating func checkChains() {
    var lengths = [Int](repeating: 0, count: graph.nodes.count)
    for members in graph.components {
      for node in members where !graph.nodes[node].isBuiltBeforeItsUsers {
        let below = graph.arrows(of: node).filter { $0.dependency.when != .later }.map {
          lengths[$0.target]
        }
        lengths[node] = (below.max() ?? 0) + 1
        if lengths[node] == Self.longestChain + 1 {
          report(
            .chainTooLong(graph.nodes[node].name, length: lengths[node], limit: Self.longestChain)
              .at(graph.nodes[node].location))
        }
      }
    }
  }

  // MARK: - Eager objects

  /// Looks at definitions that say eager where the container would not keep the object.
  private mutating func checkEager() {
    for node in graph.nodes where node.isEager && !node.isBuiltWithContainer {
      guard node.scope.sharing != .confined else {
        report(.confinedEager(node.name, scope: node.scope.name).at(node.location))
        continue
      }
      notes.append(
        ContainerError.Note(
          "object \"\(node.name)\" is eager, which means nothing in scope "
            + "\"\(node.scope.name)\": it is built when somebody asks for it", at: node.location))
    }
  }

  // MARK: - Services

  /// Looks at services in scopes of which a container does not have one object.
  private mutating func checkServices() {
    for (number, node) in graph.nodes.enumerated()
    where node.scope.sharing != .shared && !HiddenName.isBehindProxy(node.name) {
      if node.isRunning {
        report(
          .serviceScope(node.name, typeName: "\(node.type)", scope: node.scope.name)
            .at(node.location), from: number)
      } else if node.isAwaited, !node.isBuiltInTurn {
        notes.append(
          ContainerError.Note(
            "object \"\(node.name)\" has Readiness, which means nothing in scope "
              + "\"\(node.scope.name)\": nothing waits for it", at: node.location))
      }
    }
  }

  // MARK: - Reporting

  private mutating func report(_ problem: ContainerError.Problem, from number: Int? = nil) {
    if isFull() { return }
    var problem = problem
    let path = number.map { graph.shownNames(along: chains.chain(to: $0)) } ?? []
    if path.count > 1 { problem.requestedBy = path.map { "\"\($0)\"" } }
    problems.append(problem)
  }

  /// Whether no more problems are listed; one that is not is counted.
  private mutating func isFull() -> Bool {
    guard problems.count >= ContainerError.Problem.mostListed else { return false }
    unlisted += 1
    return true
  }
}

extension AnyBinding {
  /// Whether the object is built from the bottom up, where a chain of such objects is long; see
  /// `CycleGroup`.
  fileprivate var isBuiltBeforeItsUsers: Bool { scope.name == SingletonScope().name }

  /// Whether the object is built together with the container, which keeps it.
  var isBuiltWithContainer: Bool { isEager && scope.name == SingletonScope().name }
}

extension GraphChecks {
  /// Why a name that is referred to has no object.
  enum UnavailableReason {
    /// Something is wrong with its definition, which is reported there.
    case faulty
    case abstract
    /// It is a converter or post-processor.
    case bootstrap
    /// It is an object, and the container is not that far.
    case later
  }
}
