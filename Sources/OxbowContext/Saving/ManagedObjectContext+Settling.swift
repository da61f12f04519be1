internal import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// After a save: what was written becomes the rows of the changed objects.
  func settle(after changes: ChangeSet) {
    for object in deletedObjects { expel(object) }
    var writer = RowWriter(schema: schema, owner: token)
    let updated = Set(changes.updates.map { ObjectReference(entity: $0.entity, key: $0.key) })
    settleInserted(&writer)
    for object in updatedObjects where !object.isDeleted && !object.isInserted {
      if updated.contains(object.reference) { writer.write(object, version: object.version + 1) }
      object.settle()
    }
    forgetChanges()
  }

  /// Writes the rows of new objects that somebody holds, and drops the others at once: an import would
  /// write every row only for the sweep that follows (a tenth of an insert in suite M).
  private func settleInserted(_ writer: inout RowWriter) {
    var objects = insertedObjects
    insertedObjects = []
    // Taken off one by one, so that this list does not hold what is asked for.
    while let (root, key) = objects.popLast().map({ (roots[$0.entityIndex], $0.key) }) {
      if maps[root].dropIfUnheld(key) { continue }
      guard let object = maps[root][key], !object.isDeleted else { continue }
      writer.write(object, version: 1)
      object.settle()
    }
  }
}

extension ManagedObject {
  /// Forgets the edits, which the row has by now, and keeps the collections that were loaded.
  fileprivate final func settle() {
    _state.subtract([.inserted, .updated])
    guard let overlay else { return }
    guard entity.hasMemory else { return dropOverlay() }
    var keeps = false
    for index in 0..<overlay.count {
      if case .collection(var state) = overlay[index], state.members != nil {
        state.settle()
        overlay[index] = .collection(state)
        keeps = true
      } else if entity.properties[index].isTransientAttribute {
        keeps = keeps || overlay[index].isEdit
      } else {
        overlay[index] = .unchanged
      }
    }
    if !keeps { dropOverlay() }
  }

  private final func dropOverlay() {
    overlay = nil
    _state.remove(.overlaid)
  }
}

extension PropertySchema {
  /// Whether it is an attribute that lives in memory only.
  var isTransientAttribute: Bool { slot < 0 && relationship == nil }
}

/// Writes the rows of saved objects into fresh slabs.
private struct RowWriter {
  let schema: Schema
  let owner: ContextToken
  var slab: RowSlab?

  init(schema: Schema, owner: ContextToken) {
    self.schema = schema
    self.owner = owner
  }

  mutating func write(_ object: ManagedObject, version: Int64) {
    if !append(object, version: version, to: slab(for: object)) {
      // The slab's bytes are used up; a fresh one takes the row.
      slab = nil
      _ = append(object, version: version, to: slab(for: object))
    }
  }

  /// The slab in use, if rows of the object's entity fit into it.
  private mutating func slab(for object: ManagedObject) -> RowSlab {
    let words = schema.entities[object.entityIndex].slotCount
    if let slab, slab.count < slab.capacity, slab._stride >= RowSlab.stride(words: words) {
      return slab
    }
    let made = RowSlab(
      schema: schema, entities: Array(schema.entities.indices), capacity: 256)
    made._owner = owner
    slab = made
    return made
  }

  private func append(_ object: ManagedObject, version: Int64, to slab: RowSlab) -> Bool {
    let old = object._slab
    let oldRow = Int(object._row)
    let row = slab.beginRow(key: object.key, version: version, entity: object.entityIndex)
    for property in object.entity.properties where property.slot >= 0 {
      let cell = object.overlay?[property.index] ?? .unchanged
      guard slab.write(cell, of: property, to: row, orFrom: old, oldRow) else {
        slab.dropLastRow()
        return false
      }
    }
    object.point(to: slab, slab.count - 1)
    return true
  }
}

extension RowSlab {
  static func stride(words: Int) -> Int { headerSize + 8 * ((words + 63) / 64) + 8 * words }

  /// Writes a property of a row: its edit, or what another row has.
  fileprivate func write(
    _ cell: Overlay.Cell, of property: PropertySchema, to row: UnsafeMutableRawPointer,
    orFrom old: RowSlab, _ oldRow: Int
  ) -> Bool {
    switch cell {
    case .null, .collection: return true
    case .value(let value):
      guard let word = self.word(for: value) else { return false }
      setWord(property.slot, of: row, to: word)
    case .object(let reference): write(reference, of: property, to: row)
    case .unchanged:
      guard !old.isFault, !old._isNull(oldRow, property.slot) else { return true }
      if let reference = old.reference(oldRow, property) {
        write(reference, of: property, to: row)
      } else if let word = self.word(for: old, oldRow, property) {
        setWord(property.slot, of: row, to: word)
      } else {
        return false
      }
    }
    return true
  }

  private func write(
    _ reference: ObjectReference, of property: PropertySchema, to row: UnsafeMutableRawPointer
  ) {
    setWord(property.slot, of: row, to: reference.key)
    if let relationship = property.relationship, relationship.entitySlot >= 0 {
      setWord(relationship.entitySlot, of: row, to: Int64(reference.entity))
    }
  }

  private func word(for old: RowSlab, _ oldRow: Int, _ property: PropertySchema) -> Int64? {
    switch property.attribute?.type.storage {
    case .text, .bytes:
      let span = old._span(oldRow, property.slot)
      return append(span.baseAddress, count: span.count)
    default: return old._word(oldRow, property.slot)
    }
  }
}
