internal import CSQLite
internal import OxbowModel
internal import OxbowSQL
internal import OxbowStore

// Whoever reads a value of a store in which there may be files reads it here, while the statement
// that found the cell is open: the snapshot of a statement keeps the files that it refers to.

extension ExternalFolder {
  /// The bytes that a cell of a statement refers to; `nil` for a cell that is its own value.
  ///
  /// `place` says for messages whose value it is.
  static func bytes(
    _ cell: some Collection<UInt8>, _ place: @autoclosure () -> String, _ statement: OpaquePointer
  ) throws(PersistenceError) -> [UInt8]? {
    guard let reference = FileReference(cell), let folder = ExternalFolder(statement) else {
      return nil
    }
    return try folder.bytes(of: reference, place())
  }

  /// The bytes of a value; `place` says whose it is.
  func bytes(
    of reference: FileReference, _ place: String
  ) throws(PersistenceError) -> [UInt8] {
    do throws(ExternalFileError) { return try bytes(of: reference) } catch {
      throw .unreadable(place, error)
    }
  }

  /// The folder of the database that a statement reads; `nil` for one in memory, and where there is
  /// no table of files, so that nothing is a reference.
  ///
  /// The statement's own schema is asked, not what the store knows of it: another process may have
  /// made the table just now.
  init?(_ statement: OpaquePointer) {
    let database = sqlite3_db_handle(statement)
    guard let name = sqlite3_db_filename(database, "main") else { return nil }
    let path = String(cString: name)
    guard !path.isEmpty,
      sqlite3_table_column_metadata(
        database, "main", FilesTable.table.name, nil, nil, nil, nil, nil, nil) == SQLITE_OK
    else { return nil }
    self.init(ofStore: path)
  }
}

extension Statement {
  /// The value of a column of the current row, with the bytes of the file that it refers to.
  func deliveredValue(at column: Int) throws(PersistenceError) -> SQLValue {
    let cell = value(at: column)
    guard case .blob(let bytes) = cell,
      let value = try ExternalFolder.bytes(bytes, "a column of a statement", handle)
    else { return cell }
    return .blob(value)
  }
}

// MARK: - Rows

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
