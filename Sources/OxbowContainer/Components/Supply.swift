package import OxbowDocuments

/// What fills a injection point, checked and not linked.
///
/// Its types are those of the injection point that checked it, which links it too.
package enum Supply {
  /// The object at the end of an arrow.
  case object(Dependency)
  /// A value, by its provider.
  case constant(AnyObjectProvider)
  /// The container itself.
  case container
  indirect case list([Supply])
  indirect case map([Entry])
  /// Every object that answers the request of an arrow.
  case all(Dependency)

  /// One value of a map.
  package struct Entry {
    package let key: String
    package let supply: Supply
  }
}

/// Where a supply goes, for messages, and when it is needed.
package struct SupplyPlace {
  package let role: Dependency.Role
  package let when: Dependency.Moment
  package let location: SourceLocation?
  package let valueLocation: SourceLocation?
  /// Whether the place can do without an object.
  package let isOptional: Bool

  package init(
    role: Dependency.Role, when: Dependency.Moment, location: SourceLocation?,
    valueLocation: SourceLocation?, isOptional: Bool = false
  ) {
    self.isOptional = isOptional
    self.role = role
    self.when = when
    self.location = location
    self.valueLocation = valueLocation
  }

  package init(
    _ assignment: PropertyAssignment, role: Dependency.Role, when: Dependency.Moment,
    isOptional: Bool = false
  ) {
    self.init(
      role: role, when: when, location: assignment.location,
      valueLocation: assignment.valueLocation, isOptional: isOptional)
  }

  /// A place inside of this one, such as one element of a collection.
  func part(_ role: Dependency.Role, at location: SourceLocation?) -> SupplyPlace {
    SupplyPlace(
      role: role, when: when, location: location ?? self.location,
      valueLocation: location ?? valueLocation)
  }
}

/// Hands out the providers of a call's arguments, in the order of the parameters.
struct SupplyCursor {
  private let supplies: [Supply]
  private let linker: Linker
  private var position = 0

  init(_ supplies: [Supply], _ linker: Linker) {
    self.supplies = supplies
    self.linker = linker
  }

  mutating func next<Value>(_ parameter: ParameterDescriptor<Value>) throws -> ObjectProvider<Value>
  {
    defer { position += 1 }
    return try parameter.point.provider(for: supplies[position], linker)
  }
}
