internal import OxbowRelational

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
      switch target.origin {
      case .table(let name) where name != target.table.name:
        touched.namesBefore[target.table.name] = name
      case .rows(let name, _): touched.shrunk.insert(name)
      case .none, .table, .links: break
      }
    }
    return touched
  }
}
