internal import OxbowModel

/// The tables of a store inside a transaction of a migration, as a session sees them.
package protocol MigratedTables: MigrationTransaction {
  associatedtype Tables: Session & Catalogue

  var session: Tables { get }

  /// The names of all tables, which an engine may keep until they change.
  func tableNames() throws -> [String]

  /// Makes the table of the store's migrations.
  func createHistory() throws

  /// Notes a step in the history of the store's saves.
  func note(_ entry: HistoryEntry) throws

  /// Does what has to be done behind a step, before it is noted.
  func finishStep() throws
}

extension MigratedTables {
  package func tableNames() throws -> [String] { try session.tableNames() }
  package func createHistory() throws { try session.create([HistoryTable.table]) }
  package func finishStep() throws {}

  package func hasTable(_ name: String) throws -> Bool { try tableNames().contains(name) }

  /// Whether the store has a history of its saves.
  private func hasHistory() throws -> Bool { try hasTable(HistoryTables.saves.name) }

  package func history() throws -> [HistoryEntry] {
    guard try hasTable(HistoryTable.table.name) else { return [] }
    return try session.rows(HistoryTable.read, []).compactMap(HistoryEntry.init(row:))
  }

  package func mark() throws -> MigrationMark? {
    guard try hasTable(MetadataTables.metadata.name),
      let hash = try session.text(MetadataTables.readModelHash, [])
    else { return nil }
    let last = try hasTable(HistoryTable.table.name) ? integers(HistoryTable.last).first : nil
    return MigrationMark(modelHash: hash, lastEvent: last ?? 0)
  }

  package func integers(_ statement: String) throws -> [Int64] {
    try session.integers(statement, [])
  }

  package func rowCount(of table: String) throws -> Int? {
    guard try hasTable(table) else { return nil }
    return Int(try integers("SELECT count(*) FROM \(quoted(table))").first ?? 0)
  }

  package func setModel(_ record: ModelRecord, _ renaming: HistoryRenaming?) throws {
    try StoreMetadata.setModel(record, session)
    if let renaming, try hasHistory() { try renaming.apply(session) }
  }

  package func append(_ entry: HistoryEntry) throws {
    if try !hasTable(HistoryTable.table.name) { try createHistory() }
    try session.run(HistoryTable.append(in: session.dialect), entry.values)
    // What is looked at as a whole is looked at once for a step, not for each of its batches.
    guard entry.event != HistoryEntry.Event.progressed.rawValue else { return }
    try finishStep()
    if try hasHistory() { try note(entry) }
  }

  package func noteKeys(of root: EntityMapping) throws {
    try session.execute(
      MetadataTables.noteKeys(of: root.number, table: root.table, keyColumn: root.keyColumn))
  }

  package func removeProgress() throws {
    guard try hasTable(HistoryTable.table.name) else { return }
    try session.run(HistoryTable.removeProgress, [])
  }
}
