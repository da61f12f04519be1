extension ObjectDefinition {
  /// This definition with what a parent lends.
  func takingOver(_ parent: ObjectDefinition) -> ObjectDefinition {
    var whole = self
    if className == nil {
      whole.className = parent.className
      whole.classLocation = parent.classLocation ?? classLocation
    }
    if initializer == nil {
      whole.initializer = parent.initializer
      whole.factoryComponent = factoryComponent ?? parent.factoryComponent
    }
    whole.properties = properties.takingOver(parent.properties)
    if let lent = parent.product {
      whole.product = ProductDefinition(
        class: product?.className ?? lent.className,
        properties: (product?.properties ?? []).takingOver(lent.properties),
        at: product?.location ?? lent.location)
    }
    return whole
  }
}

extension [PropertyAssignment] {
  /// Another list's assignments, then these; of the others only those of names that are not here.
  func takingOver(_ others: [PropertyAssignment]) -> [PropertyAssignment] {
    if others.isEmpty { return self }
    let own = Set(map(\.name))
    return others.filter { !own.contains($0.name) } + self
  }
}
