// Unique indexes are checked row by row, while a save is right or wrong as a whole: two rows may
// exchange their values. So an update that a unique index refuses waits until all others are made.
// Those that wait then give up their own values for values that no row has, and are made again.
// A row that is refused now wants the value of a row that keeps it.

internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension ChangeWriter {
  /// Makes the updates that waited for values which others of them had.
  mutating func update(waiting updates: [PlannedUpdate]) throws {
    var tables: [String: UniqueColumns] = [:]
    for item in updates {
      let entity = mapping.entities[item.update.entity]
      let columns = try tables[entity.table] ?? UniqueColumns(of: entity.table, connection)
      tables[entity.table] = columns
      try giveUpValues(item, entity, columns)
    }
    for item in updates {
      let entity = mapping.entities[item.update.entity]
      let shape = ChangeGenerator.UpdateShape(columns: item.columns, hasVersion: true)
      let sql = statements.value(.update(entity: entity.entity, shape)) {
        generator.update(entity, shape)
      }
      try connection.withStatement(sql) { statement throws in
        _ = try update(item, entity, statement, mayWait: false)
      }
    }
  }

  /// Takes the unique values that an update will set anew from its row; the version stays, so that
  /// the update finds it.
  private func giveUpValues(
    _ item: PlannedUpdate, _ entity: EntityMapping, _ columns: UniqueColumns
  ) throws {
    let names = columns.toGiveUp(Set(item.columns.map { entity.columns[$0].name }))
    guard !names.isEmpty else { return }
    let sql = generator.giveUp(entity, names)
    // It is improbable, but a row may have the value already.
    for attempt in 1...3 {
      do {
        return try connection.run(
          sql,
          try names.map { try columns.placeholder($0, connection) }
            + [.integer(item.update.key), .integer(item.update.version)])
      } catch let error as SQLiteError where error.code == .constraintUnique && attempt < 3 {}
    }
  }
}

/// The columns of a table that are in unique indexes, those of other programs included.
private struct UniqueColumns {
  private struct Column {
    let type: String
    let isRequired: Bool
  }

  private let table: String
  private let columns: [String: Column]
  private let indexes: [[String]]

  init(of table: String, _ connection: Connection) throws {
    self.table = table
    var columns: [String: Column] = [:]
    for row in try connection.rows(
      "SELECT name, type, \"notnull\" FROM pragma_table_info(?)", [.text(table)])
    {
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { continue }
      columns[name] = Column(type: type, isRequired: row[2] != .integer(0))
    }
    self.columns = columns
    indexes = try connection.rows(
      "SELECT name FROM pragma_index_list(?) WHERE \"unique\" = 1", [.text(table)]
    ).map { row in
      try connection.texts("SELECT name FROM pragma_index_info(?)", [row[0]])
    }
  }

  /// One column of each unique index that has some of `changed`, an optional one where there is
  /// one.
  func toGiveUp(_ changed: Set<String>) -> [String] {
    var names: [String] = []
    for index in indexes where !index.contains(where: names.contains) {
      let candidates = index.filter(changed.contains)
      let optional = candidates.first { columns[$0]?.isRequired == false }
      if let name = optional ?? candidates.first { names.append(name) }
    }
    return names
  }

  /// A value that no other row has: none where that is allowed, else one of the column's type.
  ///
  /// Where a table of another program refers to the column, it must not lose sight of the row.
  func placeholder(_ name: String, _ connection: Connection) throws -> SQLValue {
    guard let column = columns[name] else { return .null }
    if !column.isRequired, try !isReferred(name, connection) { return .null }
    switch column.type {
    case "INTEGER": return .integer(.random(in: .min ..< .min / 2))
    case "REAL": return .real(.random(in: -1e308 ..< -1e300))
    case "BLOB": return .blob(withUnsafeBytes(of: UUID().uuid) { Array($0) })
    default: return .text("oxbow \(UUID().uuidString)")
    }
  }

  private func isReferred(_ name: String, _ connection: Connection) throws -> Bool {
    try connection.integer(
      "SELECT count(*) FROM sqlite_schema AS s, pragma_foreign_key_list(s.name) AS f "
        + "WHERE s.type = 'table' AND lower(f.\"table\") = lower(?) AND lower(f.\"to\") = lower(?)",
      [.text(table), .text(name)]) != 0
  }
}

// MARK: - Who has the value

extension ChangeWriter {
  /// The error for a row that would have the unique values of another.
  ///
  /// `written` is what the refused statement writes, by the index of its column; a column that it
  /// leaves alone is read from the row.
  func notUnique(
    _ error: SQLiteError, _ entity: EntityMapping, _ key: Int64, _ written: [Int: SQLValue]
  ) -> PersistenceError {
    let id = id(entity.entity, key)
    guard let columns = columns(in: error.message, entity),
      let values = try? columns.map({ try written[$0] ?? stored($0, entity, key) }),
      let holder = try? holder(of: values, columns, entity, key)
    else { return .notUnique(id, error) }
    let properties = mapping.model.entities[entity.entity].properties
    let named = zip(columns, values).map { column, value in
      let column = entity.columns[column]
      let property = properties[column.property]
      return (property.name, column.value(value, of: property) { self.id($0.entity, $0.key) })
    }
    return .notUnique(id, named, holder: holder)
  }

  /// The columns that SQLite names: `UNIQUE constraint failed: Book.number, Book.edition`.
  private func columns(in message: String, _ entity: EntityMapping) -> [Int]? {
    let start = "UNIQUE constraint failed: "
    guard message.hasPrefix(start) else { return nil }
    var columns: [Int] = []
    for name in message.dropFirst(start.count).split(separator: ", ") {
      guard name.hasPrefix(entity.table + "."),
        let column = entity.columns.firstIndex(where: {
          $0.name == name.dropFirst(entity.table.count + 1) && [.attribute, .key].contains($0.role)
        })
      else { return nil }
      columns.append(column)
    }
    return columns
  }

  private func stored(_ column: Int, _ entity: EntityMapping, _ key: Int64) throws -> SQLValue {
    let sql = generator.value(entity, column)
    return try connection.rows(sql, [.integer(key)]).first?[0] ?? .null
  }

  private func holder(
    of values: [SQLValue], _ columns: [Int], _ entity: EntityMapping, _ key: Int64
  ) throws -> ManagedObjectID? {
    let sql = generator.holder(entity, columns)
    guard let row = try connection.rows(sql, values + [.integer(key)]).first,
      case .integer(let holder) = row[0]
    else { return nil }
    let concrete = mapping.entities.first {
      $0.root == entity.root && row.count > 1 && row[1] == .integer($0.number)
    }
    return id(concrete?.entity ?? entity.entity, holder)
  }
}
