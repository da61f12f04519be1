internal import OxbowModel
package import OxbowRelational

/// Copies a store in a file, or makes one of a copy.
///
/// Saves of others go on while the file is read, as they do during a backup.
package struct SQLiteCopyEngine: CopyEngine {
  private let file: SQLiteStoreFile
  private let threshold: Int

  /// - Parameters:
  ///   - path: The store's file.
  ///   - threshold: How many bytes a value of an external attribute needs to be in a file.
  package init(
    _ path: String, threshold: Int = SQLiteStoreOptions().externalStorageThreshold
  ) {
    file = SQLiteStoreFile(path)
    self.threshold = threshold
  }

  package var place: String { file.path }
  package var isFile: Bool { true }

  package func read<R>(_ body: (any CopySource) throws -> R) throws -> R {
    try file.perform("copying") {
      try file.withDatabase(isReadOnly: true) { database in
        try database.read { connection in
          try connection.transaction(.read) { try body(FileSource(connection, file)) }
        }
      }
    }
  }

  package func make<R>(
    _ contents: StoreContents, _ body: (any CopyTarget) throws -> R
  ) throws -> R {
    try file.perform("copying to") {
      let new = try NewStoreFile(file.path, .plain)
      return try new.receive {
        try new.fill { connection in
          let target = try FileTarget(connection, contents, threshold)
          let result = try body(target)
          try target.finish(contents)
          return result
        }
      }
    }
  }
}

// MARK: - From a file

private final class FileSource: CopySource {
  let contents: StoreContents
  private(set) var tally = CopyTally()
  private let connection: Connection
  private let mapping: StoreMapping
  private let tables: [CopiedTable]

  /// The folder of large values; `nil` where cells refer to none.
  private let folder: ExternalFolder?

  init(_ connection: Connection, _ file: SQLiteStoreFile) throws {
    self.connection = connection
    contents = try StoreContents(file.requireStore(connection), connection)
    mapping = contents.mapping(in: connection.dialect)
    let missing = try TableDeclarations(mapping, connection).missing(mapping)
    guard missing.isEmpty else { throw PersistenceError.uncopied(file.path, lacking: missing) }
    tables = mapping.copiedTables
    folder = try connection.hasFiles() ? connection.externalFolder : nil
  }

  func leftovers() throws -> CopyLeftovers {
    var leftovers = CopyLeftovers()
    leftovers.otherTables = try contents.otherTables(connection, mapping)
    if try connection.integer(HistoryTables.exists) == 1 {
      leftovers.historySaves = Int(try connection.integer(HistoryTables.count) ?? 0)
    }
    return leftovers
  }

  func count(of table: Int) throws -> Int {
    Int(try connection.integer("SELECT count(*) FROM \(quoted(tables[table].name))") ?? 0)
  }

  func rows(of table: Int, _ body: ([SQLValue]) throws -> Void) throws {
    let table = tables[table]
    let reading =
      "SELECT \(table.list()) FROM \(quoted(table.name)) ORDER BY \(table.order)"
    try connection.withStatement(reading) { rows in
      while try rows.step() { try body(row(rows, table)) }
    }
  }

  private func row(_ rows: Statement, _ table: CopiedTable) throws -> [SQLValue] {
    var row: [SQLValue] = []
    row.reserveCapacity(table.columns.count)
    for (index, column) in table.columns.enumerated() {
      let cell = rows.value(at: index)
      guard rows.isWhole(cell, at: index), let settled = column.settled(cell) else {
        throw PersistenceError.uncopied(column, column.codec.expectation, table.place(row))
      }
      row.append(try value(of: settled, column, table, row))
    }
    return row
  }

  /// The bytes of a cell, which may be in a file.
  private func value(
    of cell: SQLValue, _ column: CopiedColumn, _ table: CopiedTable, _ row: [SQLValue]
  ) throws -> SQLValue {
    guard let folder, column.codec == .blob, case .blob(let reference) = cell else { return cell }
    do {
      guard let bytes = try folder.bytes(of: reference) else { return cell }
      tally.files += 1
      return .blob(bytes)
    } catch {
      throw PersistenceError.unreadable("'\(column.name)' of \(table.place(row))", error)
    }
  }
}

// MARK: - To a file

private final class FileTarget: CopyTarget {
  private(set) var tally = CopyTally()
  private let connection: Connection
  private let mapping: StoreMapping
  private let tables: [CopiedTable]
  private let threshold: Int
  private let hasFiles: Bool

  init(_ connection: Connection, _ contents: StoreContents, _ threshold: Int) throws {
    (self.connection, self.threshold) = (connection, threshold)
    mapping = contents.mapping(in: connection.dialect)
    tables = mapping.copiedTables
    hasFiles = tables.contains { $0.columns.contains(where: \.isExternal) }
    try connection.requireBoxes(mapping.tables)
    try StoreMetadata.create(connection)
    for table in mapping.tables {
      try connection.execute(table.definition(in: connection.dialect))
    }
    guard hasFiles else { return }
    try connection.create([FilesTable.table])
    try connection.run(FilesTable.raiseLayout)
  }

  func insert(into table: Int, _ rows: (([SQLValue]) throws -> Void) throws -> Void) throws {
    let table = tables[table]
    let parameters = table.list { _ in "?" }
    try connection.withStatement(
      "INSERT OR ABORT INTO \(quoted(table.name)) (\(table.list())) VALUES (\(parameters))"
    ) { insert in
      try rows { row in try insert.run(hasFiles ? zip(table.columns, row).map(stored) : row) }
    }
  }

  /// The cell of a value, which is written into a file where it is large.
  private func stored(_ column: CopiedColumn, _ value: SQLValue) throws -> SQLValue {
    guard column.codec == .blob, case .blob(let bytes) = value else { return value }
    return try bytes.withUnsafeBytes { buffer in
      let needsFile =
        column.isExternal && bytes.count > threshold || FileReference(buffer) != nil
      guard needsFile else { return value }
      do {
        let reference = try connection.writeFile(buffer)
        tally.files += 1
        return .blob(reference.bytes)
      } catch let error as ExternalFileError {
        throw PersistenceError.unwritable("a value of '\(column.name)'", error)
      }
    }
  }

  /// Indexes are made of all rows at once, and the facts are the last that is written.
  func finish(_ contents: StoreContents) throws {
    for table in mapping.tables {
      for index in table.indexes {
        for statement in index.definitions(on: table.name) { try connection.execute(statement) }
      }
    }
    try contents.write(connection)
  }
}
