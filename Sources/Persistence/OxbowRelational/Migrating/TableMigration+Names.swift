extension TableMigration {
  /// Describes the names that the migration needs and that something else has; `folded` names are
  /// equal to the engine.
  ///
  /// `rows` are the tables, views and indexes that a database has: kind, name, the table it is of.
  /// Triggers do not count.
  package func taken(_ rows: [[SQLValue]], folded: (String) -> String) -> [String] {
    let own = Set((before.map(\.name) + before.flatMap { $0.indexes.map(\.name) }).map(folded))
    let new = after.flatMap { table in
      [("table", table.name)]
        + table.indexes.filter { $0.method == .order }.map { ("index", $0.name) }
    }
    let wanted = Dictionary(new.map { (folded($0.1), $0) }) { first, _ in first }
    let leaving = Set(removedTables.map(folded))
    return rows.compactMap { row in
      guard let holder = row[0].textValue, holder != "trigger", let name = row[1].textValue,
        let table = row[2].textValue, !own.contains(folded(name)),
        !leaving.contains(folded(table)), let (kind, wish) = wanted[folded(name)]
      else { return nil }
      let owner = holder == "index" ? " on the table '\(table)'" : ""
      return
        "the name '\(wish)' of a new \(kind) is that of the \(holder) '\(name)'\(owner), "
        + "which is not Oxbow's"
    }
  }
}
