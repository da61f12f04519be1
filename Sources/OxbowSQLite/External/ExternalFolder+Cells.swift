internal import CSQLite
internal import OxbowModel
internal import OxbowSQL
internal import OxbowStore

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Whoever reads a value of a store in which there may be files reads it here, while the statement
// that found the cell is open: the snapshot of a statement keeps the files that it refers to.

extension ExternalFolder {
  /// The value that a cell refers to; `nil` for a cell that is its own value.
  ///
  /// `place` says for messages whose value it is.
  func data(
    _ cell: some Collection<UInt8>, _ place: String
  ) throws(PersistenceError) -> Data? {
    guard let bytes = try bytes(cell, place) else { return nil }
    return Data(bytes)
  }

  /// Likewise as bytes.
  func bytes(
    _ cell: some Collection<UInt8>, _ place: String
  ) throws(PersistenceError) -> [UInt8]? {
    guard let reference = FileReference(cell) else { return nil }
    do throws(ExternalFileError) { return try bytes(of: reference) } catch {
      throw .unreadable(place, error)
    }
  }
}

// MARK: - Rows

extension RowReader {
  /// The word of a cell whose value may be in a file; `nil` when it cannot be read.
  @inline(never)
  static func external(
    _ statement: OpaquePointer, _ operation: CellOperation, _ writer: inout SlabWriter
  ) -> Int64? {
    let value = sqlite3_column_value(statement, operation.column)
    let start = sqlite3_value_blob(value)
    let length = Int(sqlite3_value_bytes(value))
    guard start != nil || length == 0,
      !operation.isProven || start != nil || isBlob(statement, operation.column)
    else { return nil }
    let cell = UnsafeRawBufferPointer(start: start, count: length)
    if let reference = FileReference(cell) { return read(reference, statement, &writer) }
    let room = writer.room(for: length)
    if let start, length > 0 { room.copyMemory(from: start, byteCount: length) }
    return writer.commitBytes(length)
  }

  private static func read(
    _ reference: FileReference, _ statement: OpaquePointer, _ writer: inout SlabWriter
  ) -> Int64? {
    let count = reference.byteCount
    guard count <= largestByteCount - writer.byteCount, let folder = ExternalFolder(statement)
    else { return nil }
    do throws(ExternalFileError) {
      try folder.read(reference) { writer.room(for: $0) }
      return writer.commitBytes(count)
    } catch { return nil }
  }

  /// A word has 32 bits for the place of bytes.
  private static var largestByteCount: Int { Int(UInt32.max) }

  /// Why the file of a cell cannot be read; `nil` for a cell that refers to none.
  @inline(never)
  func unfitFile(
    _ operation: CellOperation, _ handle: OpaquePointer, _ key: Int64
  ) -> PersistenceError? {
    guard operation.code == .external, let folder = ExternalFolder(handle),
      let reference = FileReference(cell(handle, operation.column))
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

extension ExternalFolder {
  /// The folder of the database that a statement reads; `nil` in memory.
  init?(_ statement: OpaquePointer) {
    guard let name = sqlite3_db_filename(sqlite3_db_handle(statement), "main") else { return nil }
    let path = String(cString: name)
    guard !path.isEmpty else { return nil }
    self.init(ofStore: path)
  }
}
