internal import OxbowModel
internal import OxbowRelational

// Writing a table anew. What each rule is for:
//
// - The new table gets a reserved name, the old one is dropped, then the new one gets the name.
//   Never the other way round: a rename of the old table would rewrite the references of all
//   others.
// - `legacy_alter_table` during that last rename only: with it SQLite leaves views, triggers and
//   references alone, and they fit again when the name is back. Without it, a view that names the
//   table makes the rename fail while the table is away.
// - A reference of the table to itself is written with the final name.
// - Rows are copied with explicit columns; the rowid too where no column of the table is the rowid.
// - Indexes and triggers of the table itself go with it, and those that are not the mapping's are
//   made again from their text. So are the rows of `sqlite_stat1`.

/// One table that is written anew.
struct TableRebuild {
  let target: TableTarget

  /// The indexes of the mapping and the triggers that keep them, which the migration makes itself.
  private let own: [String]
  private let current: (String) -> String
  private let dialect = SQLiteDialect()

  init(_ target: TableTarget, ownIndexes: [IndexSchema], current: @escaping (String) -> String) {
    self.target = target
    own = (ownIndexes + target.table.indexes).flatMap { index in
      [index.name] + (BoxIndex(index, on: target.table.name)?.triggerNames ?? [])
    }
    self.current = current
  }

  private var name: String { target.table.name }
  private var newName: String { target.table.new.name }

  var operation: MigrationOperation {
    MigrationOperation(.rebuild, table: name, statements: [definition, copy] + swap)
  }

  private var definition: String { target.table.new.definition(in: dialect) }

  private var copy: String {
    let columns = target.table.columns.filter { target.sources[$0.name] != nil }
    var names = columns.map { quoted($0.name) }
    var values = columns.compactMap { target.sources[$0.name] }
      .map { $0.text(in: dialect, current: current) }
    if !hasKeyColumn {
      names.insert("rowid", at: 0)
      values.insert("rowid", at: 0)
    }
    return "INSERT INTO \(quoted(newName)) (\(names.joined(separator: ", "))) "
      + "SELECT \(values.joined(separator: ", ")) FROM \(quoted(name))"
  }

  /// Whether the rows' identity is a column, so that copying the columns keeps it.
  private var hasKeyColumn: Bool {
    let table = target.table
    if table.isWithoutRowID { return true }
    guard table.primaryKey.count == 1, let key = table.column(named: table.primaryKey[0]) else {
      return false
    }
    return key.type == .integer
  }

  private var swap: [String] {
    [
      "PRAGMA legacy_alter_table = ON", "DROP TABLE \(quoted(name))",
      target.table.naming, "PRAGMA legacy_alter_table = OFF",
    ]
  }

  /// Writes the table anew; inside a transaction, with foreign keys off.
  func run(on connection: Connection, progress: (StepProgress) -> Void) throws {
    guard !(try connection.tableNames().contains(newName)) else {
      throw PersistenceError(
        .migrationRefused, "the table '\(newName)' exists, and its name is reserved; drop it")
    }
    let dependants = try Dependants(of: name, except: own, connection)
    let statistics = try Statistics(of: name, connection)
    try connection.execute(definition)
    let count = try rowCount(of: name, connection)
    try connection.run(copy) { progress(.rows(table: name, min($0, count), of: count)) }
    try compareCounts(count, connection)
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
    for statement in swap { try connection.execute(statement) }
    try dependants.restore(connection)
    try statistics.restore(connection)
  }

  private func rowCount(of table: String, _ connection: Connection) throws -> Int {
    Int(try connection.integer("SELECT count(*) FROM \(quoted(table))") ?? 0)
  }

  private func compareCounts(_ before: Int, _ connection: Connection) throws {
    let after = try rowCount(of: newName, connection)
    guard before == after else {
      throw PersistenceError(
        .migration, "copying the table '\(name)' gave \(after) rows instead of \(before)")
    }
  }
}

/// The indexes and triggers of a table that are not the mapping's.
private struct Dependants {
  private let table: String
  private let objects: [(type: String, name: String, sql: String)]

  init(of table: String, except own: [String], _ connection: Connection) throws {
    self.table = table
    objects = try connection.rows(
      "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL "
        + "AND type IN ('index', 'trigger') ORDER BY rowid", [.text(table)]
    ).compactMap { row in
      guard case .text(let type) = row[0], case .text(let name) = row[1],
        case .text(let sql) = row[2], !own.contains(name)
      else { return nil }
      return (type, name, sql)
    }
  }

  func restore(_ connection: Connection) throws {
    for object in objects {
      do { try connection.execute(object.sql) } catch let error as SQLiteError
        where !error.isOfTheSystem
      {
        throw PersistenceError(
          .migrationRefused,
          "the \(object.type) '\(object.name)' on the table '\(table)' is not Oxbow's and does not "
            + "fit the new table; drop it with a script before this step, and make it again after",
          details: [.init(label: "SQLite", text: error.message)])
      }
    }
  }
}

/// What `ANALYZE` found out about a table; dropping the table forgets it.
private struct Statistics {
  private let table: String
  private let rows: [[SQLValue]]

  init(of table: String, _ connection: Connection) throws {
    self.table = table
    let exists = try connection.integer(
      "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'")
    rows =
      exists == 1
      ? try connection.rows("SELECT idx, stat FROM sqlite_stat1 WHERE tbl = ?", [.text(table)]) : []
  }

  func restore(_ connection: Connection) throws {
    for row in rows {
      try connection.run(
        "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)", [.text(table)] + row)
    }
  }
}
