internal import OxbowRelational

/// How the columns of a table that stays become those that it shall have.
struct ColumnPlan {
  /// The columns that get another name, in order.
  let renames: [(from: String, to: String)]

  /// The statements that add columns, or `nil` when the table has to be written anew.
  let additions: [String]?

  private let names: [String: String]

  /// Plans the columns; `tableNames` has the names that tables have now, by their names before.
  init(_ table: TableSchema, _ target: TableTarget, tableNames: [String: String]) {
    let successors = Self.successors(table, target)
    var renames = Renames(names: table.columns.map(\.name), prefix: MigrationNames.oldPrefix)
    for column in table.columns {
      if let name = successors[column.name] { renames.add(column.name, name) }
    }
    // A column that is removed, and whose name another one gets, is renamed first.
    let wanted = Set(successors.values.map { $0.lowercased() })
    var names = successors
    for column in table.columns
    where successors[column.name] == nil && wanted.contains(column.name.lowercased()) {
      names[column.name] = MigrationNames.oldPrefix + column.name
      renames.add(column.name, MigrationNames.oldPrefix + column.name)
    }
    self.names = names
    self.renames = renames.ordered()
    additions = Self.additions(table, target, names: names, tableNames: tableNames)
  }

  /// The name that an earlier column has now.
  func currentName(of column: String) -> String { names[column] ?? column }

  /// The column that gets each column's data; a name that stays is preferred.
  private static func successors(_ table: TableSchema, _ target: TableTarget) -> [String: String] {
    var result: [String: String] = [:]
    let plain = target.table.columns.compactMap { column in
      target.sources[column.name]?.plainColumn.map { (column.name, $0) }
    }
    for (name, origin) in plain where name == origin { result[origin] = name }
    for (name, origin) in plain where result[origin] == nil { result[origin] = name }
    return result
  }

  private static func additions(
    _ table: TableSchema, _ target: TableTarget, names: [String: String],
    tableNames: [String: String]
  ) -> [String]? {
    let renamed = renamed(table, names, tableNames)
    let wanted = target.table
    let old = Set(renamed.columns)
    let added = wanted.columns.filter { !old.contains($0) }
    let newKeys = Set(wanted.foreignKeys).subtracting(renamed.foreignKeys)
    guard old.isSubset(of: wanted.columns), renamed.primaryKey == wanted.primaryKey,
      renamed.isStrict == wanted.isStrict, renamed.isWithoutRowID == wanted.isWithoutRowID,
      Set(renamed.foreignKeys).isSubset(of: wanted.foreignKeys),
      newKeys.allSatisfy({ key in added.contains { $0.name == key.column } }),
      keepsValues(renamed, target, names: names)
    else { return nil }
    let statements = added.map { column in
      addition(
        column, source: target.sources[column.name],
        key: newKeys.first { $0.column == column.name },
        to: wanted.name)
    }
    return statements.contains(nil) ? nil : statements.compactMap(\.self)
  }

  /// The table with the names that its columns and the tables around it have now.
  private static func renamed(
    _ table: TableSchema, _ names: [String: String], _ tableNames: [String: String]
  ) -> TableSchema {
    var renamed = table
    renamed.columns = table.columns.map {
      ColumnSchema(names[$0.name] ?? $0.name, $0.type, isRequired: $0.isRequired)
    }
    renamed.primaryKey = table.primaryKey.map { names[$0] ?? $0 }
    renamed.foreignKeys = table.foreignKeys.map {
      ForeignKeySchema(
        column: names[$0.column] ?? $0.column, table: tableNames[$0.table] ?? $0.table, key: $0.key)
    }
    return renamed
  }

  /// Whether each column that stays has the values that it had.
  private static func keepsValues(
    _ renamed: TableSchema, _ target: TableTarget, names: [String: String]
  ) -> Bool {
    renamed.columns.allSatisfy { column in
      guard let origin = target.sources[column.name]?.plainColumn else { return false }
      return names[origin] == column.name
    }
  }

  /// The statement that adds a column, or `nil` when SQLite cannot add it with its values.
  private static func addition(
    _ column: ColumnSchema, source: ColumnSource?, key: ForeignKeySchema?, to table: String
  ) -> String? {
    var value = SQLValue.null
    switch source {
    case .constant(let constant): value = constant
    case nil: break
    default: return nil
    }
    guard value != .null || !column.isRequired, value == .null || key == nil else { return nil }
    return "ALTER TABLE \(quoted(table)) ADD COLUMN \(quoted(column.name)) \(column.type.rawValue)"
      + (column.isRequired ? " NOT NULL" : "")
      + (value == .null ? "" : " DEFAULT \(value.literal)")
      + (key.map {
        " REFERENCES \(quoted($0.table)) (\(quoted($0.key))) DEFERRABLE INITIALLY DEFERRED"
      } ?? "")
  }
}
