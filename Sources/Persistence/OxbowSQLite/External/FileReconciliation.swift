internal import OxbowModel
internal import OxbowRelational

// Each save keeps the table of files right. A migration does not: its statements and scripts move
// cells from table to table, leave them out, or copy them. And other programs may do what they
// like. So the table is corrected from the cells, in the transaction that changed them.

/// Compares the cells of a store with its table of files.
struct FileReconciliation {
  private let connection: Connection
  private let columns: [FileColumn]
  private(set) var listed: [String: ListedFile] = [:]

  /// The files that cells refer to and the table does not have, by the column.
  private(set) var unlisted: [FileColumn: [FileReference]] = [:]

  /// Cells of files that another cell refers to too.
  private var repeated: [(column: FileColumn, row: SQLValue, reference: FileReference)] = []

  /// The files that cells refer to.
  private(set) var referred: Set<String> = []

  struct ListedFile {
    let byteCount: Int
    let isDiscarded: Bool
  }

  /// Looks at all cells, in a transaction.
  init(_ connection: Connection) throws {
    self.connection = connection
    columns = try connection.fileColumns()
    listed = try connection.listedFiles()
    for column in columns { try look(at: column) }
  }

  private mutating func look(at column: FileColumn) throws {
    for row in try connection.rows(column.references) {
      guard case .blob(let bytes) = row[1], let reference = FileReference(bytes) else { continue }
      if !referred.insert(reference.name).inserted {
        repeated.append((column, row[0], reference))
      } else if listed[reference.name] == nil {
        unlisted[column, default: []].append(reference)
      }
    }
  }

  /// The files that the table has and no cell.
  var unreferred: [String] {
    listed.filter { !$0.value.isDiscarded && !referred.contains($0.key) }.map(\.key).sorted()
  }

  /// The files that cells refer to although the table discards them; or will, once a copied cell
  /// has been written over.
  private var restored: Set<String> {
    Set(listed.filter { $0.value.isDiscarded && referred.contains($0.key) }.map(\.key))
      .union(repeated.map(\.reference.name))
  }

  /// Makes the table say what the cells do: each file of one cell, and the others discarded.
  ///
  /// A file that another program has brought along with its row is added to the table.
  ///
  /// - Throws: ``PersistenceError`` when a value that is there twice cannot be copied.
  func apply() throws {
    for reference in unlisted.values.joined()
    where connection.externalFolder?.has(reference.name) == true {
      try connection.list(reference)
    }
    for name in unreferred {
      try connection.run(FilesTable.setDiscarded, [.integer(1), .text(name)])
    }
    for (column, row, reference) in repeated { try copy(reference, to: column, row) }
    for name in restored.sorted() {
      try connection.run(FilesTable.setDiscarded, [.integer(0), .text(name)])
    }
  }

  /// Gives a cell a file of its own.
  private func copy(
    _ reference: FileReference, to column: FileColumn, _ row: SQLValue
  ) throws {
    guard column.hasRowKey else {
      throw PersistenceError(
        .migrationRefused,
        "the table '\(column.table)' has no key for each row (WITHOUT ROWID), and '\(column.column)' "
          + "refers to a file that another cell refers to as well; make the table with row keys, or "
          + "leave the column out")
    }
    guard let folder = connection.externalFolder else { return }
    let bytes = try folder.bytes(of: reference)
    let copy = try bytes.withUnsafeBytes { try connection.writeFile($0) }
    try connection.run(column.assignment, [.blob(copy.bytes), row])
  }
}

extension Connection {
  /// The columns that can refer to files, in the store's own tables and in those of other programs.
  ///
  /// A column of a table that is not STRICT takes bytes whatever its type is.
  func fileColumns() throws -> [FileColumn] {
    // Virtual tables have their own values, and need modules that this connection may not have.
    try rows(
      "SELECT t.name, t.wr, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c "
        + "WHERE t.schema = 'main' AND t.type = 'table' "
        + "AND (NOT t.strict OR upper(c.type) IN ('BLOB', 'ANY')) ORDER BY t.name, c.cid"
    ).compactMap { row in
      guard case .text(let table) = row[0], case .text(let name) = row[2],
        !table.hasPrefix(MetadataTables.prefix), !table.hasPrefix("sqlite_")
      else { return nil }
      return FileColumn(table: table, column: name, hasRowKey: row[1] == .integer(0))
    }
  }

  /// What the table of files has, by name.
  func listedFiles() throws -> [String: FileReconciliation.ListedFile] {
    var files: [String: FileReconciliation.ListedFile] = [:]
    for row in try rows(FilesTable.all) {
      guard case .text(let name) = row[0], case .integer(let bytes) = row[1] else { continue }
      files[name] = .init(byteCount: Int(bytes), isDiscarded: row[2] == .integer(1))
    }
    return files
  }

  /// Makes the table of files right after a step of a migration, in its last transaction.
  func reconcileFiles() throws {
    guard try hasFiles(), try integer(FilesTable.isAny) == 1 else { return }
    try FileReconciliation(self).apply()
  }
}
