internal import OxbowModel
internal import OxbowStore

/// Writes the rows of saved objects into fresh slabs.
struct RowWriter {
  let model: CompiledModel
  let owner: ContextToken
  let capacity: Int
  private var slab: RowSlab?

  init(model: CompiledModel, owner: ContextToken, capacity: Int = 256) {
    self.model = model
    self.owner = owner
    self.capacity = capacity
  }

  /// Gives an object a row with its edits in it.
  mutating func writeEdits(of object: ManagedObject, version: Int64) {
    let overlay = object.overlay
    write(object, version: version) { overlay?[$0.index] ?? .unchanged }
  }

  /// Gives an object a row with its values, but for the cells that `edit` returns.
  mutating func write(
    _ object: ManagedObject, version: Int64, _ edit: (CompiledProperty) -> Overlay.Cell
  ) {
    if !append(object, version: version, to: slab(for: object), edit) {
      // The slab's bytes are used up; a fresh one takes the row.
      slab = nil
      _ = append(object, version: version, to: slab(for: object), edit)
    }
  }

  /// The slab in use, if rows of the object's entity fit into it.
  private mutating func slab(for object: ManagedObject) -> RowSlab {
    let words = model.entities[object.entityIndex].slotCount
    if let slab, slab.count < slab.capacity, slab._stride >= RowSlab.stride(words: words) {
      return slab
    }
    let made = RowSlab(
      model: model, entities: Array(model.entities.indices), capacity: capacity)
    made._owner = owner
    slab = made
    return made
  }

  private func append(
    _ object: ManagedObject, version: Int64, to slab: RowSlab,
    _ edit: (CompiledProperty) -> Overlay.Cell
  ) -> Bool {
    let old = object._slab
    let oldRow = Int(object._row)
    let row = slab.beginRow(key: object.key, version: version, entity: object.entityIndex)
    for property in object.entity.properties where property.slot >= 0 {
      guard slab.write(edit(property), of: property, to: row, orFrom: old, oldRow) else {
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
    _ cell: Overlay.Cell, of property: CompiledProperty, to row: UnsafeMutableRawPointer,
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
    _ reference: ObjectReference, of property: CompiledProperty, to row: UnsafeMutableRawPointer
  ) {
    setWord(property.slot, of: row, to: reference.key)
    if let relationship = property.relationship, relationship.entitySlot >= 0 {
      setWord(relationship.entitySlot, of: row, to: Int64(reference.entity))
    }
  }

  private func word(for old: RowSlab, _ oldRow: Int, _ property: CompiledProperty) -> Int64? {
    switch property.attribute?.type.storage {
    case .text, .bytes:
      let span = old._span(oldRow, property.slot)
      return append(span.baseAddress, count: span.count)
    default: return old._word(oldRow, property.slot)
    }
  }
}
