internal import OxbowModel
internal import OxbowSQL

/// Answers a migration's questions about a store, inside a transaction.
struct StoreReading: MigrationReading {
  let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func state() throws -> MigrationState? {
    let tables = try LiveTables.names(connection)
    guard tables.contains(MetadataTables.metadata.name) else {
      if tables.isEmpty { return nil }
      throw foreign(tables)
    }
    return try state(facts(), hasHistory: tables.contains(HistoryTable.table.name))
  }

  func mark() throws -> MigrationMark? {
    let tables = try LiveTables.names(connection)
    guard tables.contains(MetadataTables.metadata.name),
      case .text(let hash) = try facts()[MetadataTables.Fact.modelHash.rawValue]
    else { return nil }
    let last =
      tables.contains(HistoryTable.table.name) ? try connection.integer(HistoryTable.last) : 0
    return MigrationMark(modelHash: hash, lastEvent: last ?? 0)
  }

  private func facts() throws -> [String: SQLValue] {
    var facts: [String: SQLValue] = [:]
    for row in try connection.rows(MetadataTables.readFacts) {
      if case .text(let name) = row[0] { facts[name] = row[1] }
    }
    return facts
  }

  private func state(_ facts: [String: SQLValue], hasHistory: Bool) throws -> MigrationState {
    func text(_ fact: MetadataTables.Fact) -> String? {
      if case .text(let text) = facts[fact.rawValue] { text } else { nil }
    }
    guard let identifier = text(.identifier), let hash = text(.modelHash),
      let layout = text(.layout),
      case .integer(let version) = facts[MetadataTables.Fact.layoutVersion.rawValue]
    else {
      throw PersistenceError(
        .notAStore,
        "'\(connection.path)' has the tables of an Oxbow store, but '_oxbow_metadata' lacks what a "
          + "store must say of itself; restore a backup")
    }
    guard layout == PlainLayout.name, (1...PlainLayout.version).contains(Int(version)) else {
      throw PersistenceError(
        .storeNewer,
        "the store '\(connection.path)' has the layout '\(layout)' version \(version), and this "
          + "version of Oxbow migrates '\(PlainLayout.name)' up to version \(PlainLayout.version)")
    }
    return MigrationState(
      layout: layout, layoutVersion: Int(version), identifier: identifier, modelHash: hash,
      model: text(.model), entities: try entities(), history: hasHistory ? try history() : [])
  }

  private func foreign(_ tables: [String]) -> PersistenceError {
    if tables.contains("Z_METADATA") {
      return PersistenceError(
        .notAStore,
        "'\(connection.path)' is a store of Core Data, which Oxbow does not read yet")
    }
    return PersistenceError(
      .notAStore,
      "'\(connection.path)' is a SQLite database, but no Oxbow store: it has the tables "
        + "\(PersistenceError.listed(tables)); check the path")
  }

  private func entities() throws -> [EntityRecord] {
    try connection.rows(MetadataTables.readEntities).compactMap { row in
      guard case .integer(let number) = row[0], case .text(let name) = row[1],
        case .text(let hash) = row[2]
      else { return nil }
      return EntityRecord(number: number, name: name, hash: hash)
    }
  }

  private func history() throws -> [HistoryEntry] {
    try connection.rows(HistoryTable.read).compactMap(HistoryEntry.init(row:))
  }

  func count(_ condition: DataCheck.Condition) throws -> Int {
    Int(try connection.integer(condition.statement) ?? 0)
  }

  func rowCount(of table: String) throws -> Int? {
    guard try LiveTables.names(connection).contains(table) else { return nil }
    return Int(try connection.integer("SELECT count(*) FROM \(quoted(table))") ?? 0)
  }

  func takenNames(_ migration: TableMigration) throws -> [String] {
    let old = migration.before
    let own = Set(
      (old.map(\.name) + old.flatMap { $0.indexes.map(\.name) }).map { $0.lowercased() })
    let new = migration.after.flatMap { table in
      [("table", table.name)] + table.indexes.map { ("index", $0.name) }
    }
    let wanted = Dictionary(new.map { ($0.1.lowercased(), $0) }) { first, _ in first }
    let leaving = Set(migration.removedTables.map { $0.lowercased() })
    return try connection.rows("SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name")
      .compactMap { row in
        guard case .text(let type) = row[0], case .text(let name) = row[1],
          case .text(let table) = row[2], !own.contains(name.lowercased()),
          !leaving.contains(table.lowercased()), type != "trigger",
          let (kind, wish) = wanted[name.lowercased()]
        else { return nil }
        let place = type == "index" ? " on the table '\(table)'" : ""
        return
          "the name '\(wish)' of a new \(kind) is that of the \(type) '\(name)'\(place), which is "
          + "not Oxbow's"
      }
  }

  func differences(from tables: [TableSchema]) throws -> [String] {
    let names = try LiveTables.names(connection)
    return try tables.flatMap { table -> [String] in
      guard names.contains(table.name) else { return ["table '\(table.name)' is missing"] }
      return table.differences(from: try LiveTables.table(table.name, connection))
    }
  }
}
