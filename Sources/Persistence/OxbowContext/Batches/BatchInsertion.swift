internal import OxbowModel
internal import OxbowStore

/// Makes the rows of new objects without the objects.
struct BatchInsertion {
  private let entity: CompiledEntity
  private let context: ManagedObjectContext
  private let defaults: ContiguousArray<AttributeValue?>
  private let indices: [String: Int]

  init(
    of entity: CompiledEntity, in context: ManagedObjectContext
  ) throws(PersistenceError) {
    guard !entity.isAbstract else {
      throw PersistenceError(
        .invalidModel, "the entity '\(entity.name)' is abstract and has no objects of its own")
    }
    for property in entity.relationships {
      guard property.mayBeEmpty else {
        throw PersistenceError(
          .validation,
          "a batch cannot insert objects of '\(entity.name)': '\(property.name)' needs an object, "
            + "and a batch sets attributes only; insert objects")
      }
    }
    self.entity = entity
    self.context = context
    defaults = ContiguousArray(
      entity.properties.map { property in
        property.attribute.flatMap { $0.derivation == nil ? $0.defaultValue : nil }
      })
    indices = Dictionary(
      entity.properties.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
  }

  func insert(
    _ values: [(name: String, value: FetchExpression)]
  ) throws(PersistenceError) -> ChangeSet.Insert {
    var row = defaults
    for (name, value) in values {
      guard let index = indices[name] else { _ = try entity.requireProperty(named: name); continue }
      try entity.properties[index].requireBatchAttribute(of: entity)
      switch value {
      case .value(.attribute(let value)):
        row[index] = value.rounded(for: entity.properties[index].attribute?.type)
      case .value(.null): row[index] = nil
      default:
        throw PersistenceError(
          .invalidPredicate,
          "'\(name)' of a new object of '\(entity.name)' cannot be an expression: there is no row "
            + "to compute it from")
      }
    }
    let key = try context.coordinator.makeKey(for: entity)
    let id = context.coordinator.id(of: ObjectReference(entity: entity.index, key: key))
    var failures: [PersistenceError] = []
    for property in entity.properties where property.slot >= 0 {
      guard let attribute = property.attribute, attribute.derivation == nil else { continue }
      failures += attribute.failures(for: row[property.index], of: "\(id)", object: id)
    }
    guard failures.isEmpty else {
      throw .collecting(
        .validation, "nothing was inserted: \(failures.count) rules of the model are broken",
        failures)
    }
    return ChangeSet.Insert(entity: entity.index, key: key, values: row)
  }
}
