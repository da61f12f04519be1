internal import CSQLite
internal import OxbowModel
internal import OxbowSQL
internal import OxbowStore

// Rows whose values may be in files.

extension RowReader {
  /// How many bytes a reference has; asked for each cell of bytes.
  static let referenceLength = 58

  /// The reference that as many bytes are, if they are one.
  @inline(never)
  static func fileReference(_ start: UnsafeRawPointer) -> FileReference? {
    FileReference(UnsafeRawBufferPointer(start: start, count: referenceLength))
  }

  /// The word of a value, which may be in a file; `nil` when it cannot be read.
  @inline(never)
  static func read(
    _ reference: FileReference, _ statement: OpaquePointer, _ writer: inout SlabWriter
  ) -> Int64? {
    guard let folder = ExternalFolder(statement) else {
      let bytes = reference.bytes
      writer.room(for: bytes.count).copyMemory(from: bytes, byteCount: bytes.count)
      return writer.commitBytes(bytes.count)
    }
    guard reference.byteCount <= largestByteCount - writer.byteCount else { return nil }
    do throws(ExternalFileError) {
      try folder.read(reference) { writer.room(for: $0) }
      return writer.commitBytes(reference.byteCount)
    } catch { return nil }
  }

  /// A word has 32 bits for the place of bytes.
  private static var largestByteCount: Int { Int(UInt32.max) }

  /// Why the file of a cell cannot be read; `nil` for a cell that refers to none.
  func unfitFile(
    _ operation: CellOperation, _ handle: OpaquePointer, _ key: Int64
  ) -> PersistenceError? {
    guard operation.code == .bytes, let reference = FileReference(cell(handle, operation.column)),
      let folder = ExternalFolder(handle)
    else { return nil }
    let column = shape.values[operation.value].column.name
    let place =
      "the column '\(column)' of the table '\(shape.mapping.table)', in the row with "
      + "\(shape.mapping.keyColumn) \(key),"
    if let problem = folder.problem(of: reference) { return .unreadable(place, problem) }
    return PersistenceError(
      .invalidStoredValue,
      "\(place) has \(reference.byteCount) bytes in the file '\(folder.path(of: reference.name))', "
        + "which could not be read with the others of the row: together, they must be less than "
        + "4 GiB; nothing was changed: try again, and read large attributes one by one with a "
        + "fetch of rows")
  }

  private func cell(_ handle: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}
