extension TableMigration {
  /// A table, view or index that a database has, with the table that it is of.
  package struct TakenName {
    package var kind: String
    package var name: String
    package var table: String

    package init(kind: String, name: String, table: String) {
      (self.kind, self.name, self.table) = (kind, name, table)
    }
  }

  /// Describes the names that the migration needs and that something else has; `folded` names are
  /// equal to the engine.
  package func taken(_ names: [TakenName], folded: (String) -> String) -> [String] {
    let own = Set((before.map(\.name) + before.flatMap { $0.indexes.map(\.name) }).map(folded))
    let new = after.flatMap { table in
      [("table", table.name)]
        + table.indexes.filter { $0.method == .order }.map { ("index", $0.name) }
    }
    let wanted = Dictionary(new.map { (folded($0.1), $0) }) { first, _ in first }
    let leaving = Set(removedTables.map(folded))
    return names.compactMap { taken in
      let name = folded(taken.name)
      guard !own.contains(name), !leaving.contains(folded(taken.table)),
        let (kind, wish) = wanted[name]
      else { return nil }
      let owner = taken.kind == "index" ? " on the table '\(taken.table)'" : ""
      return
        "the name '\(wish)' of a new \(kind) is that of the \(taken.kind) '\(taken.name)'\(owner), "
        + "which is not Oxbow's"
    }
  }
}
