internal import CSQLite
internal import OxbowFoundation
internal import OxbowRelational

/// How the cells of a store refer to files beside it, and where these are.
protocol ExternalCells {
  /// The folder of the database that a statement reads; `nil` where its cells refer to none.
  init?(_ statement: OpaquePointer)

  /// Opens the file that a cell refers to.
  ///
  /// - Returns: `nil` for a cell that does not refer to one.
  func file(of cell: UnsafeRawBufferPointer) throws(ExternalFileError) -> OpenedFile?

  /// The path of the file that a cell refers to, or `nil`.
  func path(of cell: UnsafeRawBufferPointer) -> String?
}

extension ExternalCells {
  /// The bytes of the file that a cell refers to; `nil` for a cell that does not refer to one.
  func bytes(of cell: [UInt8]) throws(ExternalFileError) -> [UInt8]? {
    let result = cell.withUnsafeBytes { cell in
      Result { () throws(ExternalFileError) in try file(of: cell)?.bytes() }
    }
    return try result.get()
  }
}

extension ExternalFolder: ExternalCells {
  func file(of cell: UnsafeRawBufferPointer) throws(ExternalFileError) -> OpenedFile? {
    guard let reference = FileReference(cell) else { return nil }
    return try open(reference)
  }

  func path(of cell: UnsafeRawBufferPointer) -> String? {
    FileReference(cell).map { path(of: $0.name) }
  }
}

/// The folder in which Core Data has the large values of a store: `.App_SUPPORT/_EXTERNAL_DATA`
/// beside `App.sqlite`.
struct CoreDataFolder: ExternalCells {
  /// The folder's path.
  let path: String

  init(path: String) { self.path = path }

  /// The folder of a database file.
  init(ofStore store: String) {
    let cut = store.lastIndex(of: "/").map { store.index(after: $0) } ?? store.startIndex
    let file = store[cut...]
    let name = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    self.init(support: "\(store[..<cut]).\(name.isEmpty ? file : name)\(Self.suffix)")
  }

  init?(_ statement: OpaquePointer) {
    guard let path = databasePath(of: statement) else { return nil }
    self.init(ofStore: path)
  }

  func file(of cell: UnsafeRawBufferPointer) throws(ExternalFileError) -> OpenedFile? {
    guard let path = path(of: cell) else { return nil }
    guard let file = try OpenedFile(path) else { throw ExternalFileError(path, .missing) }
    return file
  }

  func path(of cell: UnsafeRawBufferPointer) -> String? {
    TaggedCell.name(in: cell).map { "\(path)/\($0)" }
  }
}

/// The path of the database that a statement reads; `nil` for one in memory.
func databasePath(of statement: OpaquePointer) -> String? {
  guard let name = sqlite3_db_filename(sqlite3_db_handle(statement), "main"), name.pointee != 0
  else { return nil }
  return String(cString: name)
}
