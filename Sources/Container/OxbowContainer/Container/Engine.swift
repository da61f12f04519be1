internal import OxbowDocuments
internal import OxbowPlatform
internal import Synchronization

/// The linked providers of a container.
///
/// Holds them all, so that they can hold each other in circles: when its life ends (see
/// `ContainerLife`), they are taken apart.
final class Engine: Sendable, Unreflected {
  /// One definition, ready to answer.
  final class Entry: Sendable {
    let name: String
    let provider: AnyObjectProvider
    let sharing: Sharing
    let scope: String
    let type: any Any.Type
    let isSendable: Bool
    let location: SourceLocation?
    let surrounded: SurroundedObject?

    init(_ node: AnyBinding, _ provider: AnyObjectProvider) {
      name = node.name
      self.provider = provider
      sharing = node.scope.sharing
      scope = node.scope.name
      type = node.type
      location = node.location
      surrounded = node.surrounded
      isSendable = node.isSendable || node.scope.sharing == .shared
    }

    /// Whether the provider is an `ObjectProvider<T>`.
    func producesExactly<T>(_ type: T.Type) -> Bool { self.type == type }
  }

  let entries: [Entry]
  private let unretainedEntries: [Unmanaged<Entry>]
  /// How the providers make their objects; they use these without retaining them.
  ///
  /// Sendable by argument: no code changes a construction, and what it calls is `Sendable`, or made
  /// for the caller alone.
  private nonisolated(unsafe) let constructions: [AnyObject]
  let numbers: [String: Int]
  /// The numbers of the entries of the builder's references, by index in the builder.
  private let handles: [Int?]
  let builder: UInt64
  let container = WeakContainerReference()
  let isShutDown = Atomic<Bool>(false)
  let services: ContainerServices
  /// What becomes of the services.
  let phase = Lock(RunPhase.idle)
  let questions = HealthQuestions()
  /// What the entries were made from, to be linked again.
  ///
  /// Sendable by argument: no code changes a binding once its plan is made, and linking only reads.
  nonisolated(unsafe) let plan: ContainerPlan

  init(
    plan: ContainerPlan, builder: UInt64,
    containerInjection: @escaping ContainerInjection
  ) throws {
    self.plan = plan
    let services = ContainerServices(container: container)
    let linker = GraphLinker(
      container: container, processors: plan.processors,
      ownerships: Self.ownerships(in: plan.graph, services.disposals),
      requestSharers: plan.graph.requestSharers(),
      requests: plan.requests, aliases: plan.aliases,
      containerInjection: containerInjection, services: services, texts: plan.texts)
    let providers = try Self.link(plan, with: linker)
    constructions = linker.constructions
    let entries = zip(plan.graph.nodes, providers).map(Entry.init)
    self.entries = entries
    unretainedEntries = entries.map(Unmanaged.passUnretained)
    numbers = Dictionary(
      plan.graph.nodes.enumerated().filter { !$0.element.isHidden }
        .map { ($0.element.name, $0.offset) } + plan.aliasNumbers,
      uniquingKeysWith: { a, _ in a })
    handles = plan.numbers
    self.builder = builder
    self.services = services
  }

  /// Builds what is to be built together with the container.
  func buildEager() throws {
    for (node, entry) in zip(plan.graph.nodes, entries) where node.isBuiltWithContainer {
      _ = try entry.provider.makeAny(nil)
    }
  }

  /// Where the objects of threads are kept, if a definition or proxy needed that.
  var threads: ThreadStorage? { services.existingThreads }

  /// The names that can be asked for, in order.
  var names: [String] { entries.map(\.name).filter { numbers[$0] != nil } }

  // MARK: - Look-up

  func entry(named name: String) -> Entry? { numbers[name].map { entries[$0] } }

  /// The entry of a name, not retained; see `unretainedEntry(of:)`.
  func unretainedEntry(named name: String) -> Unmanaged<Entry>? {
    numbers[name].map { unretainedEntries[$0] }
  }

  /// The answer to a request for a name that nothing has.
  func unknown(_ name: String, at location: SourceLocation?) -> ContainerError {
    if plan.definitions.contains(where: { $0.name == name && $0.object?.isAbstract == true }) {
      return ContainerError(.abstractRequest(name).at(location), getting: name)
    }
    return ContainerError(.unknownObject(name, among: numbers.keys).at(location), getting: name)
  }

