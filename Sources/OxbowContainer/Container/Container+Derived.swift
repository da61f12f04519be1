internal import OxbowDocuments

extension Ref {
  /// Whether the reference is no name of a definition: it delivers something else, or asks by type.
  var isDerived: Bool { linking != nil || request != nil }
}

extension Container {
  /// What a reference delivers that is no name, as it would where it is injected.
  ///
  /// - Parameters:
  ///   - ref: The reference.
  ///   - requiresSendable: Whether an object itself may leave only when it is `Sendable`.
  /// - Returns: What it delivers.
  /// - Throws: ``ContainerError``, as when asked by name or type.
  func derived<T>(_ ref: Ref<T>, requiresSendable: Bool) throws -> T {
    let linker = engine.linker()
    let dependencies = ref.dependencies(.injection, role: .other { "a request" }, at: ref.location)
    let targets = try dependencies.flatMap { try directed($0) }
    for dependency in targets {
      try check(
        dependency, dependency.requiresSendable || (requiresSendable && dependency.use == .object))
    }
    if let request = ref.request { linker.answer(request, by: targets.map(\.target)) }
    do {
      return try linker.provider(of: ref).make(nil)
    } catch let error as ContainerError {
      throw error.doing("get an object by reference").located(at: ref.location)
    }
  }

  /// The arrows to what a request by type finds; any other arrow is itself.
  private func directed(_ dependency: Dependency) throws -> [Dependency] {
    guard let request = dependency.request else { return [dependency] }
    let place = dependency.location
    let found = engine.plan.candidates(for: request, requiresSendable: dependency.requiresSendable)
    guard let found else {
      throw ContainerError(
        .cannotTestType(request.typeName, at: place), task: "get an object of a type")
    }
    let one = request.wantsAll ? found : TypeResolution.primary(among: found)
    guard request.wantsAll || one.count == 1 || (one.isEmpty && dependency.isOptional) else {
      throw ContainerError(
        .notOneObject(
          typeName: request.typeName,
          candidates: one.map { ($0.name, "\($0.type)", $0.location) }, at: place),
        task: "get an object of a type")
    }
    return one.map { dependency.directed(to: $0.name) }
  }

  private func check(_ dependency: Dependency, _ requiresSendable: Bool) throws {
    guard let entry = engine.entry(named: dependency.target) else {
      if dependency.isOptional { return }
      throw engine.unknown(dependency.target, at: dependency.location)
    }
    if entry.sharing == .confined {
      throw ContainerError(
        .confinedRequest(entry.name, scope: entry.scope, at: entry.location),
        task: "get object \"\(entry.name)\"")
    }
    if requiresSendable, !entry.isSendable {
      throw ContainerError(
        .requestNotSendable(
          entry.name, typeName: "\(entry.type)", wanted: dependency.typeName, at: entry.location),
        task: "get object \"\(entry.name)\"")
    }
  }
}

extension ContainerPlan {
  /// The definitions that surely fit a request by type; nil when nobody can tell of any.
  func candidates(for request: TypeRequest, requiresSendable: Bool) -> [AnyBinding]? {
    guard let test = TypeRequestTest(request, types) else { return nil }
    return graph.nodes.filter { node in
      !node.isHidden && test.isSure(node.type)
        && (!requiresSendable || node.isSendable || node.scope.sharing == .shared)
    }
  }
}
