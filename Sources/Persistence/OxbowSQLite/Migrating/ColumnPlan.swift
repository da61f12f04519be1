internal import OxbowRelational

/// How the columns of a table that stays become those that it shall have.
struct ColumnPlan {
  /// The statements that add columns, or `nil` when the table has to be written anew.
  let additions: [String]?

  private let match: ColumnMatch

  /// Plans the columns; `tableNames` has the names that tables have now, by their names before.
  init(_ table: TableSchema, _ target: TableTarget, tableNames: [String: String]) {
    match = ColumnMatch(table, target)
    additions = Self.additions(table, target, match, tableNames: tableNames)
  }

  /// The columns that get another name, in order.
  var renames: [(from: String, to: String)] { match.renames }

  /// The name that an earlier column has now.
  func currentName(of column: String) -> String { match.currentName(of: column) }

  private static func additions(
    _ table: TableSchema, _ target: TableTarget, _ match: ColumnMatch,
    tableNames: [String: String]
  ) -> [String]? {
    let renamed = match.renamed(table, tableNames)
    let wanted = target.table
    let old = Set(renamed.columns)
    let added = wanted.columns.filter { !old.contains($0) }
    let newKeys = Set(wanted.foreignKeys).subtracting(renamed.foreignKeys)
    guard old.isSubset(of: wanted.columns), renamed.primaryKey == wanted.primaryKey,
      renamed.isStrict == wanted.isStrict, renamed.isWithoutRowID == wanted.isWithoutRowID,
      Set(renamed.foreignKeys).isSubset(of: wanted.foreignKeys),
      newKeys.allSatisfy({ key in added.contains { $0.name == key.column } }),
      keepsValues(renamed, target, match)
    else { return nil }
    let statements = added.map { column in
      addition(
        column, source: target.sources[column.name],
        key: newKeys.first { $0.column == column.name },
        to: wanted.name)
    }
    return statements.contains(nil) ? nil : statements.compactMap(\.self)
  }

  /// Whether each column that stays has the values that it had.
  private static func keepsValues(
    _ renamed: TableSchema, _ target: TableTarget, _ match: ColumnMatch
  ) -> Bool {
    renamed.columns.allSatisfy { column in
      guard let origin = target.sources[column.name]?.plainColumn else { return false }
      return match.currentName(of: origin) == column.name
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
