// Rows as a store hands them over.
//
// A slab holds rows of one or several entities of one model, back to back, each `_stride` bytes:
//
//   offset  0   Int64   key
//           8   Int64   row version
//          16   Int32   entity (dense index)
//          20   Int32   where the entity's part of the model's slot table begins
//          24   UInt64… null bits, one for each word, as many as the widest entity needs
//   wordOffset  Int64…  one word for each slot: integers and keys as they are, numbers and dates as
//                       the bits of a Double, text and bytes as (offset << 32 | length) into `_bytes`
//
// A slab is written by one store call, then handed to one context and never written again; only the
// context's owner reads it. It lives as long as an object points into it, so stores close a slab
// after some thousand rows. It is also the cohort: what one slab brought is faulted together.

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
public import OxbowModel

/// A buffer of rows, written once by a store and read in place by the objects of a context.
public final class RowSlab: @unchecked Sendable {
  // Sendable by argument: a store fills the slab before it hands it over; afterwards only `_owner`
  // is set, once, by the context that received it.

  /// The model of the rows.
  public let model: CompiledModel

  /// The memory of the rows.
  public let _rows: UnsafeMutableRawPointer

  /// The distance between two rows in bytes.
  public let _stride: Int

  /// Where a row's words begin.
  public let _wordOffset: Int

  /// The model's slot table.
  public let _slots: UnsafePointer<Int32>

  /// The text and the bytes of all rows.
  public private(set) var _bytes: UnsafeMutableRawPointer

  /// The number of rows.
  public private(set) var count = 0

  /// The number of rows that it can take.
  package let capacity: Int

  /// Whether its rows have keys and entities only: their values are still to be fetched.
  package let isFault: Bool

  /// What the slab belongs to, set when a context takes it over.
  ///
  /// Each new object reads it: unchecked, because it is written once, before the first is made.
  @exclusivity(unchecked) public var _owner: AnyObject?

  private var byteCount = 0
  private var byteCapacity: Int

  /// Creates an empty slab for `capacity` rows of `entities`.
  package init(
    model: CompiledModel, entities: [Int], capacity: Int, byteCapacity: Int = 0,
    isFault: Bool = false
  ) {
    let words = isFault ? 0 : entities.reduce(0) { max($0, model.entities[$1].slotCount) }
    self.model = model
    self.capacity = capacity
    self.isFault = isFault
    self.byteCapacity = max(1, byteCapacity)
    let layout = Layout(words: words)
    _wordOffset = layout.wordOffset
    _stride = layout.stride
    _rows = .allocate(byteCount: max(1, capacity * _stride), alignment: 8)
    _bytes = .allocate(byteCount: self.byteCapacity, alignment: 1)
    _slots = model.slotTable.words
  }

  /// Takes over rows that a store has written itself, in one loop.
  ///
  /// `rows` and `bytes` were made with `allocate`, and are the slab's from now on.
  package init(
    model: CompiledModel, layout: Layout, rows: UnsafeMutableRawPointer, count: Int,
    bytes: UnsafeMutableRawPointer, byteCount: Int, isFault: Bool
  ) {
    self.model = model
    self.capacity = count
    self.count = count
    self.isFault = isFault
    self.byteCount = byteCount
    self.byteCapacity = byteCount
    _wordOffset = layout.wordOffset
    _stride = layout.stride
    _rows = rows
    _bytes = bytes
    _slots = model.slotTable.words
  }

  deinit {
    _rows.deallocate()
    _bytes.deallocate()
  }

  /// How the rows of a slab lie in memory.
  package struct Layout: Sendable, Hashable {
    /// Where a row's words begin, and the distance between two rows.
    package let wordOffset: Int
    package let stride: Int

    /// The layout for rows with `words` words.
    package init(words: Int) {
      wordOffset = RowSlab.headerSize + 8 * ((words + 63) / 64)
      stride = wordOffset + 8 * words
    }
  }

  /// The bytes before a row's null bits.
  package static var headerSize: Int { 24 }

  /// A sensible number of rows for one slab: large enough to spread its cost, small enough that one
  /// object that stays behind does not keep much memory.
  package static var usualCapacity: Int { 2048 }
}

// MARK: - Writing, for stores

