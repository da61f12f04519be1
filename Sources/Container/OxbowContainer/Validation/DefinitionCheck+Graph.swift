extension DefinitionCheck {
  /// What is wrong with definitions.
  func problems(of graph: DependencyGraph) -> [ContainerError.Problem] {
    find(
      graph.nodes.enumerated().map { number, node in
        DefinedObject(
          name: node.shownName, type: node.type, location: node.location,
          reached: { graph.reached(from: number).map { graph.nodes[$0] } })
      })
  }
}
