package import OxbowDocuments

/// What fills a slot, checked and not linked.
///
/// Its types are those of the slot that checked it, which links it too.
package enum Supply {
  /// The object at the end of an arrow.
  case object(Edge)
  /// A value, by its maker.
  case constant(AnyMaker)
  /// The container itself.
  case container
  indirect case list([Supply])
  indirect case map([Entry])
  /// Every object that answers the request of an arrow.
  case all(Edge)

  /// One value of a map.
  package struct Entry {
    package let key: String
    package let supply: Supply
  }
}

/// Where a supply goes, for messages, and when it is needed.
package struct SupplyPlace {
  package let role: Edge.Role
  package let strength: Edge.Strength
  package let location: SourceLocation?
  package let valueLocation: SourceLocation?
  /// Whether the place can do without an object.
  package let isOptional: Bool

  package init(
    role: Edge.Role, strength: Edge.Strength, location: SourceLocation?,
    valueLocation: SourceLocation?, isOptional: Bool = false
  ) {
    self.isOptional = isOptional
    self.role = role
    self.strength = strength
    self.location = location
    self.valueLocation = valueLocation
  }

  package init(
    _ assignment: PropertyAssignment, role: Edge.Role, strength: Edge.Strength,
    isOptional: Bool = false
  ) {
    self.init(
      role: role, strength: strength, location: assignment.location,
      valueLocation: assignment.valueLocation, isOptional: isOptional)
  }

  /// A place inside of this one, such as one element of a collection.
  func part(_ role: Edge.Role, at location: SourceLocation?) -> SupplyPlace {
    SupplyPlace(
      role: role, strength: strength, location: location ?? self.location,
      valueLocation: location ?? valueLocation)
  }
}

/// Hands out the makers of a call's arguments, in the order of the parameters.
struct SupplyCursor {
  private let supplies: [Supply]
  private let linker: Linker
  private var position = 0

  init(_ supplies: [Supply], _ linker: Linker) {
    self.supplies = supplies
    self.linker = linker
  }

  mutating func next<Value>(_ parameter: ParameterDescriptor<Value>) throws -> Maker<Value> {
    defer { position += 1 }
    return try parameter.slot.maker(for: supplies[position], linker)
  }
}
