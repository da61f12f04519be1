/// Turns references into providers while a container is built.
package final class Linker {
  package let link: WeakContainerReference
  package let services: ContainerServices
  /// Where the objects of threads are kept.
  package var threads: ThreadStores { services.threads }
  private var providers: [String: AnyObjectProvider] = [:]
  private var bindings: [String: AnyBinding] = [:]
  /// The names of the objects for places that ask by type, by definition and request.
  private let requests: [String: [String: [String]]]
  /// Those of the definition that is linked.
  private var found: [String: [String]] = [:]
  /// The names that stand for other names.
  private let aliases: [String: String]
  /// Finds what an engine has linked before.
  private let linked: (String) -> (provider: AnyObjectProvider, binding: AnyBinding)?

  /// What every object goes through, in order.
  package let processors: [any ObjectPostProcessor]
  /// The definitions whose objects reach others that are shared within a request.
  package let requestSharers: Set<String>

  package let introduction: (any ContainerAwareInjector)?

  /// What the providers use without retaining it: the engine's to hold.
  package private(set) var constructions: [AnyObject] = []

  package init(
    link: WeakContainerReference, processors: [any ObjectPostProcessor] = [],
    requestSharers: Set<String> = [],
    requests: [String: [String: [String]]] = [:], aliases: [String: String] = [:],
    introduction: (any ContainerAwareInjector)? = nil,
    services: ContainerServices? = nil,
    linked: @escaping (String) -> (provider: AnyObjectProvider, binding: AnyBinding)? = { _ in nil }
  ) {
    self.linked = linked
    self.aliases = aliases
    self.introduction = introduction
    self.requests = requests
    self.link = link
    self.services = services ?? ContainerServices(link: link)
    self.processors = processors
    self.requestSharers = requestSharers
  }

  package func add(_ provider: AnyObjectProvider, for binding: AnyBinding) {
    providers[binding.name] = provider
    bindings[binding.name] = binding
  }

  /// Holds what a provider uses without retaining it.
  package func hold(_ construction: AnyObject) { constructions.append(construction) }

  /// Begins to link a definition, whose requests by type are answered from now on.
  package func begin(_ name: String) { found = requests[name] ?? [:] }

  /// Answers a request that no definition makes.
  package func answer(_ request: TypeRequest, by names: [String]) {
    found[request.token] = names
  }

  /// The names of the objects that a request by type found for the definition that is linked.
  package func names(for request: String) -> [String] { found[request] ?? [] }

  /// The name of the object that a request by type found, or that an alias stands for; any other name
  /// is itself.
  package func name(for request: String) -> String {
    if !found.isEmpty, let names = found[request] { return names.first ?? request }
    return aliases.isEmpty ? request : aliases[request] ?? request
  }

  /// Whether nothing is defined that a reference leads to.
  package func isAbsent(_ name: String) -> Bool { find(self.name(for: name)) == nil }

  /// Whether a definition's objects may be used by several threads.
  package func isSendable(_ name: String) -> Bool {
    binding(self.name(for: name))?.isSendable ?? false
  }

  /// Who may see a definition's objects.
  package func sharing(_ name: String) -> Sharing? {
    binding(self.name(for: name))?.scope.sharing
  }

  private func find(_ name: String) -> AnyObjectProvider? {
    providers[name] ?? linked(name)?.provider
  }

  private func binding(_ name: String) -> AnyBinding? {
    bindings[name] ?? linked(name)?.binding
  }

  /// The provider that a reference leads to.
  package func provider<T>(of ref: Ref<T>) throws -> ObjectProvider<T> {
    if let linking = ref.linking { return try linking(self) }
    return try provider(named: ref.name, as: T.self)
  }

  /// The provider of a definition, seen as one of `T`.
  ///
  /// - Parameters:
  ///   - name: The name of the definition, or a request.
  ///   - type: The type.
  ///   - upcast: Finds the way from the definition's type, where the place knows one.
  /// - Returns: The provider.
  /// - Throws: `missingReference`.
  package func provider<T>(
    named name: String, as type: T.Type, by upcast: UpcastSearch? = nil
  ) throws -> ObjectProvider<T> {
    let name = self.name(for: name)
    guard let provider = find(name) else {
      throw ContainerError(
        .missingReference(
          name, in: nil, role: nil, at: nil, near: [], count: providers.count), task: "link")
    }
    if let provider = provider as? ObjectProvider<T> { return provider }
    if let upcast, let binding = binding(name), binding.isNonisolated,
      let provider = upcast(binding.type)?.provider(of: provider) as? ObjectProvider<T>
    {
      return provider
    }
    return provider.cast(to: T.self, named: name)
  }
}
