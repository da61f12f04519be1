internal import OxbowFoundation
internal import OxbowModel
internal import OxbowStore

/// Memory for rows that are being read, grown as they come and handed to a slab as it is.
///
/// A result of one row must not cost the memory of thousands, so the first piece is small.
struct SlabWriter: ~Copyable {
  private(set) var rows: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  private(set) var bytes: UnsafeMutableRawPointer
  private(set) var byteCount = 0
  private var byteCapacity: Int

  /// The bytes that are not in `bytes`, if there are any: retained.
  private var outside: Unmanaged<OutsideBytes>?

  /// Whether values in files are mapped into memory, rather than read.
  let mapsFiles: Bool

  private let stride: Int

  /// How many rows a slab takes; asked for each row.
  private let usualCapacity = RowSlab.usualCapacity

  init(stride: Int, expecting expected: Int, mapsFiles: Bool = false) {
    let capacity = max(1, min(expected, RowSlab.usualCapacity))
    self.init(
      stride: stride, capacity: capacity, byteCapacity: 32 * capacity, mapsFiles: mapsFiles)
  }

  private init(stride: Int, capacity: Int, byteCapacity: Int, mapsFiles: Bool) {
    self.stride = stride
    self.mapsFiles = mapsFiles
    self.capacity = capacity
    self.byteCapacity = max(1, byteCapacity)
    rows = .allocate(byteCount: capacity * stride, alignment: 8)
    bytes = .allocate(byteCount: self.byteCapacity, alignment: 1)
  }

  /// A writer for the rows behind those of a full one, which are likely to have as many bytes, and
  /// some more (docs/performance.md, B).
  func successor() -> SlabWriter {
    SlabWriter(
      stride: stride, capacity: usualCapacity, byteCapacity: byteCount + byteCount / 16,
      mapsFiles: mapsFiles)
  }

  /// The memory of the next row; not counted before ``commitRow()``.
  @inline(__always)
  mutating func nextRow() -> UnsafeMutableRawPointer {
    if count == capacity { growRows() }
    return rows + count * stride
  }

  @inline(__always)
  mutating func commitRow() { count += 1 }

  /// Whether the next row belongs in another slab.
  ///
  /// SQLite's rows are smaller than 2 GiB, so a row always fits behind `usualBytes` into the 4 GiB
  /// that a word can point to.
  @inline(__always)
  var isFull: Bool { count >= usualCapacity || byteCount > Self.usualBytes }

  private static let usualBytes = 16 << 20

  /// Room for `length` more bytes.
  @inline(__always)
  mutating func room(for length: Int) -> UnsafeMutableRawPointer {
    if byteCount &+ length > byteCapacity { growBytes(to: byteCount + length) }
    return bytes + byteCount
  }

  /// Counts bytes that were written to ``room(for:)``, and returns their word.
  @inline(__always)
  mutating func commitBytes(_ length: Int) -> Int64 {
    let word = RowSlab.Layout.word(forBytesAt: byteCount, count: length)
    byteCount &+= length
    return word
  }

  /// Refers to bytes outside, or says why they could not be read; returns their word.
  mutating func refer(to data: Result<Data, PersistenceError>) -> Int64 {
    let outside = outside ?? .passRetained(OutsideBytes())
    self.outside = outside
    return outside._withUnsafeGuaranteedRef { $0.append(data) }
  }

  @inline(never)
  private mutating func growRows() {
    let grown = min(4 * capacity, usualCapacity)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: grown * stride, alignment: 8)
    memory.copyMemory(from: rows, byteCount: count * stride)
    rows.deallocate()
    rows = memory
    capacity = grown
  }

  @inline(never)
  private mutating func growBytes(to needed: Int) {
    let grown = max(needed, 2 * byteCapacity)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: grown, alignment: 1)
    memory.copyMemory(from: bytes, byteCount: byteCount)
    bytes.deallocate()
    bytes = memory
    byteCapacity = grown
  }

  /// Hands the memory to a slab.
  consuming func finish(_ reader: RowReader, _ layout: RowSlab.Layout) -> RowSlab {
    let slab = RowSlab(
      model: reader.model, layout: layout, rows: rows, count: count, bytes: bytes,
      byteCount: byteCount, outside: outside?.takeRetainedValue(), isFault: reader.isFault)
    discard self
    return slab
  }

  deinit {
    rows.deallocate()
    bytes.deallocate()
    outside?.release()
  }
}
