package import OxbowModel
package import OxbowStore

extension ChangeSet.Update {
  /// The update with its increments as values, as it is written over a row.
  ///
  /// - Parameters:
  ///   - version: The version that the row has.
  ///   - model: The store's model.
  ///   - id: The object, for messages.
  ///   - value: The value that the row has for a property.
  /// - Returns: The update, with values alone.
  /// - Throws: ``PersistenceError``: `validation` for an increment of no value and for a sum that
  ///   breaks a rule of the model; `overflow`.
  package func written(
    over version: Int64, in model: CompiledModel, _ id: ManagedObjectID,
    _ value: (CompiledProperty) -> AttributeValue?
  ) throws(PersistenceError) -> ChangeSet.Update {
    var values = values
    for (property, increment) in increments {
      let property = model.entities[entity].properties[property]
      guard let attribute = property.attribute else { continue }
      guard let value = value(property) else {
        throw PersistenceError.nothingToIncrement(property.name, of: id, isStored: true)
      }
      guard let sum = value.adding(increment, as: attribute.type) else {
        throw PersistenceError.incrementOverflow(attribute, of: id, value, by: increment)
      }
      let failures = attribute.failures(for: sum, of: "\(id)", object: id)
      guard failures.isEmpty else {
        throw PersistenceError.collecting(
          .validation, "nothing was saved: \(failures.count) rules of the model are broken",
          failures)
      }
      values.append((property.index, sum))
    }
    return ChangeSet.Update(
      entity: entity, key: key, version: checksVersion ? self.version : version, values: values)
  }
}
