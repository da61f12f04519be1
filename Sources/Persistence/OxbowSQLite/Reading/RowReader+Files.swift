internal import CSQLite
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Rows whose values may be in files.

extension RowReader {
  /// How many bytes a reference has; asked for each cell of bytes.
  static let referenceLength = 58

  /// What stands for the word of a value that cannot be read.
  static let unreadable: Int64 = -1

  /// The word of as many bytes, or of the value in the file that they refer to.
  ///
  /// All of it in one call, which the loop over cells makes for such a length only
  /// (docs/performance.md, M).
  ///
  /// - Returns: ``unreadable`` when the file cannot be read.
  @inline(never)
  static func readReference(
    _ start: UnsafeRawPointer, _ statement: OpaquePointer, _ writer: inout SlabWriter
  ) -> Int64 {
    let cell = UnsafeRawBufferPointer(start: start, count: referenceLength)
    guard let reference = FileReference(cell), let folder = ExternalFolder(statement) else {
      writer.room(for: referenceLength).copyMemory(from: start, byteCount: referenceLength)
      return writer.commitBytes(referenceLength)
    }
    do throws(ExternalFileError) {
      if writer.mapsFiles, let data = try folder.map(reference) { return writer.refer(to: data) }
      guard reference.byteCount < largestByteCount - writer.byteCount else { return unreadable }
      try folder.read(reference) { writer.room(for: $0) }
      return writer.commitBytes(reference.byteCount)
    } catch { return unreadable }
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
