extension TableSchema {
  /// The statements that create the table and its indexes.
  package var definitions: [String] { [definition] + indexes.map { $0.definition(on: name) } }

  /// The `CREATE TABLE` statement.
  package var definition: String {
    let parts = columns.map(line(for:)) + primaryKeyLine + foreignKeys.map(\.line)
    let options = [isStrict ? "STRICT" : nil, isWithoutRowID ? "WITHOUT ROWID" : nil]
    let suffix = options.compactMap(\.self).joined(separator: ", ")
    return "CREATE TABLE \(quoted(name)) (\n  " + parts.joined(separator: ",\n  ") + "\n)"
      + (suffix.isEmpty ? "" : " " + suffix)
  }

  private func line(for column: ColumnSchema) -> String {
    let key = primaryKey == [column.name] ? " PRIMARY KEY" : ""
    let required = column.isRequired && key.isEmpty ? " NOT NULL" : ""
    return "\(quoted(column.name)) \(column.type.rawValue)\(key)\(required)"
  }

  private var primaryKeyLine: [String] {
    guard primaryKey.count > 1 else { return [] }
    return ["PRIMARY KEY (\(primaryKey.map(quoted).joined(separator: ", ")))"]
  }
}

extension ForeignKeySchema {
  fileprivate var line: String {
    "FOREIGN KEY (\(quoted(column))) REFERENCES \(quoted(table)) (\(quoted(key))) "
      + "DEFERRABLE INITIALLY DEFERRED"
  }
}

extension IndexSchema {
  /// The `CREATE INDEX` statement.
  package func definition(on table: String) -> String {
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
