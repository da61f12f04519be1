internal import CSQLite
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// Rows whose values may be in files.

extension RowReader {
  /// How many bytes a reference has; asked for each cell of bytes.
  static let referenceLength = 58

  /// What replaces the word of a value that cannot be read.
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
    if FileReference(cell) != nil, let folder = ExternalFolder(statement) {
      return read(cell, folder, &writer, isMapped: writer.mapsFiles)
    }
    writer.room(for: referenceLength).copyMemory(from: start, byteCount: referenceLength)
    return writer.commitBytes(referenceLength)
  }

  /// The word of bytes behind a tag, or of the value in the file whose name is there.
  ///
  /// - Returns: ``unreadable`` for another tag, and when the file cannot be read.
  static func readTagged(
    _ cell: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ writer: inout SlabWriter
  ) -> Int64 {
    guard cell.first == TaggedCell.inlineTag else {
      guard let folder = CoreDataFolder(statement) else { return unreadable }
      // Another program's files are not mapped: it may make one shorter.
      return read(cell, folder, &writer, isMapped: false)
    }
    let bytes = UnsafeRawBufferPointer(rebasing: cell.dropFirst())
    if let start = bytes.baseAddress {
      writer.room(for: bytes.count).copyMemory(from: start, byteCount: bytes.count)
    }
    return writer.commitBytes(bytes.count)
  }

  /// The word of the value in the file that a cell refers to.
  private static func read(
    _ cell: UnsafeRawBufferPointer, _ cells: some ExternalCells, _ writer: inout SlabWriter,
    isMapped: Bool
  ) -> Int64 {
    do throws(ExternalFileError) {
      guard let file = try cells.file(of: cell) else { return unreadable }
      if isMapped, let data = file.map() { return writer.refer(to: .success(data)) }
      guard file.byteCount < largestByteCount - writer.byteCount else { return unreadable }
      try file.read(into: writer.room(for: file.byteCount))
      return writer.commitBytes(file.byteCount)
    } catch { return unreadable }
  }

  /// A word has 32 bits for the place of bytes.
  private static var largestByteCount: Int { Int(UInt32.max) }

  /// Why the file of a cell cannot be read; `nil` for a cell that refers to none.
  func unfitFile(
    _ operation: CellOperation, _ handle: OpaquePointer, _ key: Int64
  ) -> PersistenceError? {
    let cell = cell(handle, operation.column)
    return switch operation.code {
    case .bytes: ExternalFolder(handle).flatMap { unfitFile(operation, cell, $0, key) }
    case .tagged: CoreDataFolder(handle).flatMap { unfitFile(operation, cell, $0, key) }
    default: nil
    }
  }

  private func unfitFile(
    _ operation: CellOperation, _ cell: UnsafeRawBufferPointer, _ cells: some ExternalCells,
    _ key: Int64
  ) -> PersistenceError? {
    guard let path = cells.path(of: cell) else { return nil }
    let column = shape.values[operation.value].column.name
    let place =
      "the column '\(column)' of the table '\(shape.mapping.table)', in the row with "
      + "\(shape.mapping.keyColumn) \(key),"
    do throws(ExternalFileError) {
      let count = try cells.file(of: cell)?.byteCount ?? 0
      return PersistenceError(
        .invalidStoredValue,
        "\(place) has \(count) bytes in the file '\(path)', which could not be read with the "
          + "others of the row: together, they must be less than 4 GiB; nothing was changed: try "
          + "again, and read large attributes one by one with a fetch of rows")
    } catch { return .unreadable(place, error) }
  }

  private func cell(_ handle: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(
      start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}
