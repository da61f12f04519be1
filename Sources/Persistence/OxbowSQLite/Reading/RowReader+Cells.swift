// The loop over the cells of a row: step, read columns and fill the snapshot are one function
// family in one module, because a call across modules is not inlined. Everything here runs once for
// each cell of each fetch.

internal import CSQLite

extension RowReader {
  /// Fills the words of a row whose header is written.
  ///
  /// - Returns: The place of the operation whose cell does not fit the model, or -1.
  @inline(__always)
  static func fill(
    _ row: UnsafeMutableRawPointer, from statement: OpaquePointer,
    _ operations: UnsafeBufferPointer<CellOperation>, _ numbers: EntityNumbers,
    _ writer: inout SlabWriter
  ) -> Int {
    for index in 0..<operations.count {
      let operation = operations[index]
      var value: OpaquePointer?
      if !operation.isProven {
        // The column is looked for once. A statement is used by one thread at a time, and so may
        // the value be, which SQLite does not protect.
        value = sqlite3_column_value(statement, operation.column)
        let type = sqlite3_value_type(value)
        if operation.types &>> UInt8(truncatingIfNeeded: type) & 1 == 0 {
          guard type == SQLITE_NULL, operation.isOptional else { return index }
          setNull(row, operation)
          continue
        }
      }
      let word: Int64
      switch operation.code {
      case .integer: word = integer(value, statement, operation)
      case .integer32:
        word = integer(value, statement, operation)
        guard Int64(Int32(truncatingIfNeeded: word)) == word else { return index }
      case .integer16:
        word = integer(value, statement, operation)
        guard Int64(Int16(truncatingIfNeeded: word)) == word else { return index }
      case .boolean:
        word = integer(value, statement, operation)
        guard word & ~1 == 0 else { return index }
      case .real:
        word = Int64(bitPattern: real(value, statement, operation).bitPattern)
      case .float:
        let number = real(value, statement, operation)
        guard Float(number).isFinite == number.isFinite else { return index }
        word = Int64(bitPattern: number.bitPattern)
      case .date:
        let seconds = real(value, statement, operation)
        guard seconds.isFinite else { return index }
        word = Int64(bitPattern: seconds.bitPattern)
      case .text, .decimal, .uri:
        let value = value ?? sqlite3_column_value(statement, operation.column)
        guard let start = sqlite3_value_text(value) else { return index }
        let length = Int(sqlite3_value_bytes(value))
        let room = writer.room(for: length)
        let bits = copyText(from: UnsafeRawPointer(start), to: room, count: length)
        if bits & 0x8080_8080_8080_8080 != 0 || operation.code != .text {
          guard fits(operation.code, room, length) else { return index }
        }
        word = writer.commitBytes(length)
      case .bytes, .uuid:
        // An empty blob has no address.
        let value = value ?? sqlite3_column_value(statement, operation.column)
        let start = sqlite3_value_blob(value)
        let length = Int(sqlite3_value_bytes(value))
        guard operation.code == .bytes || length == 16, start != nil || length == 0,
          !operation.isProven || start != nil || isBlob(statement, operation.column)
        else { return index }
        if length == referenceLength, let start {
          word = readReference(start, statement, &writer)
          if word == unreadable { return index }
        } else {
          let room = writer.room(for: length)
          if let start, length > 0 { room.copyMemory(from: start, byteCount: length) }
          word = writer.commitBytes(length)
        }
      case .entity, .entityIfKnown:
        let number = integer(value, statement, operation)
        guard let entity = numbers[number] else {
          guard operation.code == .entityIfKnown else { return index }
          setNull(row, operation)
          continue
        }
        word = Int64(entity)
      case .decimalNumber, .tagged:
        let value = value ?? sqlite3_column_value(statement, operation.column)
        word = readOther(operation.code, value, statement, &writer)
        if word == unreadable { return index }
      }
      row.storeBytes(of: word, toByteOffset: operation.offset, as: Int64.self)
    }
    return -1
  }

  /// Says that a row has no value.
  @inline(__always)
  private static func setNull(_ row: UnsafeMutableRawPointer, _ operation: CellOperation) {
    let nulls = row.load(fromByteOffset: operation.nullOffset, as: UInt64.self)
    row.storeBytes(
      of: nulls | operation.nullBit, toByteOffset: operation.nullOffset, as: UInt64.self)
    row.storeBytes(of: 0, toByteOffset: operation.offset, as: Int64.self)
  }

  /// The number of a cell, whose value was looked for already unless it is proven.
  @inline(__always)
  private static func integer(
    _ value: OpaquePointer?, _ statement: OpaquePointer, _ operation: CellOperation
  ) -> Int64 {
    operation.isProven
      ? sqlite3_column_int64(statement, operation.column) : sqlite3_value_int64(value)
  }

  @inline(__always)
  private static func real(
    _ value: OpaquePointer?, _ statement: OpaquePointer, _ operation: CellOperation
  ) -> Double {
    operation.isProven
      ? sqlite3_column_double(statement, operation.column) : sqlite3_value_double(value)
  }

  /// The word of a cell in a form of another program, or ``unreadable``.
  @inline(never)
  private static func readOther(
    _ code: CellOperation.Code, _ value: OpaquePointer?, _ statement: OpaquePointer,
    _ writer: inout SlabWriter
  ) -> Int64 {
    guard code == .decimalNumber else {
      let start = sqlite3_value_blob(value)
      let count = start == nil ? 0 : Int(sqlite3_value_bytes(value))
      return readTagged(UnsafeRawBufferPointer(start: start, count: count), statement, &writer)
    }
    guard var text = decimalText(value) else { return unreadable }
    return text.withUTF8 { text in
      if let start = text.baseAddress {
        writer.room(for: text.count).copyMemory(from: start, byteCount: text.count)
      }
      return writer.commitBytes(text.count)
    }
  }

  @inline(never)
  private static func isBlob(_ statement: OpaquePointer, _ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_BLOB
  }
}

/// Copies bytes and returns the union of their bits, which shows whether any is above 127.
///
/// Texts are short, mostly: eight bytes at a time and an overlapping end beat a call of `memcpy`
/// followed by a second pass that looks for other letters than ASCII.
@inline(__always)
private func copyText(
  from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int
) -> UInt64 {
  var bits: UInt64 = 0
  if count >= 8 {
    var offset = 0
    while offset &+ 8 <= count {
      let word = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      bits |= word
      target.storeBytes(of: word, toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    let end = source.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    bits |= end
    target.storeBytes(of: end, toByteOffset: count &- 8, as: UInt64.self)
    return bits
  }
  if count >= 4 {
    let start = source.loadUnaligned(as: UInt32.self)
    let end = source.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
    target.storeBytes(of: start, as: UInt32.self)
    target.storeBytes(of: end, toByteOffset: count &- 4, as: UInt32.self)
    return UInt64(start | end)
  }
  for offset in 0..<count {
    let byte = source.load(fromByteOffset: offset, as: UInt8.self)
    bits |= UInt64(byte)
    target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }
  return bits
}
