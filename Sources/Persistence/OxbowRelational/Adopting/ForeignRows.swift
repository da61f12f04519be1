/// Statements over the rows of another tool's table, which they call "t".
///
/// Values are passed as the expressions that this type returns.
package struct ForeignRows {
  package let table: ForeignSchema.Table

  /// The columns of the store's table that get values, and the expressions of these.
  private var sources: [(column: String, value: String)] = []
  private var joins: [String] = []

  package init(_ table: ForeignSchema.Table) { self.table = table }

  package mutating func fill(_ column: String, _ value: String) { sources.append((column, value)) }

  /// The columns that get values, in the order of ``select``.
  package var columns: [String] { sources.map(\.column) }

  package func value(of column: String) -> String? {
    sources.first { $0.column == column }?.value
  }

  package var select: String {
    "SELECT \(sources.map(\.value).joined(separator: ", ")) FROM \(from)\(joins.joined())"
  }

  fileprivate var from: String { "\(quoted(table.name)) AS \"t\"" }
}

// MARK: - Values

extension ForeignRows {
  /// The key of a row's object: its number; `nil` where columns have all of its names.
  package var key: String? { table.key("t") }

  package func column(_ name: String) -> String { table.column("t", name) }

  /// The key of the object whose row has a value in a column; NULL where there is none.
  package func lookup(_ value: String, in parent: ForeignSchema.Table, by column: String) -> String
  {
    "(SELECT \(parent.key("p") ?? "NULL") FROM \(quoted(parent.name)) AS \"p\" WHERE "
      + "\(parent.column("p", column)) = \(value))"
  }

  /// Joins the row of another table whose column refers to one of this table, and returns the key
  /// of its object; `nil` where that has no name.
  package mutating func join(
    _ other: ForeignSchema.Table, on column: String, to own: String
  ) -> String? {
    guard let key = other.key("o") else { return nil }
    let alias = "\"o\(joins.count + 1)\""
    // By itself: where the key is a number among all rows, it counts those that refer to none too.
    joins.append(
      " LEFT JOIN (SELECT \(key) AS \"key\", \(other.column("o", column)) AS \"to\" "
        + "FROM \(quoted(other.name)) AS \"o\") AS \(alias) ON \(alias).\"to\" = "
        + self.column(own))
    return "\(alias).\"key\""
  }

  /// The number of an entity where a key leads somewhere.
  package func entity(_ number: Int64, of key: String) -> String {
    "CASE WHEN \(key) IS NOT NULL THEN \(number) END"
  }

  /// The place in the order of the object that a key leads to.
  package func position(of key: String) -> String {
    positions(of: key, orderedBy: table.order("t"))
  }
}

extension ForeignSchema.Table {
  fileprivate func column(_ alias: String, _ name: String) -> String {
    "\"\(alias)\".\(quoted(name))"
  }

  fileprivate func key(_ alias: String) -> String? {
    if let keyColumn { return column(alias, keyColumn) }
    if isWithoutRowID { return "row_number() OVER (ORDER BY \(order(alias)))" }
    let name = ["rowid", "_rowid_", "oid"].first { column($0) == nil }
    return name.map { "\"\(alias)\".\($0)" }
  }

  /// The order of the rows, where nothing else defines one.
  fileprivate func order(_ alias: String) -> String {
    isWithoutRowID
      ? primaryKey.map { column(alias, $0) }.joined(separator: ", ") : key(alias) ?? "1"
  }
}

/// Returns the expression that numbers the rows with one owner from the first position on.
private func positions(of owner: String, orderedBy order: String) -> String {
  "CASE WHEN \(owner) IS NOT NULL THEN \(newPositions(of: owner, orderedBy: order)) END"
}

// MARK: - Counts

extension ForeignRows {
  package var count: String { "SELECT count(*) FROM \(quoted(table.name))" }

  package func count(with value: String) -> String { count("\(value) IS NOT NULL") }

  package func count(without value: String) -> String { count("\(value) IS NULL") }

  /// Rows whose value does not become another one.
  package func count(losing old: String, as new: String) -> String {
    count("\(old) IS NOT NULL AND \(new) IS NULL")
  }

