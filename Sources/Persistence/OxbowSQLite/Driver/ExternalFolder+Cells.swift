internal import CSQLite
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// A value of a store in which there may be files is read here, while the statement
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
    guard let path = databasePath(of: statement),
      sqlite3_table_column_metadata(
        sqlite3_db_handle(statement), "main", FilesTable.table.name, nil, nil, nil, nil, nil, nil)
        == SQLITE_OK
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
