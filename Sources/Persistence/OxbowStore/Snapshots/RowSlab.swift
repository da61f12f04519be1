// Rows as a store hands them over.
//
// A slab holds rows of one or several entities of one model, back to back, each `stride` bytes:
//
//   offset  0   Int64   key
//           8   Int32   entity (dense index)
//          12   Int32   where the entity's part of the model's slot table begins
//          16   Int64   row version
//          24   UInt64… null bits, one for each word, as many as the widest entity needs
//   firstWord   Int64…  one word for each slot: integers and keys as they are, numbers and dates
//                       as the bits of a Double, text and bytes as (offset << 32 | length) into
//                       `_bytes`; a length of UInt32.max is a place in `outside`
//
// A reference that was never read ends before the version: its row is 16 bytes.
//
// Only the files of `RowSlab` know these numbers. Stores that read rows in a loop of
// their own, and contexts that write rows, ask the layout.
//
// A slab is written by one store call, then handed to one context; its rows are never written
// again, and only the context's owner reads them. It lives as long as an object points into it, so
// stores close a slab after some thousand rows. It is also the cohort: what one slab brought is
// faulted together. The rows of new objects are the exception: a context makes their slabs, and
// each object writes its row until it is saved (`RowSlab+Drafts.swift`).
//
// Most objects are clean, so an object has no field for its edits: they are kept with its row
// (``RowSlab/kept``), in room that is made with the slab's first edit (decision 0134).

internal import OxbowFoundation
public import OxbowModel

/// A buffer of rows, written once by a store and read in place by the objects of a context.
public final class RowSlab: @unchecked Sendable {
  // Sendable by argument: a store fills the slab before it hands it over. Afterwards `_owner` and
  // `kept` are set, once each, by the owner of the context that received it. An entry of `kept`
  // belongs to its object alone: only the owner writes it, or the thread that drops the last
  // reference to the object. Drafts are written by the owner of their context. A save reads them on
  // another thread, while the owner waits for it; the key, which an object without an owner looks
  // up, is not written.

  /// The model of the rows.
  public let model: CompiledModel

  /// The memory of the rows.
  public let _rows: UnsafeMutableRawPointer

  /// How the rows lie in memory.
  @usableFromInline package let _layout: Layout

  /// The model's slot table.
  public let _slots: UnsafePointer<Int32>

  /// The text and the bytes of all rows.
  ///
  /// Each read of a text reads it: unchecked, because it changes only while the slab is written.
  @exclusivity(unchecked) public private(set) var _bytes: UnsafeMutableRawPointer

  /// The bytes that are not in `_bytes`; unchecked like it.
  @exclusivity(unchecked) var outside: OutsideBytes?

  /// The number of rows; unchecked, because nothing is called while it changes.
  @exclusivity(unchecked) public private(set) var count = 0

  /// The number of rows that it can take.
  package let capacity: Int

  /// Whether its rows have keys and entities only, and were not read.
  package let isFault: Bool

  /// Whether its rows came together, so that reading one reads all.
  package let isCohort: Bool

  /// The slab's owner, set when a context takes it over.
  ///
  /// Unchecked, because it is written once, before the first object is made.
  @exclusivity(unchecked) public var _owner: AnyObject?

  /// The slab's owner, for each new object: inlined, the access stays unchecked in the caller's
  /// module (docs/performance.md, M/fetch).
  @inlinable public var _givenOwner: AnyObject? { _owner }

  /// The objects that are kept with the rows, one entry for each row; `nil` if there are none.
  @exclusivity(unchecked) private var kept: UnsafeMutablePointer<AnyObject?>?

  /// The number of bytes that drafts have abandoned.
  @exclusivity(unchecked) var abandonedBytes = 0

  @exclusivity(unchecked) private var byteCount = 0
  @exclusivity(unchecked) private var byteCapacity: Int

  /// Creates an empty slab for `capacity` rows of `entities`.
  package convenience init(model: CompiledModel, entities: [Int], capacity: Int) {
    let words = entities.reduce(0) { max($0, model.entities[$1].slotCount) }
    self.init(model, Layout(words: words), capacity, isFault: false, isCohort: true)
  }

  /// Creates an empty slab for the rows of `capacity` new objects: headers.
  package convenience init(newRowsOf model: CompiledModel, capacity: Int) {
    self.init(model, Layout(words: 0), capacity, isFault: true, isCohort: false)
  }

  /// Creates an empty slab for `capacity` references that were not read.
  package convenience init(
    referencesOf model: CompiledModel, capacity: Int, isCohort: Bool = true
  ) {
    self.init(model, .reference, capacity, isFault: true, isCohort: isCohort)
  }

