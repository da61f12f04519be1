extension TableMigration {
  /// A search index with the names that its table and columns have after the migration; `nil`
  /// where it would have the texts of other objects or values, or none.
  package func successor(of index: SearchIndex) -> SearchIndex? {
    guard let target = targets.first(where: { $0.origin == .table(index.table) }),
      !movedRoots.contains(where: { $0.from == index.root }),
      !removals.contains(where: { $0.table == index.table }),
      !targets.contains(where: { $0.origin.leaves(index.table) })
    else { return nil }
    let columns = index.columns.map { column in
      target.table.columns.first { target.sources[$0.name]?.plainColumn == column }?.name
    }
    guard !columns.contains(nil) else { return nil }
    return SearchIndex(
      index.kind, root: index.root, table: target.table.name, columns: columns.compactMap(\.self))
  }
}

extension TableTarget.Origin {
  /// Whether it takes rows out of a table.
  fileprivate func leaves(_ table: String) -> Bool {
    if case .rows(table, _) = self { true } else { false }
  }
}
