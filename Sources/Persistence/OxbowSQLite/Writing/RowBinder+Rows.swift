internal import CSQLite
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension RowBinder {
  /// Binds a word of a row in the form of its column; text and bytes stay where the row has them.
  ///
  /// - Returns: SQLite's code, or `nil` when the column cannot have the value.
  @inline(__always)
  static func bind(
    _ slab: RowSlab, _ row: Int, _ slot: Int, _ codec: ColumnCodec, to statement: OpaquePointer,
    at index: Int32
  ) -> Int32? {
    if slab._isNull(row, slot) { return sqlite3_bind_null(statement, index) }
    switch codec {
    case .integer64, .boolean: return bind(slab._word(row, slot), to: statement, at: index)
    case .integer32:
      let number = slab._word(row, slot)
      return Int32(exactly: number) == nil ? nil : bind(number, to: statement, at: index)
    case .integer16:
      let number = slab._word(row, slot)
      return Int16(exactly: number) == nil ? nil : bind(number, to: statement, at: index)
    case .double, .float, .referenceDate, .dateNumber:
      let number = slab._real(row, slot)
      return number.isNaN ? nil : sqlite3_bind_double(statement, index, number)
    case .text, .decimalText, .uriText:
      return bindText(slab._span(row, slot), to: statement, at: index)
    case .blob, .uuidBlob: return bindBytes(slab._span(row, slot), to: statement, at: index)
    case .decimalNumber, .taggedBlob:
      let type = codec == .decimalNumber ? AttributeType.decimal : .binaryData
      return AttributeValue.read(slab, row, slot, as: type).flatMap {
        bindOther($0, codec, to: statement, at: index)
      }
    case .key, .entityNumber, .position: return nil
    }
  }

  private static func bind(
    _ number: Int64, to statement: OpaquePointer, at index: Int32
  ) -> Int32 {
    sqlite3_bind_int64(statement, index, number)
  }

  private static func bindText(
    _ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: Int32
  ) -> Int32 {
    guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
    return oxbow_sqlite3_bind_text_static(
      statement, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), length)
  }

  private static func bindBytes(
    _ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: Int32
  ) -> Int32 {
    guard let length = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
    guard length > 0 else { return sqlite3_bind_zeroblob(statement, index, 0) }
    return oxbow_sqlite3_bind_blob_static(statement, index, bytes.baseAddress, length)
  }
}
