internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension ChangeWriter {
  /// Notes the objects that a change set will change, and the links that go with them.
  func note(_ changes: ChangeSet) throws {
    guard let record = history else { return }
    try noteObjects(changes, record)
    if !mapping.joins.isEmpty { try noteIdleLinks(changes) }
    record.linksOfDeleted = try mapping.linksOfDeleted(changes, record.plan) { try links($0, $1) }
  }

  private func noteObjects(_ changes: ChangeSet, _ record: HistoryRecord) throws {
    try record.note(changes, mapping) { rows, entity, properties in
      let table = mapping.entities[entity]
      let columns = properties.compactMap { table.column(ofProperty: $0) }
      var rest = rows[...]
      while !rest.isEmpty {
        try noteBlock(rest.prefix(Self.historyBlock), table, columns, record)
        rest = rest.dropFirst(Self.historyBlock)
      }
    }
  }
}

// MARK: - Rows that were there

extension ChangeWriter {
  /// So many rows are read by one statement, as many as are deleted by one.
  private static var historyBlock: Int { 512 }

  private func noteBlock(
    _ rows: ArraySlice<(key: Int64, version: Int64)>, _ table: EntityMapping, _ columns: [Int],
    _ record: HistoryRecord
  ) throws {
    let keys = BoundKeys(block: rows.map(\.key)[...])
    let sql = statements.value(
      .values(entity: table.entity, columns: columns, keys.parameters)
    ) { generator.values(table, columns, keys.parameters) }
    let mayBeFiles = columns.map { externals != nil && table.columns[$0].codec == .blob }
    try connection.withStatement(sql) { statement throws in
      try keys.bind(to: statement)
      var isRow = try statement.step()
      for row in rows {
        while isRow, statement.integer(at: 0) < row.key { isRow = try statement.step() }
        record.blob.row(row.key)
        record.blob.number(row.version)
        // A row that is gone is a conflict, which the save finds.
        let isThere = isRow && statement.integer(at: 0) == row.key
        for index in columns.indices {
          isThere
            ? record.blob.cell(statement, index + 1, mayBeFile: mayBeFiles[index])
            : record.blob.null()
        }
      }
    }
  }

  /// The values of rows that a batch is going to change.
  func cells(
    _ objects: [ObjectReference], _ entity: Int, _ properties: [Int]
  ) throws -> [ObjectReference: [HistoryCell]] {
    let table = mapping.entities[entity]
    let columns = properties.compactMap { table.column(ofProperty: $0) }
    let keys = BoundKeys(objects.map(\.key).sorted())
    let references = Dictionary(
      objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let mayBeFiles = columns.map { externals != nil && table.columns[$0].codec == .blob }
    var cells: [ObjectReference: [HistoryCell]] = [:]
    try connection.withStatement(generator.values(table, columns, keys.parameters)) { statement in
      try keys.bind(to: statement)
      while try statement.step() {
        guard let reference = references[statement.integer(at: 0)] else { continue }
        cells[reference] = columns.indices.map { index in
          let value = statement.value(at: index + 1)
          guard mayBeFiles[index], case .blob(let bytes) = value,
            let file = FileReference(bytes)
          else { return .value(value) }
          return .inFile(file.byteCount)
        }
      }
    }
    return cells
  }
}

// MARK: - Cells

extension HistoryBlobWriter {
  /// The value of a column of the row at which a statement is, as the cell has it.
  fileprivate mutating func cell(_ statement: Statement, _ column: Int, mayBeFile: Bool) {
    let (handle, index) = (statement.handle, Int32(column))
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT:
      let start = sqlite3_column_text(handle, index)
      text(
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
    case SQLITE_BLOB:
      let start = sqlite3_column_blob(handle, index)
      let bytes = UnsafeRawBufferPointer(
        start: start, count: Int(sqlite3_column_bytes(handle, index)))
      if mayBeFile, let reference = FileReference(bytes) { return file(reference.byteCount) }
      self.bytes(bytes)
    default: null()
    }
  }
}
