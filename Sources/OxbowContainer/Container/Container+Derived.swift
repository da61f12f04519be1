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
    let edges = ref.edges(.soft, role: .other { "a request" }, at: ref.location)
    let targets = try edges.flatMap { try directed($0) }
    for edge in targets {
      try check(edge, edge.requiresSendable || (requiresSendable && edge.use == .object))
    }
    if let request = ref.request { linker.answer(request, by: targets.map(\.target)) }
    do {
      return try linker.maker(of: ref).make(nil)
    } catch let error as ContainerError {
      throw error.doing("get an object by reference").located(at: ref.location)
    }
  }

  /// The arrows to what a request by type finds; any other arrow is itself.
  private func directed(_ edge: Edge) throws -> [Edge] {
    guard let request = edge.request else { return [edge] }
    let place = edge.location
    let found = engine.plan.candidates(for: request, requiresSendable: edge.requiresSendable)
    guard let found else {
      throw ContainerError(
        .cannotTestType(request.typeName, at: place), task: "get an object of a type")
    }
    let one = request.wantsAll ? found : TypeResolution.primary(among: found)
    guard request.wantsAll || one.count == 1 || (one.isEmpty && edge.isOptional) else {
      throw ContainerError(
        .notOneObject(
          typeName: request.typeName,
          candidates: one.map { ($0.name, "\($0.type)", $0.location) }, at: place),
        task: "get an object of a type")
    }
    return one.map { edge.directed(to: $0.name) }
  }

  private func check(_ edge: Edge, _ requiresSendable: Bool) throws {
    guard let entry = engine.entry(named: edge.target) else {
      if edge.isOptional { return }
      throw engine.unknown(edge.target, at: edge.location)
    }
    if entry.sharing == .confined {
      throw ContainerError(
        .confinedRequest(entry.name, scope: entry.scope, at: entry.location),
        task: "get object \"\(entry.name)\"")
    }
    if requiresSendable, !entry.isSendable {
      throw ContainerError(
        .requestNotSendable(
          entry.name, typeName: "\(entry.type)", wanted: edge.typeName, at: entry.location),
        task: "get object \"\(entry.name)\"")
    }
  }
}

extension ContainerPlan {
  /// The definitions that surely fit a request by type; nil when nobody can tell of any.
  func candidates(for request: TypeRequest, requiresSendable: Bool) -> [AnyBlueprint]? {
    guard let test = TypeRequestTest(request, types) else { return nil }
    return graph.nodes.filter { node in
      !node.isHidden && test.isSure(node.type)
        && (!requiresSendable || node.isSendable || node.scope.sharing == .shared)
    }
  }
}