extension RowSlab {
  /// Begins the next row with its header and no value in any word.
  ///
  /// - Returns: The row's memory. Write its words with ``setWord(_:of:to:)`` and ``append(_:)``.
  /// - Precondition: The slab has room (``count`` is below ``capacity``).
  package func beginRow(key: Int64, version: Int64, entity: Int) -> UnsafeMutableRawPointer {
    precondition(count < capacity, "a row slab was filled beyond its capacity")
    let row = _rows + count * _stride
    count += 1
    row.storeBytes(of: key, as: Int64.self)
    row.storeBytes(of: version, toByteOffset: 8, as: Int64.self)
    row.storeBytes(of: Int32(entity), toByteOffset: 16, as: Int32.self)
    row.storeBytes(of: model.slotTable.starts[entity], toByteOffset: 20, as: Int32.self)
    var offset = RowSlab.headerSize
    while offset < _wordOffset {
      row.storeBytes(of: UInt64.max, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    return row
  }

  /// Writes word `slot` of a row that was just begun.
  package func setWord(_ slot: Int, of row: UnsafeMutableRawPointer, to word: Int64) {
    let bits = RowSlab.headerSize + 8 * (slot >> 6)
    let old = row.load(fromByteOffset: bits, as: UInt64.self)
    row.storeBytes(
      of: old & ~(1 << UInt64(slot & 63)), toByteOffset: bits, as: UInt64.self)
    row.storeBytes(of: word, toByteOffset: _wordOffset + 8 * slot, as: Int64.self)
  }

  /// Takes the last row back, for a store that finds out late that a row does not fit.
  package func dropLastRow() { count -= 1 }

  /// Copies text or bytes behind what the slab already has.
  ///
  /// - Returns: The word for it, or `nil` when the slab's bytes would pass 4 GiB: close the slab.
  package func append(_ source: UnsafeRawPointer?, count length: Int) -> Int64? {
    guard length > 0, let source else { return 0 }
    guard byteCount + length <= Int(UInt32.max) else { return nil }
    if byteCount + length > byteCapacity { growBytes(to: byteCount + length) }
    (_bytes + byteCount).copyMemory(from: source, byteCount: length)
    defer { byteCount += length }
    return Int64(byteCount) << 32 | Int64(length)
  }

  private func growBytes(to needed: Int) {
    let capacity = max(needed, 2 * byteCapacity, 4096)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
    grown.copyMemory(from: _bytes, byteCount: byteCount)
    _bytes.deallocate()
    _bytes = grown
    byteCapacity = capacity
  }
}

// MARK: - Reading

extension RowSlab {
  /// The memory of a row.
  @inlinable public func _base(_ row: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(_rows + row * _stride)
  }

  /// The key of a row.
  @inlinable public func _key(_ row: Int) -> Int64 { _base(row).load(as: Int64.self) }

  /// The version of a row.
  @inlinable public func _version(_ row: Int) -> Int64 {
    _base(row).load(fromByteOffset: 8, as: Int64.self)
  }

  /// The dense index of a row's entity.
  @inlinable public func _entity(_ row: Int) -> Int {
    Int(_base(row).load(fromByteOffset: 16, as: Int32.self))
  }

  /// The word of the `accessor`-th property of the row's class.
  @inlinable public func _slot(_ row: Int, accessor: Int) -> Int {
    Int(_slots[Int(_base(row).load(fromByteOffset: 20, as: Int32.self)) + accessor])
  }

  /// Whether a word has no value.
  @inlinable public func _isNull(_ row: Int, _ slot: Int) -> Bool {
    _base(row).load(fromByteOffset: 24 + 8 * (slot >> 6), as: UInt64.self)
      & (1 << UInt64(slot & 63)) != 0
  }

  /// A word as it is.
  @inlinable public func _word(_ row: Int, _ slot: Int) -> Int64 {
    _base(row).load(fromByteOffset: _wordOffset + 8 * slot, as: Int64.self)
  }

  /// A word as a number.
  @inlinable public func _real(_ row: Int, _ slot: Int) -> Double {
    _base(row).load(fromByteOffset: _wordOffset + 8 * slot, as: Double.self)
  }

  /// The text or bytes of a word.
  ///
  /// Valid while the slab lives: copy out before returning.
  @inlinable public func _span(_ row: Int, _ slot: Int) -> UnsafeRawBufferPointer {
    let word = UInt64(bitPattern: _word(row, slot))
    return UnsafeRawBufferPointer(
      start: _bytes + Int(word >> 32), count: Int(word & 0xffff_ffff))
  }

  /// Returns an attribute's value, or `nil` for none.
  package func value(_ row: Int, _ property: CompiledProperty) -> AttributeValue? {
    guard case .attribute(let attribute) = property.kind, property.slot >= 0, !isFault,
      !_isNull(row, property.slot)
    else { return nil }
    return withExtendedLifetime(self) { .read(self, row, property.slot, as: attribute.type) }
  }
}

// MARK: - Words

extension RowSlab {
  /// Returns the word for a value; text and bytes are appended.
  ///
  /// - Returns: `nil` when the slab's bytes are used up.
  package func word(for value: AttributeValue) -> Int64? {
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
