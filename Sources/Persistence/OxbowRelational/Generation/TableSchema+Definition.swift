extension TableSchema {
  /// The statements that create the table and its indexes.
  package func definitions(in dialect: any Dialect) -> [String] {
    [definition(in: dialect)] + indexes.flatMap { $0.definitions(on: name) }
  }

  /// The `CREATE TABLE` statement.
  package func definition(in dialect: any Dialect) -> String {
    let parts =
      columns.map { line(for: $0, dialect) } + primaryKeyLine
      + foreignKeys.map { "\($0.line) \(dialect.deferral)" }
    let suffix = dialect.options(of: self)
    return "CREATE TABLE \(quoted(name)) (\n  " + parts.joined(separator: ",\n  ") + "\n)"
      + (suffix.isEmpty ? "" : " " + suffix)
  }

  private func line(for column: ColumnSchema, _ dialect: any Dialect) -> String {
    let key = primaryKey == [column.name] ? " PRIMARY KEY" : ""
    let required = column.isRequired && key.isEmpty ? " NOT NULL" : ""
    return "\(quoted(column.name)) \(dialect.name(of: column.type))\(key)\(required)"
  }

  private var primaryKeyLine: [String] {
    guard primaryKey.count > 1 else { return [] }
    return ["PRIMARY KEY (\(primaryKey.map(quoted).joined(separator: ", ")))"]
  }
}

extension ForeignKeySchema {
  fileprivate var line: String {
    "FOREIGN KEY (\(quoted(column))) REFERENCES \(quoted(table)) (\(quoted(key)))"
  }
}

extension IndexSchema {
  /// The statements that make the index, and fill it.
  package func definitions(on table: String) -> [String] {
    BoxIndex(self, on: table)?.creation ?? [definition(on: table)]
  }

  /// The statements that remove the index, whose table may be gone.
  package func removals(on table: String) -> [String] {
    BoxIndex(self, on: table)?.removal ?? ["DROP INDEX \(quoted(name))"]
  }

  /// The `CREATE INDEX` statement.
  private func definition(on table: String) -> String {
    let list = columns.map { quoted($0.name) + ($0.isAscending ? "" : " DESC") }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(quoted(name)) ON \(quoted(table)) "
      + "(\(list.joined(separator: ", ")))" + (condition.map { " WHERE " + $0.text } ?? "")
  }
}

extension IndexSchema.Condition {
  fileprivate var text: String {
    "\(quoted(column)) IN (\(values.map(String.init).joined(separator: ", ")))"
  }
}
