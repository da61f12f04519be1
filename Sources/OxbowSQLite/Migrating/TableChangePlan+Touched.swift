internal import OxbowSQL

extension TableChangePlan {
  /// A table that is written anew keeps its keys, so only its own references are looked at.
  var touched: TouchedTables {
    var touched = TouchedTables(
      shrunk: Set(migration.removedTables + migration.removals.map(\.table)))
    for part in parts {
      switch part {
      case .rebuild(let rebuild): touched.written.insert(rebuild.target.table.name)
      case .statements(let operation) where operation.kind == .fill:
        touched.written.insert(operation.table)
      case .statements: break
      }
    }
    for target in migration.targets {
      if case .table(let name) = target.origin, name != target.table.name {
        touched.namesBefore[target.table.name] = name
      }
    }
    return touched
  }
}
