internal import OxbowFoundation
package import OxbowModel

/// Writes new rows of a context, made of rows and edits, into slabs of its own.
package struct RowWriter {
  private let model: CompiledModel
  private let owner: AnyObject
  private let capacity: Int
  private var slab: RowSlab?

  /// The value of a property in the next row.
  package enum Cell {
    /// The value of the row before.
    case unchanged
    /// No value, or no object.
    case null
    case attribute(AttributeValue)
    case object(ObjectReference)
  }

  /// Creates a writer whose slabs belong to `owner` and take `capacity` rows each.
  package init(model: CompiledModel, owner: AnyObject, capacity: Int) {
    self.model = model
    self.owner = owner
    self.capacity = capacity
  }

  /// Writes the next row of an object.
  ///
  /// - Parameters:
  ///   - version: The version of the new row.
  ///   - old: The object's present row.
  ///   - cell: The value of a property in the new row; called for those with a word.
  /// - Returns: The new row.
  package mutating func write(
    version: Int64, replacing old: (slab: RowSlab, row: Int), _ cell: (CompiledProperty) -> Cell
  ) -> (slab: RowSlab, row: Int) {
    let entity = model.entities[old.slab._entity(old.row)]
    let first = slab(for: entity)
    if first.append(entity, version: version, replacing: old, cell) {
      return (first, first.count - 1)
    }
    // The slab has no more room for bytes.
    slab = nil
    let second = slab(for: entity)
    let isWritten = second.append(entity, version: version, replacing: old, cell)
    precondition(isWritten, "an object of '\(entity.name)' has more than 4 GiB of text and bytes")
    return (second, second.count - 1)
  }

  private mutating func slab(for entity: CompiledEntity) -> RowSlab {
    if let slab, slab.count < slab.capacity, slab.fits(entity) { return slab }
    let made = RowSlab(
      model: model, entities: Array(model.entities.indices), capacity: capacity)
    made._owner = owner
    slab = made
    return made
  }
}

extension RowSlab {
  fileprivate func fits(_ entity: CompiledEntity) -> Bool {
    Layout(words: entity.slotCount).stride <= _layout.stride
  }

  /// Appends a row.
  ///
  /// - Returns: Whether its text and bytes found room.
  fileprivate func append(
    _ entity: CompiledEntity, version: Int64, replacing old: (slab: RowSlab, row: Int),
    _ cell: (CompiledProperty) -> RowWriter.Cell
  ) -> Bool {
    beginRow(key: old.slab._key(old.row), version: version, entity: entity.index)
    for property in entity.properties where property.slot >= 0 {
      guard write(cell(property), of: property, replacing: old) else {
        dropLastRow()
        return false
      }
    }
    return true
  }

  /// Writes a property of the last row.
  private func write(
    _ cell: RowWriter.Cell, of property: CompiledProperty,
    replacing old: (slab: RowSlab, row: Int)
  ) -> Bool {
    switch cell {
    case .null: return true
    case .attribute(let value): return write(word(for: value), property.slot)
    case .object(let reference): setReference(count - 1, property, reference)
    case .unchanged:
      guard !old.slab.isFault, !old.slab._isNull(old.row, property.slot) else { return true }
      guard let reference = old.slab.reference(old.row, property) else {
        return write(word(in: old.slab, old.row, property), property.slot)
      }
      setReference(count - 1, property, reference)
    }
    return true
  }

  private func write(_ word: Int64?, _ slot: Int) -> Bool {
    guard let word else { return false }
    _setWord(count - 1, slot, word)
    return true
  }

  private func word(in old: RowSlab, _ row: Int, _ property: CompiledProperty) -> Int64? {
    switch property.attribute?.type.storage {
    case .text, .bytes:
      if let word = word(outside: old, row, property.slot) { return word }
      let span = old._span(row, property.slot)
      return append(span.baseAddress, count: span.count)
    default: return old._word(row, property.slot)
    }
  }

  /// Returns the word for a value, whose text or bytes are appended.
  ///
  /// - Returns: `nil` if the slab has no more room for bytes.
  private func word(for value: AttributeValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .double(let number): Int64(bitPattern: number.bitPattern)
    case .boolean(let truth): truth ? 1 : 0
    case .date(let date):
      Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern)
    case .string(let text): word(for: text)
    case .url(let url): word(for: url.absoluteString)
    case .decimal(let number): word(for: number.description)
    case .data(let data): data.withUnsafeBytes { append($0.baseAddress, count: $0.count) }
    case .uuid(let uuid):
      withUnsafeBytes(of: uuid.uuid) { append($0.baseAddress, count: $0.count) }
    }
  }

  private func word(for text: String) -> Int64? {
    var text = text
    return text.withUTF8 { append($0.baseAddress, count: $0.count) }
  }
}
