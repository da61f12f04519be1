internal import OxbowModel
internal import OxbowRelational

extension MigratedStore {
  func createStore() throws { try StoreMetadata.create(connection) }

  func finishStep() throws { try connection.reconcileFiles() }
  func note(_ entry: HistoryEntry) throws { try connection.noteMigration(entry) }
}

extension SQLiteError {
  /// The words for a rename that SQLite refuses, because a view or a trigger does not work.
  fileprivate var ofBrokenPart: PersistenceError? {
    guard ["error in view ", "error in trigger "].contains(where: message.hasPrefix) else {
      return nil
    }
    return PersistenceError(
      .migrationRefused,
      "a view or trigger of the store does not work, or would not, and SQLite renames nothing beside "
        + "it; drop it with a script before this step, and make it again after it",
      details: [.init(label: "broken", text: message)])
  }
}

// MARK: - Steps

extension MigratedStore {
  func run(_ migration: TableMigration, progress: (StepProgress) -> Void) throws {
    let program = TableChangePlan(migration)
    if !migration.searchIndexes.isEmpty { try connection.requireSearchIndexes() }
    try connection.requireBoxes(migration.after)
    try guarded {
      do {
        for part in program.parts {
          switch part {
          case .statements(let operation):
            for statement in operation.statements { try connection.execute(statement) }
          case .rebuild(let rebuild): try rebuild.run(on: connection, progress: progress)
          }
        }
      } catch let error as SQLiteError { throw error.ofBrokenPart ?? error }
      let touched = program.touched
      try renameStatistics(touched.namesBefore)
      if try hasTable(SearchTables.state.name) {
        try connection.keepSearchIndexes(migration.searchIndexes)
      }
      return touched
    }
  }

  func makeBoxes(of tables: [TableSchema]) throws {
    let areWanted = tables.contains { !$0.boxes.isEmpty }
    guard try areWanted || tableNames().contains(where: BoxIndex.isName) else { return }
    try connection.makeBoxes(of: tables)
  }

  func run(_ conversion: TableConversion, progress: (StepProgress) -> Void) throws {
    let run = ConversionRun(conversion: conversion, connection: connection)
    try run.run(progress: progress)
    try run.keepLastKeys()
  }

  /// Renames the tables in what `ANALYZE` found out: SQLite leaves it under the old names.
  private func renameStatistics(_ namesBefore: [String: String]) throws {
    guard !namesBefore.isEmpty,
      try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_stat1'") == 1
    else { return }
    let cases = namesBefore.map { _ in "WHEN ? THEN ?" }.joined(separator: " ")
    try connection.run(
      "UPDATE sqlite_stat1 SET tbl = CASE tbl \(cases) ELSE tbl END",
      namesBefore.flatMap { [.text($0.value), .text($0.key)] })
  }

  func run(
    _ script: MigrationScript, progress: (StepProgress) -> Void
  ) throws -> WrittenColumns {
    let columns = try schema.referencingColumns()
    return try guarded {
      let touched = try ScriptRunner(script: script, connection: connection)
        .run(columns, progress: progress)
      try connection.removeTemporaryTables()
      if try hasTable(SearchTables.state.name) { try connection.emptySearchIndexes(touched) }
      return touched
    }
  }

  func edit(_ body: (any RowEditing) throws -> Void) throws -> WrittenColumns {
    let columns = try schema.referencingColumns()
    // An interrupted statement would end the transaction without the step noticing, and its next
    // statement would be durable alone: the step is interrupted between statements instead.
    return try guarded {
      try connection.uninterrupted {
        let touched = try RowEditor.run(on: connection, columns, body)
        if try hasTable(SearchTables.state.name) { try connection.emptySearchIndexes(touched) }
        return touched
      }
    }
  }

  func run(_ fill: DerivedFill) throws {
    try connection.execute(fill.statement)
    guard let check = fill.check, let count = try connection.integer(check), count > 0 else {
      return
    }
    throw fill.refusal(Int(count))
  }

  /// Runs a change, and refuses it when it breaks views, triggers or references.
  @discardableResult
  private func guarded(_ body: () throws -> TouchedTables) throws -> WrittenColumns {
    let probe = try schema.schemaProbe()
    let references = try schema.tableReferences()
    let names = Set(try tableNames())
    var touched = try body()
    self.names.add(touched.namesBefore)
    for table in try tableNames() where !names.contains(table) {
      touched.columns.insert(into: table)
    }
    let broken = try schema.schemaProbe().newlyBroken(since: probe)
    try PersistenceError.refuse(
      broken, as: "broken", .migrationRefused,
      "views or triggers of the store would not work any more; drop them with a script before "
        + "this step, and make them again after it")
    let after = try schema.tableReferences()
    let orphans = after.orphans(since: references)
    try PersistenceError.refuse(
      orphans, as: "references", .migrationRefused,
      "tables would refer to a table that the step removes, and could not be written any more; "
        + "change or drop them with a script before this step")
    try checkReferences(touched, references, after)
    return touched.columns
  }

  private func checkReferences(
    _ touched: TouchedTables, _ before: TableReferences, _ after: TableReferences
  ) throws {
    let tables = try touched.referring(before, after, connection)
    let check = try ForeignKeyCheck(tables, connection, names: names.byName)
    let worse = check.worse(than: known)
    guard worse.isEmpty || known.map({ check.tables.isSubset(of: $0.tables) }) == true else {
      throw UnknownViolations(tables: check.tables)
    }
    try PersistenceError.refuse(
      worse, as: "references", .migrationRefused,
      "the step would leave references that lead nowhere, and was rolled back")
  }
}
