package import OxbowDocuments

extension ContainerPlan {
  /// The same plan with other bindings in the place of some, checked again.
  ///
  /// Of a lazy definition the object behind the proxy is replaced, and the proxy stays. Placeholders and parts
  /// of the container itself count while definitions are planned, so with other ones that is done again.
  ///
  /// - Throws: `unknownObject` for a name that is not defined; `typeMismatch` for something in the place of a
  ///   part that is none.
  package func patched(_ changes: PlanChanges, at location: SourceLocation) throws
    -> ContainerPlan
  {
    let parts = changes.bindings.filter { self.parts.contains($0.name) }
    guard !parts.isEmpty || !changes.placeholders.isEmpty, var input else {
      return try replanned(changes, at: location)
    }
    for (key, value) in changes.placeholders { input.placeholders.set(key, value) }
    for part in parts { try input.replace(part, at: location) }
    let base = ContainerPlan(input)
    if let missing = parts.first(where: { !base.parts.contains($0.name) }) {
      throw ContainerError(.noPart(missing.name, at: location), task: "patch the container")
    }
    var others = changes
    others.bindings.removeAll { base.parts.contains($0.name) }
    return try base.problems.isEmpty
      ? base.replanned(self.changes.followed(by: others), at: location) : base
  }

  /// The plan with other bindings in the place of some.
  private func replanned(_ changes: PlanChanges, at location: SourceLocation) throws
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
      guard change.keepsOriginal else { continue }
      names.insert(original)
      nodes.append(old.renamed(original))
    }
    let typesKept = zip(nodes, graph.nodes).map { $0.type == $1.type }
    var plan = ContainerPlan(
      nodes, numbers: numbers.map { $0.flatMap { typesKept[$0] ? $0 : nil } }, like: self)
    plan.changes = self.changes.followed(by: changes)
    return plan
  }

  private func unknown(_ name: String, at location: SourceLocation) -> ContainerError {
    let names = graph.nodes.filter { !$0.isHidden }.map(\.name)
    return ContainerError(
      .unknownObject(
        name, near: nearNames(to: name, among: names), count: names.count, at: location),
      task: "patch the container")
  }
}

extension PlanInput {
  /// Puts something else in the place of a part of the container itself.
  fileprivate mutating func replace(
    _ change: PlanChanges.Change, at location: SourceLocation
  ) throws {
    guard !change.keepsOriginal else {
      throw ContainerError(.wrappedPart(change.name, at: location), task: "patch the container")
    }
    guard let number = entries.firstIndex(where: { $0.name == change.name }) else { return }
    // Parts are made for each use, so they need not be Sendable.
    let old = AnyBinding(
      name: change.name, scope: PrototypeScope(), location: entries[number].location,
      type: Void.self, isSendable: false, dependencies: [])
    entries[number] = .binding(change.make(old, change.name))
  }
}

extension DependencyGraph {
  /// The node that makes the object of a name: the one behind its proxy, if there is one.
  fileprivate func number(ofObject name: String) -> Int? {
    number(of: HiddenName.behindProxy(name)) ?? number(of: name)
  }
}