  /// The entry of a reference that the container's builder made, where it makes exactly objects of
  /// `T` and lets them leave, not retained: the engine holds it.
  ///
  /// The fast path beside `entry(of:)`: counting the references to entries costs more than finding
  /// them, and threads that count the same ones slow each other down (`docs/performance.md`,
  /// K/singleton-handle and K/threads).
  func unretainedEntry<T>(of ref: Ref<T>) -> Unmanaged<Entry>? {
    guard let handle = ref.handle, handle.builder == builder, handle.index < handles.count,
      let number = handles[handle.index]
    else { return nil }
    let entry = unretainedEntries[number]
    return entry._withUnsafeGuaranteedRef { $0.producesExactly(T.self) && $0.sharing != .confined }
      ? entry : nil
  }

  /// The entry of a reference: by its number if the container's builder made it, else by name.
  func entry<T>(of ref: Ref<T>) throws -> Entry {
    guard let handle = ref.handle else { return try named(ref) }
    if handle.builder == builder, handle.index < handles.count {
      // Without a number the object is of another type here: it was patched.
      guard let number = handles[handle.index] else { return try named(ref) }
      return entries[number]
    }
    throw ContainerError(.foreignReference(ref.name).at(ref.location), getting: ref.name)
  }

  private func named<T>(_ ref: Ref<T>) throws -> Entry {
    if let entry = entry(named: ref.name) { return entry }
    throw unknown(ref.name, at: ref.location)
  }

  // MARK: - Linking

  /// A linker for what is linked when somebody asks; it finds the providers of this engine.
  func linker() -> GraphLinker {
    GraphLinker(
      container: container, requests: plan.requests, aliases: plan.aliases, services: services,
      texts: plan.texts
    ) { [self] name in
      plan.graph.number(of: name).map { plan.graph.nodes[$0].target(entries[$0].provider) }
    }
  }

  /// Makes all providers, then links them: definitions refer to each other in circles.
  private static func link(_ plan: ContainerPlan, with linker: GraphLinker) throws
    -> [AnyObjectProvider]
  {
    let nodes = plan.graph.nodes
    var providers = [AnyObjectProvider?](repeating: nil, count: nodes.count)
    for (members, group) in try groups(of: plan) {
      for member in members {
        let provider = try located(nodes[member]) {
          try plan.broken[member].map(nodes[member].failingProvider)
            ?? nodes[member].makeProvider(in: group, linker: linker)
        }
        providers[member] = provider
        linker.add(nodes[member].target(provider), named: nodes[member].name)
      }
    }
    let all = providers.compactMap(\.self)
    for (node, provider) in zip(nodes, all) {
      linker.begin(node.name)
      try located(node) { try node.link(provider, with: linker) }
    }
    return all
  }

  /// Runs `body`, whose errors are those of a definition.
  private static func located<R>(_ node: AnyBinding, _ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as ContainerError {
      throw error.located(at: node.location)
    }
  }

  /// The components as groups, the members of each ordered so that constructors find what they
  /// need.
  private static func groups(of plan: ContainerPlan) throws -> [(members: [Int], group: CycleGroup)]
  {
    let graph = plan.graph
    var groupOf = [CycleGroup?](repeating: nil, count: graph.nodes.count)
    return plan.graph.components.map { component in
      var lower: [CycleGroup] = []
      var isCyclic = component.count > 1
      for member in component {
        for arrow in graph.arrows(of: member) where arrow.dependency.when != .later {
          if let group = groupOf[arrow.target] { lower.append(group) }
          if arrow.target == member { isCyclic = true }
        }
      }
      let group = CycleGroup(isCyclic: isCyclic)
      group.lower = lower
      group.depth = (lower.map(\.depth).max() ?? -1) + 1
      for member in component { groupOf[member] = group }
      return (ordered(component, in: graph), group)
    }
  }

  /// The members of a component with those first that constructors need.
  private static func ordered(_ component: [Int], in graph: DependencyGraph) -> [Int] {
    guard component.count > 1 else { return component }
    guard case .order(let members) = graph.constructionOrder(of: component) else {
      return component
    }
    return members
  }
}
