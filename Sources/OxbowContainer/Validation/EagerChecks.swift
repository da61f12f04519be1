internal import OxbowDocuments

extension AnyBinding {
  /// Whether the object is built together with the container, which keeps it.
  package var isBuiltWithContainer: Bool { isEager && scope.name == SingletonScope().name }
}

/// Looks at definitions that say eager where the container would not keep the object.
struct EagerChecks {
  private(set) var problems: [ContainerError.Problem] = []
  private(set) var notes: [ContainerError.Note] = []

  init(_ nodes: [AnyBinding]) {
    for node in nodes where node.isEager && !node.isBuiltWithContainer { check(node) }
  }

  private mutating func check(_ node: AnyBinding) {
    guard node.scope.sharing != .confined else {
      problems.append(.confinedEager(node.name, scope: node.scope.name, at: node.location))
      return
    }
    notes.append(
      ContainerError.Note(
        "object \"\(node.name)\" is eager, which means nothing in scope \"\(node.scope.name)\": it is "
          + "built when somebody asks for it", at: node.location))
  }
}
