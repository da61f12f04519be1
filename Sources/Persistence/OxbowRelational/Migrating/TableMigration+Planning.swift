// What the plans of all engines have in common.

extension TableMigration {
  /// The table of a name that the store has before.
  package func before(_ name: String) -> TableSchema? { before.first { $0.name == name } }

  /// The tables that stay, with what they become.
  package var kept: [(table: TableSchema, target: TableTarget)] {
    targets.compactMap { target in
      guard case .table(let name) = target.origin, let table = before(name) else { return nil }
      return (table, target)
    }
  }

  /// The statements that take away links and objects whose tables stay, by table.
  package var deletions: [(table: String, statements: [String])] {
    clearings.map { ($0.table, [$0.statement]) }
      + removals.map { ($0.table, $0.unlinking(removals)) }
      + removals.map { ($0.table, [$0.deletion]) }
  }

  /// The statements that give the tables that stay their new names, in an order in which none is
  /// taken.
  package var tableRenames: [(to: String, statement: String)] {
    let gone = Set(removedTables)
    var renames = Renames(
      names: before.map(\.name).filter { !gone.contains($0) }, prefix: MigrationNames.oldPrefix)
    for (table, target) in kept { renames.add(table.name, target.table.name) }
    return renames.ordered().map { from, to in
      (to, "ALTER TABLE \(quoted(from)) RENAME TO \(quoted(to))")
    }
  }

  /// The rows of a table that is made of links; `nil` for another one.
  package func links(of target: TableTarget, in dialect: any Dialect) -> TableFilling? {
    guard case .links(let links) = target.origin else { return nil }
    let columns = target.table.columns.compactMap { column in
      target.sources[column.name]?.plainColumn.flatMap(LinkSet.Column.init(rawValue:))
        .map { (column.name, $0) }
    }
    return TableFilling(
      columns: columns.map(\.0), select: links.select(columns.map(\.1), in: dialect))
  }

  /// The rows of a table of entities that leave a hierarchy, and the statement that takes them from
  /// its table; `nil` for another one.
  package func leavingRows(
    of target: TableTarget, in dialect: any Dialect
  ) -> (filling: TableFilling, origin: String, deletion: String)? {
    guard case .rows(let origin, let types) = target.origin else { return nil }
    let columns = target.table.columns.compactMap { column in
      target.sources[column.name].map { source in
        (column.name, source.text(in: dialect, as: column.type, of: before(origin)))
      }
    }
    let rows =
      "FROM \(quoted(origin)) WHERE \(isOne(quoted(PlainLayout.typeColumn), of: types))"
    let filling = TableFilling(
      columns: columns.map(\.0),
      select: "SELECT \(columns.map(\.1).joined(separator: ", ")) \(rows)")
    return (filling, origin, "DELETE \(rows)")
  }
}

/// Where the rows of a new table come from.
package struct TableFilling {
  package let columns: [String]
  package let select: String

  /// The statement that inserts them into the table, whatever it is called now.
  package func insertion(into table: String) -> String {
    "INSERT INTO \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) \(select)"
  }
}
