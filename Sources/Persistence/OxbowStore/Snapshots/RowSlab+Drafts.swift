internal import OxbowFoundation
package import OxbowModel

// Rows of new objects, which their objects write until they are saved: drafts (decision 0189).
//
// The first row of such a slab is a template with the defaults of the entity, and belongs to no
// object.

extension RowSlab {
  /// Creates a slab for the rows of `capacity` new objects of an entity, or returns `nil` if a row
  /// cannot have a default value.
  package static func drafts(
    of entity: CompiledEntity, in model: CompiledModel, capacity: Int
  ) -> RowSlab? {
    let slab = RowSlab(model: model, entities: [entity.index], capacity: capacity + 1)
    slab.beginRow(key: 0, version: 0, entity: entity.index)
    for property in entity.properties where property.slot >= 0 {
      guard let attribute = property.attribute, let value = attribute.defaultValue else { continue }
      guard slab.draft(value, as: attribute.type, 0, property.slot) else { return nil }
    }
    return slab
  }

  /// Appends the row of a new object: a copy of the template, with the object's key.
  ///
  /// - Returns: The row.
  /// - Precondition: The slab was made for drafts and has room.
  package func appendDraft(key: Int64) -> Int {
    copyTemplate(key: key)
    return count - 1
  }

  /// Writes a value of a draft.
  ///
  /// - Returns: Whether the row can have it: not a value of another type, a long text, or a URI,
  ///   which may be relative.
  package func draft(
    _ value: AttributeValue, as type: AttributeType, _ row: Int, _ slot: Int
  ) -> Bool {
    switch (value, type) {
    case (.integer(let number), .integer16), (.integer(let number), .integer32),
      (.integer(let number), .integer64):
      _setWord(row, slot, number)
    case (.boolean(let truth), .boolean): _setWord(row, slot, truth ? 1 : 0)
    case (.double(let number), .double), (.double(let number), .float): _setReal(row, slot, number)
    case (.date(let date), .date): _setReal(row, slot, date.timeIntervalSinceReferenceDate)
    case (.string(let text), .string): return _setText(row, slot, text)
    case (.decimal(let number), .decimal) where !number.isNaN:
      return _setText(row, slot, number.description)
    case (.data(let data), .binaryData), (.data(let data), .transformable):
      return data.withUnsafeBytes { setBytes(row, slot, $0) }
    case (.uuid(let uuid), .uuid):
      return withUnsafeBytes(of: uuid.uuid) { setBytes(row, slot, $0) }
    default: return false
    }
    return true
  }

  /// Writes a word of a draft.
  @inlinable public func _setWord(_ row: Int, _ slot: Int, _ word: Int64) {
    let memory = _rows + row * _layout.stride
    let nulls = Layout.nullOffset(slot)
    let old = memory.load(fromByteOffset: nulls, as: UInt64.self)
    memory.storeBytes(of: old & ~Layout.nullBit(slot), toByteOffset: nulls, as: UInt64.self)
    memory.storeBytes(of: word, toByteOffset: _layout.wordOffset(slot), as: Int64.self)
  }

  /// Writes a word of a draft as a number.
  @inlinable public func _setReal(_ row: Int, _ slot: Int, _ number: Double) {
    _setWord(row, slot, Int64(bitPattern: number.bitPattern))
  }

  /// Removes the value of a word of a draft.
  @inlinable public func _setNull(_ row: Int, _ slot: Int) {
    let memory = _rows + row * _layout.stride
    let nulls = Layout.nullOffset(slot)
    let old = memory.load(fromByteOffset: nulls, as: UInt64.self)
    memory.storeBytes(of: old | Layout.nullBit(slot), toByteOffset: nulls, as: UInt64.self)
  }

  /// Writes a text of a draft.
  ///
  /// - Returns: Whether the row can have it.
  public func _setText(_ row: Int, _ slot: Int, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { setBytes(row, slot, UnsafeRawBufferPointer($0)) }
  }

  private func setBytes(_ row: Int, _ slot: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= Self.longestDraft, abandon(row, slot),
      let word = append(bytes.baseAddress, count: bytes.count)
    else { return false }
    _setWord(row, slot, word)
    return true
  }

  /// Counts the bytes of a word that are abandoned, because new bytes follow all others.
  ///
  /// - Returns: Whether there may be more.
  private func abandon(_ row: Int, _ slot: Int) -> Bool {
    guard !_isNull(row, slot) else { return true }
    abandonedBytes += Layout.bytes(of: _word(row, slot)).count
    return abandonedBytes <= Self.mostAbandoned
  }

  /// The longest text of a draft in its row, in bytes: longer ones would be copied too often while
  /// the slab's bytes grow.
  private static var longestDraft: Int { 4096 }

  /// The number of bytes of a slab that may be abandoned.
  private static var mostAbandoned: Int { 1 << 16 }
}

// MARK: - Saving

extension RowSlab {
  /// The value of each property of a row's entity by property index; `nil` for no value and for
  /// relationships.
  package func values(of row: Int) -> ContiguousArray<AttributeValue?> {
    ContiguousArray(model.entities[_entity(row)].properties.map { storedValue(row, $0) })
  }

  /// Whether the words of a row need no check beyond these.
  package func passes(_ checks: ContiguousArray<RowCheck>, _ row: Int) -> Bool {
    for check in checks {
      guard _isNull(row, check.slot) ? check.allowsNone : check.passes(_word(row, check.slot))
      else { return false }
    }
    return true
  }

  /// Sets the version of a saved draft's row.
  package func setVersion(_ row: Int, _ version: Int64) {
    (_rows + row * _layout.stride).storeBytes(
      of: version, toByteOffset: Layout.version, as: Int64.self)
  }

  /// Sets the object of a to-one relationship in a row.
  package func setReference(_ row: Int, _ property: CompiledProperty, _ reference: ObjectReference)
  {
    _setWord(row, property.slot, reference.key)
    if let relationship = property.relationship, relationship.entitySlot >= 0 {
      _setWord(row, relationship.entitySlot, Int64(reference.entity))
    }
  }
}
