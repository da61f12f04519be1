/// The statements that lint proposes in place of a dangerous one, or before it.
package enum SaferStatements {
  /// Keeps rows in a table of their own.
  package static func keep(_ rows: String, as parts: String...) -> String {
    "CREATE TABLE \(name(parts)) AS \(rows);"
  }

  package static func rows(of table: String) -> String { "SELECT * FROM \(quoted(table))" }

  /// The values of a column, with what identifies their rows.
  package static func values(of column: String, in table: String, isOfModel: Bool) -> String {
    "SELECT \(isOfModel ? PlainLayout.keyColumn : "rowid"), \(quoted(column)) "
      + "FROM \(quoted(table)) WHERE \(quoted(column)) IS NOT NULL"
  }

  /// Finds the rows that refer to those of a table.
  package static func references(in column: String, of other: String, to table: String) -> String {
    "SELECT * FROM \(quoted(other)) WHERE \(quoted(column)) IN (SELECT "
      + "\(quoted(PlainLayout.keyColumn)) FROM \(quoted(table)) WHERE …);"
  }

  /// Finds the values of columns, given as SQL, that occur more than once.
  package static func duplicates(of columns: String, in table: String) -> String {
    "SELECT \(columns), count(*) FROM \(quoted(table)) GROUP BY \(columns) HAVING count(*) > 1;"
  }

  package static func index(of column: String, in table: String) -> String {
    "CREATE INDEX \(name([table, column])) ON \(quoted(table)) (\(quoted(column)));"
  }

  /// What an `UPDATE` assigns so that the version of its rows moves; a conflict clause needs the
  /// table's name.
  package static func raisedVersion(in table: String? = nil) -> String {
    let version = quoted(PlainLayout.versionColumn)
    return "\(version) = \(table.map { quoted($0) + "." } ?? "")\(version) + 1"
  }

  /// An insert that changes the row in its way; `rows` is everything behind `INSERT`.
  package static func upsert(
    _ rows: String, into table: String, columns: [String], needsCondition: Bool
  ) -> String {
    let values = columns.filter {
      ![PlainLayout.keyColumn, PlainLayout.versionColumn].contains($0.lowercased())
    }
    let set =
      values.map { "\(quoted($0)) = excluded.\(quoted($0))" } + [raisedVersion(in: table)]
    // Without a WHERE the parser would take ON for the condition of a join.
    return "INSERT \(rows)" + (needsCondition ? " WHERE true" : "")
      + "\n  ON CONFLICT DO UPDATE SET \(set.joined(separator: ", "));"
  }

  private static func name(_ parts: [String]) -> String { quoted(parts.joined(separator: "_")) }
}
