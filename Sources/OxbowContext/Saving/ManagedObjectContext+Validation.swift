internal import OxbowModel

extension ManagedObjectContext {
  /// Checks new and changed objects against the rules of the model.
  ///
  /// - Throws: ``PersistenceError`` with code `validation` and every rule that is broken.
  func validateChanges() throws(PersistenceError) {
    var problems: [PersistenceError] = []
    for object in insertedObjects where !object.isDeleted { problems += violations(of: object) }
    for object in updatedObjects
    where !object.isDeleted && !object.isInserted && object._state.contains(.updated) {
      problems += violations(of: object)
    }
    guard problems.isEmpty else {
      throw .collecting(
        .validation, "nothing was saved: \(problems.count) rules of the model are broken", problems)
    }
  }

  /// The rules that an object breaks: all of them for a new object, those of edits for others.
  private func violations(of object: ManagedObject) -> [PersistenceError] {
    guard let overlay = object.overlay else { return [] }
    var problems: [PersistenceError] = []
    for property in object.entity.properties {
      let cell = overlay.cells[property.index]
      guard object.isInserted || cell.isEdit else { continue }
      for text in violations(of: property, cell, object) {
        problems.append(
          PersistenceError(
            .validation, "'\(property.name)' of '\(object)' \(text)",
            objectIDs: [object.objectID]))
      }
    }
    return problems
  }

  private func violations(
    of property: PropertySchema, _ cell: Overlay.Cell, _ object: ManagedObject
  ) -> [String] {
    switch (property.kind, cell) {
    case (.attribute(let attribute), .value(let value)):
      value.fits(attribute.type)
        ? [] : ["is of another type or out of range: \(value) for \(attribute.type.rawValue)"]
    case (.attribute(let attribute), _):
      attribute.isOptional || attribute.isTransient ? [] : ["is required and has no value"]
    case (.relationship(let relationship), .null):
      relationship.isOptional
        ? [] : ["is required and leads to no \(relationship.description.destination)"]
    case (.relationship(let relationship), .collection):
      countViolations(of: property, relationship, object)
    default: []
    }
  }

  private func countViolations(
    of property: PropertySchema, _ relationship: RelationshipSchema, _ object: ManagedObject
  ) -> [String] {
    let least = max(relationship.description.minimumCount, relationship.isOptional ? 0 : 1)
    let most = relationship.description.maximumCount
    guard least > 0 || most > 0, let count = members(of: property, object)?.count else { return [] }
    if count == 0 && relationship.isOptional { return [] }
    if count < least { return ["leads to \(count) objects, at least \(least) are required"] }
    if most > 0 && count > most {
      return ["leads to \(count) objects, at most \(most) are allowed"]
    }
    return []
  }
}