  private init(
    _ model: CompiledModel, _ layout: Layout, _ capacity: Int, isFault: Bool, isCohort: Bool
  ) {
    self.model = model
    self.capacity = capacity
    self.isFault = isFault
    self.isCohort = isCohort
    byteCapacity = 1
    _layout = layout
    _rows = .allocate(byteCount: max(1, capacity * layout.stride), alignment: 8)
    _bytes = .allocate(byteCount: byteCapacity, alignment: 1)
    _slots = model.slotTable.words
  }

  /// Takes over rows that a store has written itself, in one loop.
  ///
  /// `rows` and `bytes` were made with `allocate`, and are the slab's from now on.
  package init(
    model: CompiledModel, layout: Layout, rows: UnsafeMutableRawPointer, count: Int,
    bytes: UnsafeMutableRawPointer, byteCount: Int, outside: OutsideBytes?, isFault: Bool
  ) {
    self.outside = outside
    self.model = model
    self.capacity = count
    self.count = count
    self.isFault = isFault
    isCohort = true
    self.byteCount = byteCount
    self.byteCapacity = byteCount
    _layout = layout
    _rows = rows
    _bytes = bytes
    _slots = model.slotTable.words
  }

  deinit {
    _rows.deallocate()
    _bytes.deallocate()
    kept?.deinitialize(count: capacity).deallocate()
  }

  /// The usual number of rows of a slab: large enough to spread its cost, small enough that one
  /// remaining object does not keep much memory.
  package static var usualCapacity: Int { 2048 }
}

// MARK: - Writing, for stores

extension RowSlab {
  /// A slab with more room that has the rows of this one, whose bytes it takes away: for a store
  /// that does not know how many rows come.
  package func moved(toCapacity capacity: Int) -> RowSlab {
    let slab = RowSlab(model, _layout, capacity, isFault: isFault, isCohort: isCohort)
    slab._rows.copyMemory(from: _rows, byteCount: count * _layout.stride)
    slab.count = count
    swap(&slab._bytes, &_bytes)
    swap(&slab.byteCount, &byteCount)
    swap(&slab.byteCapacity, &byteCapacity)
    swap(&slab.outside, &outside)
    return slab
  }

  /// Begins the next row with its header and without values; its words are written with
  /// ``_setWord(_:_:_:)`` and ``append(_:count:)``.
  ///
  /// - Precondition: The slab has room (``count`` is below ``capacity``).
  package func beginRow(key: Int64, version: Int64, entity: Int) {
    let row = nextRow()
    Layout.writeHeader(
      of: row, key: key, version: version, entity: Int32(entity),
      slots: model.slotTable.starts[entity])
    _layout.clearWords(of: row)
  }

  /// Appends an object that was not read.
  ///
  /// - Precondition: The slab has room.
  package func append(_ reference: ObjectReference) {
    Layout.writeReference(
      to: nextRow(), key: reference.key, entity: Int32(reference.entity),
      slots: model.slotTable.starts[reference.entity])
  }

  /// Appends a copy of the first row with another key.
  func copyTemplate(key: Int64) {
    let row = nextRow()
    row.copyMemory(from: _rows, byteCount: _layout.stride)
    row.storeBytes(of: key, toByteOffset: Layout.key, as: Int64.self)
  }

  private func nextRow() -> UnsafeMutableRawPointer {
    precondition(count < capacity, "a row slab was filled beyond its capacity")
    defer { count += 1 }
    return _rows + count * _layout.stride
  }

  /// Takes the last row back, for a store that finds late that it does not fit.
  package func dropLastRow() { count -= 1 }

  /// Appends text or bytes to those of the slab.
  ///
  /// - Returns: The word for it, or `nil` if the slab's bytes would exceed 4 GiB: close the slab.
  package func append(_ source: UnsafeRawPointer?, count length: Int) -> Int64? {
    guard length > 0, let source else { return 0 }
    guard byteCount + length < Int(UInt32.max) else { return nil }
    if byteCount + length > byteCapacity {
      grow(with: source, length)
    } else {
      (_bytes + byteCount).copyMemory(from: source, byteCount: length)
    }
    defer { byteCount += length }
    return Layout.word(forBytesAt: byteCount, count: length)
  }

  /// Moves the bytes to more room, and copies `source` behind them before the old room is freed,
  /// because it may be the slab's own.
  private func grow(with source: UnsafeRawPointer, _ length: Int) {
    let capacity = max(byteCount + length, 2 * byteCapacity, 4096)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    grown.copyMemory(from: _bytes, byteCount: byteCount)
    (grown + byteCount).copyMemory(from: source, byteCount: length)
    _bytes.deallocate()
    _bytes = grown
    byteCapacity = capacity
  }
}

