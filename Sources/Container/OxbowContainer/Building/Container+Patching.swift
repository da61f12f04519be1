internal import OxbowDocuments

extension Container {
  /// Returns a container like this one in which some objects are others: for tests.
  ///
  /// The two share nothing. This container never changes, so there is nothing to undo, and tests
  /// that run at the same time cannot see each other's objects. All definitions are checked again.
  ///
  /// ```swift
  /// let container = try app.patched { $0.replace("clock") { FixedClock(noon) } }
  /// ```
  ///
  /// Close it when the test is over, if its singletons have providers or proxies; `withPatches`
  /// does.
  ///
  /// - Parameters:
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - patch: Says what is replaced.
  /// - Returns: The container; none of its objects is built, except eager ones.
  /// - Throws: ``ContainerError``: `unknownObject` for a name that is not defined, and every
  ///   problem that `build()` would find.
  public func patched(
    file: String = #fileID, line: Int = #line,
    _ patch: (inout ContainerPatch) throws -> Void
  ) throws -> Container {
    var patches = ContainerPatch(at: SourceLocation(file: file, line: line))
    try patch(&patches)
    return try ContainerCompiler.link(
      engine.plan.patched(patches.changes, at: patches.location), builder: engine.builder,
      task: "patch the container")
  }

  /// Runs `body` with a patched container, and closes that afterwards.
  ///
  /// - Parameters:
  ///   - patch: Says what is replaced.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - body: The work.
  /// - Returns: What `body` returns.
  /// - Throws: What ``patched(file:line:_:)`` throws, and what `body` throws.
  public func withPatches<R>(
    _ patch: (inout ContainerPatch) throws -> Void, file: String = #fileID, line: Int = #line,
    _ body: (Container) throws -> R
  ) throws -> R {
    let container = try patched(file: file, line: line, patch)
    defer { container.close() }
    return try body(container)
  }

  /// Runs asynchronous `body` with a patched container, on the caller's actor, and closes that
  /// afterwards.
  ///
  /// - Throws: What ``patched(file:line:_:)`` throws, and what `body` throws.
  public func withPatches<R>(
    _ patch: (inout ContainerPatch) throws -> Void, file: String = #fileID, line: Int = #line,
    isolation: isolated (any Actor)? = #isolation,
    _ body: (Container) async throws -> R
  ) async throws -> R {
    let container = try patched(file: file, line: line, patch)
    defer { container.close() }
    return try await body(container)
  }
}

extension ContainerPlan {
  /// The same plan with other bindings in place of some, checked again.
  ///
  /// Of a lazy definition the object behind the proxy is replaced, and the proxy stays.
  /// Placeholders and bootstrap objects count while definitions are planned, so with other ones
  /// that is done again.
  ///
  /// - Throws: `unknownObject` for a name that is not defined; `typeMismatch` for something in
  ///   place of a bootstrap object that is not one.
  func patched(_ changes: ContainerPlan.Changes, at location: SourceLocation) throws
    -> ContainerPlan
  {
    let early = changes.bindings.filter { bootstrapNames.contains($0.name) }
    guard !early.isEmpty || !changes.placeholders.isEmpty else {
      return try replanned(changes, at: location)
    }
    var input = input
    for (key, value) in changes.placeholders { input.placeholders.set(key, value) }
    for change in early { try input.replace(change, at: location) }
    let base = ContainerCompiler.plan(input)
    if let missing = early.first(where: { !base.bootstrapNames.contains($0.name) }) {
      throw ContainerError(.noPart(missing.name).at(location), task: "patch the container")
    }
    var others = changes
    others.bindings.removeAll { base.bootstrapNames.contains($0.name) }
    return try base.problems.isEmpty
      ? base.replanned(self.changes.followed(by: others), at: location) : base
  }

  /// The plan with other bindings in place of some.
  private func replanned(_ changes: ContainerPlan.Changes, at location: SourceLocation) throws
    -> ContainerPlan
  {
    var nodes = graph.nodes
    var names = Set(nodes.map(\.name))
    for change in changes.bindings {
      guard let number = graph.number(ofObject: aliases[change.name] ?? change.name) else {
        throw unknown(change.name, at: location)
      }
      let old = nodes[number]
      var original = HiddenName.original(old.name)
      while names.contains(original) { original = HiddenName.original(original) }
      nodes[number] = change.make(old, original)
      nodes[number].isEager = old.isEager
      nodes[number].isPrimary = old.isPrimary
      guard change.keepsOriginal else { continue }
      names.insert(original)
      nodes.append(old.renamed(original))
    }
    let typesKept = zip(nodes, graph.nodes).map { $0.type == $1.type }
    // What the replaced objects were made of is gone with them.
    let left = DependencyGraph(nodes, dependencies: nodes.map(\.dependencies), aliases: aliases)
      .visibleOrNeeded
    let places = Dictionary(uniqueKeysWithValues: zip(left, left.indices))
    return ContainerCompiler.plan(
      like: self, with: left.map { nodes[$0] },
      numbers: numbers.map { $0.flatMap { typesKept[$0] ? places[$0] : nil } },
      self.changes.followed(by: changes))
  }

  private func unknown(_ name: String, at location: SourceLocation) -> ContainerError {
    let names = graph.nodes.filter { !$0.isHidden }.map(\.name)
    return ContainerError(
      .unknownObject(name, among: names).at(location), task: "patch the container")
  }
}

extension PlanInput {
  /// Puts something else in place of a bootstrap object.
  fileprivate mutating func replace(
    _ change: ContainerPlan.Changes.Change, at location: SourceLocation
  ) throws {
    guard !change.keepsOriginal else {
      throw ContainerError(.wrappedPart(change.name).at(location), task: "patch the container")
    }
    guard let number = definitions.firstIndex(where: { $0.name == change.name }) else { return }
    // Bootstrap objects are made for each use, so they need not be Sendable.
    let old = AnyBinding(
      name: change.name, scope: PrototypeScope(), location: definitions[number].location,
      type: Void.self, isSendable: false, dependencies: [])
    definitions[number] = Definition(.binding(change.make(old, change.name)), number: number)
  }
}

extension DependencyGraph {
  /// The numbers of the nodes with names of their own and of what they need, in order.
  fileprivate var visibleOrNeeded: [Int] {
    let visible = nodes.indices.filter { !nodes[$0].isHidden }
    return (visible + reached(from: visible)).sorted()
  }

  /// The node that makes the object of a name: the one behind its proxy, if there is one.
  fileprivate func number(ofObject name: String) -> Int? {
    number(of: HiddenName.behindProxy(name)) ?? number(of: name)
  }
}
