internal import OxbowModel
internal import OxbowStore

/// A save that met conflicts, and what the policy has resolved apart from the objects.
struct SaveMerge {
  let context: ManagedObjectContext

  /// The deleted objects that the store no longer has.
  var gone: Set<ObjectReference> = []

  /// The objects that the store no longer has and that are written again.
  var rewritten: Set<ObjectReference> = []
  var conflicts: [MergeConflict] = []

  var policy: MergePolicy { context.mergePolicy }

  init(in context: ManagedObjectContext) { self.context = context }

  func conflictingObjects(_ error: PersistenceError) -> [ManagedObject] {
    error.objectIDs.compactMap { id in
      (try? context.coordinator.reference(for: id)).flatMap { context.registered($0) }
    }
  }

  /// The conflict of an object with the stored row.
  func conflict(of object: ManagedObject, _ theirs: SlabRow?) -> MergeConflict {
    let kind: MergeConflict.Kind =
      switch (object._state.contains(.deleted), theirs == nil) {
      case (false, false): .update
      case (false, true): .updateOfDeleted
      case (true, false): .deleteOfUpdated
      case (true, true): .delete
      }
    let hasRow = !object._state.contains(.fault) && !object._state.contains(.inserted)
    return MergeConflict(
      objectID: object.objectID, kind: kind,
      base: hasRow ? snapshot(of: object.entity, (object._slab, Int(object._row))) : nil,
      mine: object._state.contains(.deleted) ? nil : currentSnapshot(of: object),
      theirs: theirs.map { snapshot(of: object.entity, $0) }, increments: increments(of: object))
  }

  private func increments(of object: ManagedObject) -> [String: PropertyValue] {
    guard let overlay = object.overlay else { return [:] }
    var values: [String: PropertyValue] = [:]
    for property in object.entity.properties {
      values[property.name] = overlay[property.index].increment.map { .attribute($0) }
    }
    return values
  }

  func snapshot(of entity: CompiledEntity, _ row: SlabRow) -> [String: PropertyValue] {
    var values: [String: PropertyValue] = [:]
    for property in entity.properties where property.slot >= 0 {
      values[property.name] =
        property.relationship == nil
        ? PropertyValue(row.slab.storedValue(row.row, property))
        : PropertyValue(
          row.slab.reference(row.row, property).map { context.coordinator.id(of: $0) })
    }
    return values
  }

  /// The values of an object, edits included, without reading anything.
  func currentSnapshot(of object: ManagedObject) -> [String: PropertyValue] {
    var values: [String: PropertyValue] =
      object._state.isDisjoint(with: [.fault, .inserted])
      ? snapshot(of: object.entity, (object._slab, Int(object._row))) : [:]
    guard let overlay = object.overlay else { return values }
    for property in object.entity.properties where property.slot >= 0 {
      // What is computed behind a save is unknown before.
      if object._state.contains(.inserted), property.attribute?.derivation != nil { continue }
      switch overlay[property.index] {
      case .attribute(let value): values[property.name] = .attribute(value)
      case .object(let reference):
        values[property.name] = .object(context.coordinator.id(of: reference))
      case .null: values[property.name] = .null
      case .increment:
        values[property.name] = PropertyValue(object.valueInMemory(of: property) ?? nil)
      case .unchanged, .collection, .memory: break
      }
    }
    return values
  }

  /// The error with the values of both sides, if they can be read.
  func describing(_ error: PersistenceError) -> PersistenceError {
    guard [.conflict, .conditionFailed].contains(error.code), error.conflicts.isEmpty else {
      return error
    }
    let objects = conflictingObjects(error)
    guard !objects.isEmpty, let rows = try? context.storedRows(of: objects.map(\.reference)) else {
      return error
    }
    return error.adding(
      objects.map { conflict(of: $0, rows[context.identity.root($0.reference)]) })
  }
}
