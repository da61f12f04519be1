/// Turns references into makers while a container is built.
package final class Linker {
  package let link: EngineLink
  package let services: ContainerServices
  /// Where the objects of threads are kept.
  package var threads: ThreadStores { services.threads }
  private var makers: [String: AnyMaker] = [:]
  private var blueprints: [String: AnyBlueprint] = [:]
  /// The names of the objects for places that ask by type, by definition and request.
  private let requests: [String: [String: [String]]]
  /// Those of the definition that is linked.
  private var found: [String: [String]] = [:]
  /// The names that stand for other names.
  private let aliases: [String: String]
  /// Finds what an engine has linked before.
  private let linked: (String) -> (maker: AnyMaker, blueprint: AnyBlueprint)?

  /// What every object goes through, in order.
  package let processors: [any ObjectPostProcessor]
  /// The definitions whose objects reach others that are shared within a request.
  package let requestSharers: Set<String>

  package let introduction: (any ObjectIntroduction)?

  /// What the makers use without retaining it: the engine's to hold.
  package private(set) var constructions: [AnyObject] = []

  package init(
    link: EngineLink, processors: [any ObjectPostProcessor] = [], requestSharers: Set<String> = [],
    requests: [String: [String: [String]]] = [:], aliases: [String: String] = [:],
    introduction: (any ObjectIntroduction)? = nil,
    services: ContainerServices? = nil,
    linked: @escaping (String) -> (maker: AnyMaker, blueprint: AnyBlueprint)? = { _ in nil }
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

  package func add(_ maker: AnyMaker, for blueprint: AnyBlueprint) {
    makers[blueprint.name] = maker
    blueprints[blueprint.name] = blueprint
  }

  /// Holds what a maker uses without retaining it.
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
    blueprint(self.name(for: name))?.isSendable ?? false
  }

  /// Who may see a definition's objects.
  package func sharing(_ name: String) -> Sharing? {
    blueprint(self.name(for: name))?.scope.sharing
  }

  private func find(_ name: String) -> AnyMaker? { makers[name] ?? linked(name)?.maker }

  private func blueprint(_ name: String) -> AnyBlueprint? {
    blueprints[name] ?? linked(name)?.blueprint
  }

  /// The maker that a reference leads to.
  package func maker<T>(of ref: Ref<T>) throws -> Maker<T> {
    if let linking = ref.linking { return try linking(self) }
    return try maker(named: ref.name, as: T.self)
  }

  /// The maker of a definition, seen as one of `T`.
  ///
  /// - Parameters:
  ///   - name: The name of the definition, or a request.
  ///   - type: The type.
  ///   - upcast: Finds the way from the definition's type, where the place knows one.
  /// - Returns: The maker.
  /// - Throws: `missingReference`.
  package func maker<T>(
    named name: String, as type: T.Type, by upcast: UpcastSearch? = nil
  ) throws -> Maker<T> {
    let name = self.name(for: name)
    guard let maker = find(name) else {
      throw ContainerError(
        .missingReference(
          name, in: nil, role: nil, at: nil, near: [], count: makers.count), task: "link")
    }
    if let maker = maker as? Maker<T> { return maker }
    if let upcast, let blueprint = blueprint(name), blueprint.isNonisolated,
      let maker = upcast(blueprint.type)?.maker(of: maker) as? Maker<T>
    {
      return maker
    }
    return maker.cast(to: T.self, named: name)
  }
}