// MARK: - What objects keep with their rows

extension RowSlab {
  @inline(__always)
  package func kept(with row: Int) -> AnyObject? { kept?[row] }

  package func keep(_ object: AnyObject?, with row: Int) {
    if kept == nil && object != nil { makeRoom() }
    kept?[row] = object
  }

  @inline(never)
  private func makeRoom() {
    let made = UnsafeMutablePointer<AnyObject?>.allocate(capacity: capacity)
    made.initialize(repeating: nil, count: capacity)
    kept = made
  }
}

// MARK: - Reading

extension RowSlab {
  /// The memory of a row.
  @inlinable public func _base(_ row: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(_rows + row &* _layout.stride)
  }

  /// The key of a row.
  @inlinable public func _key(_ row: Int) -> Int64 {
    _base(row).load(fromByteOffset: Layout.key, as: Int64.self)
  }

  /// The version of a row; 0 for a reference that was not read.
  @inlinable public func _version(_ row: Int) -> Int64 {
    guard _layout.hasVersions else { return 0 }
    return _base(row).load(fromByteOffset: Layout.version, as: Int64.self)
  }

  /// The dense index of a row's entity.
  @inlinable public func _entity(_ row: Int) -> Int {
    Int(_base(row).load(fromByteOffset: Layout.entity, as: Int32.self))
  }

  /// The word of the `accessor`-th property of the row's class.
  @inlinable public func _slot(_ row: Int, accessor: Int) -> Int {
    Int(_slots[Int(_base(row).load(fromByteOffset: Layout.slots, as: Int32.self)) &+ accessor])
  }

  /// Whether a word has no value.
  @inlinable public func _isNull(_ row: Int, _ slot: Int) -> Bool {
    _base(row).load(fromByteOffset: Layout.nullOffset(slot), as: UInt64.self)
      & Layout.nullBit(slot) != 0
  }

  /// A word as it is.
  @inlinable public func _word(_ row: Int, _ slot: Int) -> Int64 {
    _base(row).load(fromByteOffset: _layout.wordOffset(slot), as: Int64.self)
  }

  /// A word as a number.
  @inlinable public func _real(_ row: Int, _ slot: Int) -> Double {
    _base(row).load(fromByteOffset: _layout.wordOffset(slot), as: Double.self)
  }

  /// The text or bytes of a word.
  ///
  /// Valid while the slab lives: copy out before returning.
  @inlinable @inline(__always)
  public func _span(_ row: Int, _ slot: Int) -> UnsafeRawBufferPointer {
    let bytes = Layout.bytes(of: _word(row, slot))
    return UnsafeRawBufferPointer(start: _bytes + bytes.offset, count: bytes.count)
  }

  /// Returns an attribute's value, or `nil` for none.
  package func storedValue(_ row: Int, _ property: CompiledProperty) -> AttributeValue? {
    guard case .attribute(let attribute) = property.kind, property.slot >= 0, !isFault,
      !_isNull(row, property.slot)
    else { return nil }
    return withExtendedLifetime(self) { .read(self, row, property.slot, as: attribute.type) }
  }

  /// Whether a row has values, not only its header because its reader had them already.
  package func hasValues(_ row: Int) -> Bool {
    _base(row).load(fromByteOffset: Layout.slots, as: Int32.self) != Layout.noSlots
  }

  /// The object of a row.
  package func reference(at row: Int) -> ObjectReference {
    ObjectReference(entity: _entity(row), key: _key(row))
  }

  /// Returns the object of a row's to-one relationship, or `nil` for none.
  package func reference(_ row: Int, _ property: CompiledProperty) -> ObjectReference? {
    guard !isFault, property.slot >= 0, let relationship = property.relationship,
      !_isNull(row, property.slot)
    else { return nil }
    return ObjectReference(entity: entity(row, relationship), key: _word(row, property.slot))
  }

  /// The entity that the row names beside a key, or else the relationship's own.
  ///
  /// Only the row at the other end knows; a fault of another entity is replaced when that row is
  /// read.
  private func entity(_ row: Int, _ relationship: CompiledRelationship) -> Int {
    let slot = relationship.entitySlot
    guard slot >= 0, !_isNull(row, slot) else { return relationship.destination }
    let entity = Int(_word(row, slot))
    let isBelow = model.entities[relationship.destination].subtree.contains(entity)
    return isBelow ? entity : relationship.destination
  }
}

extension [RowSlab] {
  /// The keys of all rows, in order.
  package var keys: [Int64] { flatMap { slab in (0..<slab.count).map { slab._key($0) } } }
}
