// What a save changed, as bytes. All of this is file format.
//
//   1 byte   version of the form, 1
//   runs     kind, header, number of rows, rows
//
// Numbers are of variable length: seven bits a byte, the lowest first, the highest bit says that
// another byte follows; what may be negative is folded (0, -1, 1, -2 …). Keys are differences to
// the key of the row before, with overflow. A name is a number of `_oxbow_names`.
//
//   kind        header                                    row
//   1 insert    entity                                    key
//   2 update    entity, n, n properties, has values       key, version before, n values
//   3 delete    entity, n, n properties                   key, version (0: not read), n values
//   4 link      property, entity of owner, of member      owner, member
//   5 unlink    likewise                                  likewise
//   6 place     likewise, 1 for a place in the owner's    owner, member, position + 1 (0: last)
//   7 metadata                                            text
//   8 derived   entity, property                          key
//   9 note                                                text
//
//   value: 0 NULL; 1 number; 2 eight bytes of a REAL, the lowest first; 3 length, text; 4 length,
//   bytes; 5 length of what is in a file; 6 length of what was too large to be kept

/// What happened to rows.
package enum HistoryRunKind: UInt8, Sendable, CaseIterable {
  case insert = 1, update, delete, link, unlink, place, metadata, derived, note
}

/// A value of a row before a save.
package enum HistoryCell: Hashable, Sendable {
  case value(SQLValue)
  /// It was in a file, of so many bytes.
  case inFile(Int)
  /// It was too large to be kept.
  case large(Int)
}

/// Writes what a save changed, in parts of about ``HistoryTables/partBytes``, each of which is read
/// by itself.
package struct HistoryBlobWriter: Sendable {
  package static let version: UInt8 = 1

  /// Values of more bytes are not kept.
  package static let largestValue = 64 << 10

  /// A run is closed at so many bytes, so that no part is much larger than it should be.
  private static let runBytes = 64 << 10

  /// A writer with more room is not used again.
  private static let largestRoom = 64 << 10

  /// The parts before the last one, after ``finish()``.
  package private(set) var full: [[UInt8]] = []

  /// The last part, after ``finish()``; empty when nothing was written.
  package private(set) var last: [UInt8] = []

  private var header: [UInt8] = []
  private var rows: [UInt8] = []
  private var rowCount = 0
  private var lastKey: Int64 = 0
  private var lastMember: Int64 = 0

  package init() {}

  /// All parts, after ``finish()``; none when nothing was written.
  package var parts: [[UInt8]] { last.isEmpty ? full : full + [last] }

  /// Ends the last run.
  package mutating func finish() { closeRun() }

  /// Begins anew, in the room that it has: a small save allocates nothing.
  package mutating func removeAll() {
    guard full.isEmpty, last.capacity + rows.capacity <= Self.largestRoom else {
      self = Self()
      return
    }
    last.removeAll(keepingCapacity: true)
    closeRun()
  }

  /// Begins a run: its kind, and the numbers of its header.
  package mutating func begin(_ kind: HistoryRunKind, _ numbers: [Int64]) {
    begin(kind)
    for number in numbers { header(number) }
  }

  /// Begins a run, of which the header follows.
  package mutating func begin(_ kind: HistoryRunKind) {
    closeRun()
    header.append(kind.rawValue)
  }

  /// A number of the header, before the first row.
  package mutating func header(_ number: Int64) {
    Self.append(UInt64(bitPattern: number), to: &header)
  }

  /// Begins a row of a key; its version or values follow.
  package mutating func row(_ key: Int64) {
    if rows.count >= Self.runBytes { continueRun() }
    rowCount += 1
    appendFolded(key &- lastKey)
    lastKey = key
  }

  /// A row of two keys.
  package mutating func row(_ owner: Int64, _ member: Int64) {
    row(owner)
    appendFolded(member &- lastMember)
    lastMember = member
  }

  /// A row of a text.
  package mutating func row(_ text: String) {
    if rows.count >= Self.runBytes { continueRun() }
    rowCount += 1
    append(text)
  }

  /// A number of a row.
  package mutating func number(_ number: Int64) { appendFolded(number) }

  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append($0.count, UnsafeRawBufferPointer($0)) }
  }

  private mutating func continueRun() {
    let header = header
    closeRun()
    self.header = header
  }

  private mutating func closeRun() {
    defer {
      header.removeAll(keepingCapacity: true)
      rows.removeAll(keepingCapacity: true)
      (rowCount, lastKey, lastMember) = (0, 0, 0)
    }
    guard rowCount > 0 else { return }
    if last.count + rows.count > HistoryTables.partBytes, last.count > 1 {
      full.append(last)
      last = []
    }
    if last.isEmpty { last.append(Self.version) }
    last += header
    Self.append(UInt64(rowCount), to: &last)
    last += rows
  }
}

// MARK: - Values

extension HistoryBlobWriter {
  private enum Tag {
    static let null: UInt8 = 0
    static let integer: UInt8 = 1
    static let real: UInt8 = 2
    static let text: UInt8 = 3
    static let bytes: UInt8 = 4
    static let file: UInt8 = 5
    static let large: UInt8 = 6
  }

  package mutating func null() { rows.append(Tag.null) }

  package mutating func integer(_ number: Int64) {
    rows.append(Tag.integer)
    appendFolded(number)
  }

  package mutating func real(_ number: Double) {
    rows.append(Tag.real)
    var bits = number.bitPattern
    for _ in 0..<8 {
      rows.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
    }
  }

  package mutating func text(_ utf8: UnsafeRawBufferPointer) {
    guard utf8.count <= Self.largestValue else { return large(utf8.count) }
    rows.append(Tag.text)
    append(utf8.count, utf8)
  }

  package mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= Self.largestValue else { return large(bytes.count) }
    rows.append(Tag.bytes)
    append(bytes.count, bytes)
  }

  /// A value that was in a file.
  package mutating func file(_ byteCount: Int) {
    rows.append(Tag.file)
    Self.append(UInt64(max(0, byteCount)), to: &rows)
  }

  private mutating func large(_ byteCount: Int) {
    rows.append(Tag.large)
    Self.append(UInt64(byteCount), to: &rows)
  }

  private mutating func append(_ count: Int, _ bytes: UnsafeRawBufferPointer) {
    Self.append(UInt64(count), to: &rows)
    rows.append(contentsOf: bytes)
  }

  private mutating func appendFolded(_ number: Int64) {
    Self.append(UInt64(bitPattern: number &<< 1 ^ number &>> 63), to: &rows)
  }

  private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