  /// Rows whose key no object can have.
  package func countImpossible(_ key: String) -> String {
    count(ClosedRange.objectKeys.excludes(key))
  }

  /// Rows that lead to one of the same table by a column, and that one does not lead back.
  package func countOneWay(_ column: String, to key: String) -> String {
    let value = self.column(column)
    return count(
      "\(value) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(quoted(table.name)) AS \"o\" WHERE "
        + "\(table.column("o", key)) = \(value) AND \(table.column("o", column)) = "
        + "\(self.column(key)))")
  }

  /// Rows that no row of another table refers to.
  package func countUnreferenced(
    _ own: String, by column: String, of other: ForeignSchema.Table
  ) -> String {
    count(
      "NOT EXISTS (SELECT 1 FROM \(quoted(other.name)) AS \"o\" WHERE "
        + "\(other.column("o", column)) = \(self.column(own)))")
  }

  /// Values that several rows have.
  package func countShared(_ value: String) -> String {
    "SELECT count(*) FROM (SELECT 1 FROM \(from) WHERE \(value) IS NOT NULL "
      + "GROUP BY \(value) HAVING count(*) > 1)"
  }

  /// Combinations of values that several rows have.
  package func countRepeated(_ values: [String]) -> String {
    let names = values.indices.map { "\"c\($0)\"" }
    let list = zip(values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
    return "SELECT count(*) FROM (SELECT 1 FROM (SELECT \(list) FROM \(from)\(joins.joined())) "
      + "WHERE \(names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")) "
      + "GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1)"
  }

  private func count(_ condition: String) -> String {
    "SELECT count(*) FROM \(from) WHERE \(condition)"
  }
}

// MARK: - Links

/// Statements over the links that another tool's table has, each counted once.
package struct ForeignLinks {
  /// One end of the links: the column of the table, and the key of the object there.
  package typealias End = (column: String, key: String)

  /// The statement that counts rows with one end only.
  package let countHalf: String

  /// The statement that counts links that the table has again.
  package let countRepeated: String

  private let links: String

  package init(_ table: ForeignSchema.Table, from owner: End, to member: End) {
    let rows = "FROM \(quoted(table.name)) AS \"t\" WHERE"
    let ends = [owner, member].map { table.column("t", $0.column) }
    let order = table.isWithoutRowID ? "1" : table.order("t")
    let isWhole = ends.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
    links =
      "(SELECT \(owner.key) AS \"o\", \(member.key) AS \"m\", min(\(order)) AS \"n\" "
      + "\(rows) \(isWhole) GROUP BY 1, 2)"
    countHalf =
      "SELECT count(*) \(rows) \(ends.map { "\($0) IS NULL" }.joined(separator: " OR "))"
    countRepeated =
      "SELECT (SELECT count(*) \(rows) \(isWhole)) - (SELECT count(*) FROM \(links))"
  }

  /// What the table of a relationship's links is filled with.
  package func fill(_ table: TableSchema, _ join: JoinMapping) -> TableConversion.Fill {
    var columns = [(join.ownerColumn, "\"o\""), (join.memberColumn, "\"m\"")]
    for (position, owner) in [
      (join.memberPositionColumn, "\"o\""), (join.ownerPositionColumn, "\"m\""),
    ] {
      position.map { columns.append(($0, positions(of: owner, orderedBy: "\"n\""))) }
    }
    return TableConversion.Fill(
      table: table, columns: columns.map(\.0),
      select: "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM \(links)",
      count: "SELECT count(*) FROM \(links)")
  }
}

// MARK: - Removal

extension ForeignSchema {
  /// The statements that remove the other tool's tables, after views and triggers, which refer to
  /// them.
  ///
  /// A module removes its own tables.
  package var removals: [String] {
    let tables = tables.filter { $0.kind != .shadow }
    let sorted = tables.filter { $0.kind == .virtual } + tables.filter { $0.kind != .virtual }
    return parts.map { "DROP \($0.type.uppercased()) \(quoted($0.name))" }
      + sorted.map { "DROP TABLE \(quoted($0.name))" }
  }
}
