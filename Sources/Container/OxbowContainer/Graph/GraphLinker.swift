/// Returns what gives the container to objects of a type, once their properties are set; nil for a
/// type whose objects do not ask for it.
package typealias ContainerInjection =
  (any Any.Type) -> ((Any, String, WeakContainerReference) throws -> Void)?

/// Turns references into providers while a container is built.
final class GraphLinker: Linking {
  /// What a reference leads to: a provider, and what is known of its objects.
  struct Target {
    let provider: AnyObjectProvider
    let type: any Any.Type
    /// Whether the objects may be used by several threads.
    let isSendable: Bool
    /// Whether the type is known to belong to no actor.
    let isNonisolated: Bool
    let sharing: Sharing
  }

  let container: WeakContainerReference
  let services: ContainerServices
  let texts: TextValues
  private var targets: [String: Target] = [:]
  /// The names of the objects for injection points that ask by type, by definition and request.
  private let requests: [String: [String: [String]]]
  /// Those of the definition that is linked.
  private var found: [String: [String]] = [:]
  /// The other names of objects.
  private let aliases: [String: String]
  /// Finds what an engine has linked before.
  private let linked: (String) -> Target?

  /// What every object goes through, in order.
  let processors: [any ObjectPostProcessor]
  /// Whose matter the end of objects is that are defined in place of kept ones.
  let ownerships: [String: Ownership]
  /// The definitions whose objects reach others that are shared within a request.
  private let requestSharers: Set<String>

  let containerInjection: ContainerInjection?

  /// What the providers use without retaining it: the engine's to hold.
  private(set) var constructions: [AnyObject] = []

  init(
    container: WeakContainerReference, processors: [any ObjectPostProcessor] = [],
    ownerships: [String: Ownership] = [:], requestSharers: Set<String> = [],
    requests: [String: [String: [String]]] = [:], aliases: [String: String] = [:],
    containerInjection: ContainerInjection? = nil, services: ContainerServices? = nil,
    texts: TextValues = TextValues(),
    linked: @escaping (String) -> Target? = { _ in nil }
  ) {
    self.container = container
    self.processors = processors
    self.ownerships = ownerships
    self.requestSharers = requestSharers
    self.requests = requests
    self.aliases = aliases
    self.containerInjection = containerInjection
    self.services = services ?? ContainerServices(container: container)
    self.texts = texts
    self.linked = linked
  }

  func add(_ target: Target, named name: String) { targets[name] = target }

  /// Holds what a provider uses without retaining it.
  func hold(_ construction: AnyObject) { constructions.append(construction) }

  /// What the provider of a definition is made of.
  func setup(for name: String, in group: CycleGroup) -> ProviderSetup {
    ProviderSetup(
      name: name, group: group, sharesRequest: requestSharers.contains(name), services: services)
  }

  // MARK: - Names

  func begin(_ name: String) { found = requests[name] ?? [:] }

  /// Answers a request that no definition makes.
  func answer(_ request: TypeRequest, by names: [String]) {
    found[request.token] = names
  }

  func names(for request: String) -> [String] { found[request] ?? [] }

  func name(for request: String) -> String {
    if !found.isEmpty, let names = found[request] { return names.first ?? request }
    return aliases.isEmpty ? request : aliases[request] ?? request
  }

  // MARK: - Targets

  private func target(of name: String) -> Target? { target(named: self.name(for: name)) }

  private func target(named name: String) -> Target? { targets[name] ?? linked(name) }

  func isAbsent(_ name: String) -> Bool { target(of: name) == nil }

  func isSendable(_ name: String) -> Bool { target(of: name)?.isSendable ?? false }

  func sharing(_ name: String) -> Sharing? { target(of: name)?.sharing }

  func provider<T>(of ref: Ref<T>) throws -> ObjectProvider<T> {
    if let linking = ref.linking { return try linking(self) }
    return try provider(named: ref.name, as: T.self)
  }

  func provider<T>(
    named name: String, as type: T.Type, by upcast: Upcast.Search?
  ) throws -> ObjectProvider<T> {
    let name = self.name(for: name)
    guard let target = target(named: name) else {
      throw ContainerError(
        .missingReference(name, in: nil, role: nil, near: [], count: targets.count),
        task: "link")
    }
    if let provider = target.provider as? ObjectProvider<T> { return provider }
    if let upcast, target.isNonisolated,
      let provider = upcast(target.type)?.provider(of: target.provider) as? ObjectProvider<T>
    {
      return provider
    }
    return target.provider.cast(to: T.self, named: name)
  }
}
