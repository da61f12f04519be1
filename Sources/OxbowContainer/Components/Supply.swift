package import OxbowDocuments

/// What fills a slot: what that needs, and the way to link it.
package struct Supply<Value> {
  package let edges: [Edge]
  package let link: (Linker) throws -> Maker<Value>

  package init(edges: [Edge], link: @escaping (Linker) throws -> Maker<Value>) {
    self.edges = edges
    self.link = link
  }

  /// The object of a reference, or a constant.
  package static func reference(_ ref: Ref<Value>, at place: SupplyPlace) -> Supply<Value> {
    Supply(edges: ref.edges(place.strength, role: place.role(), at: place.location)) {
      try $0.maker(of: ref)
    }
  }

  /// A value whose type was seen to be `Sendable` where it was spelled.
  package static func constant(_ value: Value) -> Supply<Value> {
    let maker = ConstantMaker(value)
    return Supply(edges: []) { _ in maker }
  }

  /// What stands in for a supply whose problem has been reported.
  package static var faulty: Supply<Value> {
    Supply(edges: []) { _ in
      throw ContainerError(
        .missingReference("", in: nil, role: nil, at: nil, near: [], count: 0), task: "link")
    }
  }
}

/// Where a supply goes, for messages, and when it is needed.
package struct SupplyPlace {
  /// Made when there is something to say.
  package let role: @Sendable () -> String
  package let strength: Edge.Strength
  package let location: SourceLocation?
  package let valueLocation: SourceLocation?

  package init(
    role: @escaping @Sendable () -> String, strength: Edge.Strength, location: SourceLocation?,
    valueLocation: SourceLocation?
  ) {
    self.role = role
    self.strength = strength
    self.location = location
    self.valueLocation = valueLocation
  }

  /// A place inside of this one, such as one element of a collection.
  package func part(
    _ name: @escaping @autoclosure @Sendable () -> String, at location: SourceLocation?
  ) -> SupplyPlace {
    SupplyPlace(
      role: { [role] in "\(role()), \(name())" }, strength: strength,
      location: location ?? self.location, valueLocation: location ?? valueLocation)
  }
}

extension Injection {
  /// An injection that hands a supply to a setter.
  package static func supply<V>(
    _ supply: Supply<V>, set: @escaping @Sendable (T, V) throws -> Void
  ) -> Injection<T> {
    Injection(edges: supply.edges) { linker in
      let maker = try supply.link(linker)
      return { object, session in try set(object, maker.make(session)) }
    }
  }
}

extension Recipe {
  /// A recipe that calls a function with what its supplies deliver.
  package static func call<each D>(
    _ make: @escaping @Sendable (repeat each D) throws -> T, supplies: repeat Supply<each D>
  ) -> Recipe<T> {
    var edges: [Edge] = []
    for supply in repeat each supplies { edges += supply.edges }
    return Recipe(edges: edges) { linker in
      PackConstructor(make, (repeat try (each supplies).link(linker)))
    }
  }
}
