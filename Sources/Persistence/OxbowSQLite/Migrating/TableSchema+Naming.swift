internal import OxbowRelational

extension TableSchema {
  /// The table under the name that it has until the earlier one is gone.
  var new: TableSchema {
    var table = self
    table.name = MigrationNames.newPrefix + name
    return table
  }

  /// The statement that gives it its own name.
  var naming: String { "ALTER TABLE \(quoted(new.name)) RENAME TO \(quoted(name))" }
}
