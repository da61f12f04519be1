internal import OxbowDocuments

extension Container {
  // MARK: - By type

  /// Returns the one object that fits a type and may be used by several threads.
  ///
  /// - Parameters:
  ///   - type: The type: a class, or a protocol.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - accepts: Whether objects of a type fit: `{ $0 is any P.Type }`. Needed for a protocol that
  ///     is private to a file or has arguments, unless a property of an annotated class or a proxy
  ///     class has its type.
  /// - Returns: The object.
  /// - Throws: ``ContainerError``: `noObjectOfType` when there is none, or more than one, and what
  ///   a request by name throws.
  public func object<T: Sendable>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> T {
    try object(
      oneName(ofType: type, at: SourceLocation(file: file, line: line), accepts))
  }

  /// Returns the one object that fits a type: a new one, or one that is `Sendable`.
  ///
  /// - Throws: ``ContainerError``: `noObjectOfType` when there is none, or more than one, and what
  ///   a request by name throws.
  public func object<T>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> sending T {
    try object(
      oneName(ofType: type, at: SourceLocation(file: file, line: line), accepts))
  }

  /// Returns all objects that fit a type and may be used by several threads.
  ///
  /// - Returns: The objects, in the order of their definitions.
  /// - Throws: ``ContainerError``: `noObjectOfType` when nothing tells which objects fit, and what
  ///   a request by name throws.
  public func objects<T: Sendable>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> [T] {
    try names(ofType: type, file: file, line: line, accepts).map { try object($0) }
  }

  /// Returns all objects that fit a type: new ones, and those that are `Sendable`.
  ///
  /// - Returns: The objects, in the order of their definitions.
  /// - Throws: ``ContainerError``: `noObjectOfType` when nothing tells which objects fit, and what
  ///   a request by name throws.
  public func objects<T>(
    ofType type: T.Type = T.self, file: String = #fileID, line: Int = #line,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> sending [T] {
    // Each is the caller's alone or Sendable; see `object(_:as:)`.
    nonisolated(unsafe) let objects: [T] = try names(
      ofType: type, file: file, line: line, accepts
    ).map { try object($0) }
    return objects
  }

  /// The names of the objects that surely fit a type, in the order of their definitions.
  ///
  /// - Throws: ``ContainerError``: `noObjectOfType` when nothing tells which objects fit.
  public func names<T>(
    ofType type: T.Type, file: String = #fileID, line: Int = #line,
    _ accepts: ((any Any.Type) -> Bool)? = nil
  ) throws -> [String] {
    let fits = try test(ofType: type, at: SourceLocation(file: file, line: line), accepts)
    return engine.plan.graph.nodes.filter { !$0.isHidden && fits($0.type) }.map(\.name)
  }

  /// Whether an object surely fits a type, for a property that asks for it later.
  ///
  /// - Throws: Why asking would fail: several fit, or the one belongs to a thread, task or tenant.
  package func hasObject<T>(
    ofType type: T.Type, for subject: String, _ accepts: ((any Any.Type) -> Bool)?
  ) throws -> Bool {
    guard let fits = accepts ?? engine.plan.types.test(for: type) else { return false }
    let found = candidates { $0 == type || fits($0) }
    guard found.count < 2 else {
      throw ContainerError(
        .notOneObject(subject, typeName: "\(T.self)", candidates: found),
        task: "inject \(subject)")
    }
    if let entry = found.first.flatMap({ engine.entry(named: $0.name) }) {
      try refuseConfined(entry)
    }
    return !found.isEmpty
  }

  private func candidates(_ fits: (any Any.Type) -> Bool) -> [AnyBinding] {
    TypeResolution.primary(
      among: engine.plan.graph.nodes.filter { !$0.isHidden && fits($0.type) })
  }

  private func oneName<T>(
    ofType type: T.Type, at location: SourceLocation, _ accepts: ((any Any.Type) -> Bool)?
  ) throws -> String {
    let fits = try test(ofType: type, at: location, accepts)
    let one = candidates(fits)
    if one.count == 1 { return one[0].name }
    throw ContainerError(
      .notOneObject(
        typeName: "\(T.self)", candidates: one,
        behind: one.isEmpty ? engine.plan.graph.nodes.surrounding(fits) : nil
      ).at(location), task: "get an object of a type")
  }

  /// Whether objects of a type fit another one.
  private func test<T>(
    ofType type: T.Type, at location: SourceLocation, _ accepts: ((any Any.Type) -> Bool)?
  ) throws -> (any Any.Type) -> Bool {
    guard let fits = accepts ?? engine.plan.types.test(for: type) else {
      throw ContainerError(
        .cannotTestType("\(T.self)").at(location), task: "get an object of a type")
    }
    return { $0 == type || fits($0) }
  }
}

extension Ref {
  /// Whether the reference is not a name of a definition: it delivers something else, or asks by
  /// type.
  var isDerived: Bool { linking != nil || request != nil }
}

extension Container {
  /// What a reference delivers that is not a name, as it would where it is injected; with
  /// `requiresSendable` an object itself only if it is `Sendable`.
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
    let (location, plan) = (dependency.location, engine.plan)
    let found = plan.candidates(for: request, requiresSendable: dependency.requiresSendable)
    guard let found else {
      throw ContainerError(
        .cannotTestType(request.typeName).at(location), task: "get an object of a type")
    }
    let one = request.wantsAll ? found : TypeResolution.primary(among: found)
    guard request.wantsAll || one.count == 1 || (one.isEmpty && dependency.isOptional) else {
      throw ContainerError(
        .notOneObject(
          typeName: request.typeName, candidates: one,
          behind: one.isEmpty ? plan.graph.nodes.surrounding(request, plan.types) : nil
        ).at(location), task: "get an object of a type")
    }
    return one.map { dependency.directed(to: $0.name) }
  }

  private func check(_ dependency: Dependency, _ requiresSendable: Bool) throws {
    guard let entry = engine.entry(named: dependency.target) else {
      if dependency.isOptional { return }
      throw engine.unknown(dependency.target, at: dependency.location)
    }
    // As where it is injected: a provider finds the tenant of each call.
    if dependency.use != .provider || entry.scope != TenantScope.name { try refuseConfined(entry) }
    if requiresSendable, !entry.isSendable {
      throw ContainerError(
        .requestNotSendable(entry.name, typeName: "\(entry.type)", wanted: dependency.typeName)
          .at(entry.location),
        getting: entry.name)
    }
  }
}

extension ContainerPlan {
  /// The definitions that surely fit a request by type; nil when that cannot be known of any.
  func candidates(for request: TypeRequest, requiresSendable: Bool) -> [AnyBinding]? {
    guard let test = TypeIndex.RequestTest(request, types) else { return nil }
    return graph.nodes.filter { node in
      !node.isHidden && test.isSure(node.type)
        && (!requiresSendable || node.isSendable || node.scope.sharing == .shared)
    }
  }
}
