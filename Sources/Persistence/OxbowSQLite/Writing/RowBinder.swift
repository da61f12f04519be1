internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational

/// Binds the values of a row, straight from where a change set keeps them.
///
/// Text and bytes of one row are copied into one buffer that is used again for the next row, and
/// bound without a copy: letting SQLite copy each of them costs an allocation for each. The buffer
/// must not move while values are bound to it, so a row first says how much it needs. Belongs to
/// one save.
struct RowBinder: ~Copyable {
  private var buffer: UnsafeMutableRawPointer
  private var capacity: Int
  private var used = 0

  init() {
    capacity = 4096
    buffer = .allocate(byteCount: capacity, alignment: 1)
  }

  deinit { buffer.deallocate() }

  /// Makes room for the text and bytes of the next row; what was bound before is void.
  mutating func begin(_ values: some Sequence<AttributeValue?>) {
    used = 0
    var needed = 0
    for value in values {
      switch value {
      case .string(let text): needed += text.utf8.count
      case .data(let data): needed += data.count
      default: break
      }
    }
    guard needed > capacity else { return }
    buffer.deallocate()
    capacity = 2 * needed
    buffer = .allocate(byteCount: capacity, alignment: 1)
  }

  /// Binds a value of an attribute in the form of its column.
  ///
  /// - Returns: SQLite's code, or `nil` when the column cannot have the value.
  @inline(__always)
  mutating func bind(
    _ value: AttributeValue?, _ codec: ColumnCodec, to statement: OpaquePointer, at index: Int32
  ) -> Int32? {
    guard let value else { return sqlite3_bind_null(statement, index) }
    switch (codec, value) {
    case (.integer64, .integer(let number)): return sqlite3_bind_int64(statement, index, number)
    case (.integer32, .integer(let number)):
      guard Int32(exactly: number) != nil else { return nil }
      return sqlite3_bind_int64(statement, index, number)
    case (.integer16, .integer(let number)):
      guard Int16(exactly: number) != nil else { return nil }
      return sqlite3_bind_int64(statement, index, number)
    case (.boolean, .boolean(let truth)):
      return sqlite3_bind_int64(statement, index, truth ? 1 : 0)
    case (.double, .double(let number)), (.float, .double(let number)):
      return number.isNaN ? nil : sqlite3_bind_double(statement, index, number)
    case (.text, .string(let text)): return bind(text, to: statement, at: index)
    case (.blob, .data(let data)): return bind(data, to: statement, at: index)
    default: return Self.bindOther(value, codec, to: statement, at: index)
    }
  }

  private mutating func bind(_ text: String, to statement: OpaquePointer, at index: Int32) -> Int32
  {
    var text = text
    return text.withUTF8 { utf8 in
      guard let length = Int32(exactly: utf8.count) else { return SQLITE_TOOBIG }
      let start = keep(UnsafeRawBufferPointer(utf8))
      return oxbow_sqlite3_bind_text_static(
        statement, index, start.assumingMemoryBound(to: CChar.self), length)
    }
  }

  private mutating func bind(_ data: Data, to statement: OpaquePointer, at index: Int32) -> Int32 {
    guard let length = Int32(exactly: data.count) else { return SQLITE_TOOBIG }
    guard length > 0 else { return sqlite3_bind_zeroblob(statement, index, 0) }
    let start = data.withUnsafeBytes { keep($0) }
    return oxbow_sqlite3_bind_blob_static(statement, index, start, length)
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
    precondition(used + bytes.count <= capacity, "a row needs more bytes than it said")
    let start = buffer + used
    if let source = bytes.baseAddress {
      start.copyMemory(from: source, byteCount: bytes.count)
    }
    used += bytes.count
    return UnsafeRawPointer(start)
  }

  @inline(never)
  static func bindOther(
    _ value: AttributeValue, _ codec: ColumnCodec, to statement: OpaquePointer, at index: Int32
  ) -> Int32? {
    switch codec.encode(value) {
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .real(let number): return sqlite3_bind_double(statement, index, number)
    case .text(let text):
      guard let length = Int32(exactly: text.utf8.count) else { return SQLITE_TOOBIG }
      return oxbow_sqlite3_bind_text_transient(statement, index, text, length)
    case .blob(let bytes):
      guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
      return oxbow_sqlite3_bind_blob_transient(statement, index, bytes, length)
    case .null, nil: return nil
    }
  }
}
