internal import OxbowModel
internal import OxbowRelational

// The order: new tables under reserved names, filled while the old ones are there; then the old
// ones go, and the new ones get their names. References are written with the names that tables have
// in the end, and `legacy_alter_table` keeps SQLite from changing them.

/// The tables of another tool that become those of a store; inside a transaction, with foreign keys
/// off.
struct ConversionRun {
  let conversion: TableConversion
  let connection: Connection

  func run(progress: (StepProgress) -> Void) throws {
    try connection.requireBoxes(conversion.after)
    for fill in conversion.fills { try self.fill(fill, progress) }
    for statement in conversion.removals { try connection.execute(statement) }
    try nameTables()
    for table in conversion.emptyTables {
      try connection.execute(table.definition(in: connection.dialect))
    }
    for table in conversion.after {
      for definition in table.indexes.flatMap({ $0.definitions(on: table.name) }) {
        try connection.execute(definition)
      }
    }
    try checkReferences()
  }

  /// Notes the keys that must not be handed out again; behind the metadata of the store.
  func keepLastKeys() throws {
    for key in conversion.fills.compactMap(\.lastKey) {
      try connection.run(MetadataTables.reserveKeys, [.integer(key.key), .integer(key.root)])
    }
  }

  private func fill(
    _ fill: TableConversion.Fill, _ progress: (StepProgress) -> Void
  ) throws {
    let table = fill.table.new
    try connection.execute(table.definition(in: connection.dialect))
    let columns = fill.columns.map(quoted).joined(separator: ", ")
    let wanted = try connection.integer(fill.count) ?? 0
    try connection.run("INSERT INTO \(quoted(table.name)) (\(columns)) \(fill.select)") { rows in
      progress(.rows(table: fill.table.name, min(rows, Int(wanted)), of: Int(wanted)))
    }
    let found = try connection.integer("SELECT count(*) FROM \(quoted(table.name))") ?? 0
    guard wanted == found else {
      throw PersistenceError(
        .migrationRefused,
        "the table '\(fill.table.name)' would have \(found) rows, and \(wanted) belong there; the "
          + "database was not changed")
    }
  }

  private func nameTables() throws {
    try connection.execute("PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
    for fill in conversion.fills { try connection.execute(fill.table.naming) }
  }

  private func checkReferences() throws {
    let tables = Set(conversion.after.map(\.name))
    let worse = try ForeignKeyCheck(tables, connection).worse(than: nil)
    try PersistenceError.refuse(
      worse, as: "references", .migrationRefused,
      "there would be references that lead nowhere; nothing was changed")
  }
}
