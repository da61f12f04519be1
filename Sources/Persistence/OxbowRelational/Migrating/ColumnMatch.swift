/// The columns of a table that stays, and which of them become those that it shall have.
package struct ColumnMatch {
  /// The columns that get another name, in order.
  package let renames: [(from: String, to: String)]

  private let names: [String: String]

  /// Matches the columns: one that `origin` finds in a source may become that source's column.
  ///
  /// Where new columns are added beside those that go (`addsBeside`), these get out of their way.
  /// Names have up to `maximumBytes` bytes.
  package init(
    _ table: TableSchema, _ target: TableTarget, addsBeside: Bool = false,
    maximumBytes: Int? = nil, origin: (ColumnSource) -> String? = { $0.plainColumn }
  ) {
    var names = Self.successors(target, origin)
    var renames = Renames(names: table.columns.map(\.name), prefix: MigrationNames.oldPrefix)
    for column in table.columns {
      if let name = names[column.name] { renames.add(column.name, name) }
    }
    // A column that is removed, and whose name another one gets, is renamed first.
    let wanted = Set(
      (addsBeside ? target.table.columns.map(\.name) : Array(names.values))
        .map { $0.lowercased() })
    var pool = NamePool(maximumBytes: maximumBytes)
    for column in table.columns
    where names[column.name] == nil && wanted.contains(column.name.lowercased()) {
      let name = pool.take(MigrationNames.oldPrefix + column.name)
      names[column.name] = name
      renames.add(column.name, name)
    }
    self.names = names
    self.renames = renames.ordered()
  }

  /// The name that an earlier column has now.
  package func currentName(of column: String) -> String { names[column] ?? column }

  /// The table with the names that its columns and the tables around it have now; `tableNames` has
  /// those of tables by their names before.
  package func renamed(_ table: TableSchema, _ tableNames: [String: String]) -> TableSchema {
    var renamed = table
    renamed.columns = table.columns.map {
      ColumnSchema(currentName(of: $0.name), $0.type, isRequired: $0.isRequired)
    }
    renamed.primaryKey = table.primaryKey.map(currentName(of:))
    renamed.foreignKeys = table.foreignKeys.map {
      ForeignKeySchema(
        column: currentName(of: $0.column), table: tableNames[$0.table] ?? $0.table, key: $0.key)
    }
    return renamed
  }

  /// The column that gets each column's data; a name that stays is preferred.
  private static func successors(
    _ target: TableTarget, _ origin: (ColumnSource) -> String?
  ) -> [String: String] {
    var result: [String: String] = [:]
    let origins = target.table.columns.compactMap { column in
      target.sources[column.name].flatMap(origin).map { (column.name, $0) }
    }
    for (name, origin) in origins where name == origin { result[origin] = name }
    for (name, origin) in origins where result[origin] == nil { result[origin] = name }
    return result
  }
}
