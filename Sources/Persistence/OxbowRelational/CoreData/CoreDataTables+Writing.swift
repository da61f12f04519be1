internal import OxbowModel

extension CoreDataTables {
  /// What a new file is set to before it has a table.
  package static let settings = "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL"

  /// How it keeps changes from then on.
  package static let log = "PRAGMA journal_mode = WAL"

  /// Makes the tables and indexes of a new store, and gives it its metadata.
  ///
  /// The triggers come after all rows: they call functions that only Core Data has.
  package static func create(
    _ definitions: CoreDataDefinitions, identifier: String, properties: [UInt8],
    _ session: some Session & Catalogue
  ) throws -> CoreDataTables {
    for statement in definitions.tables + definitions.indexes + ownTables {
      try session.execute(statement)
    }
    for entity in definitions.entities {
      try session.run(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
        [.integer(entity.number), .text(entity.name), .integer(entity.parent)])
    }
    try session.run(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      [.text(identifier), .blob(properties)])
    return try CoreDataTables(session, try session.tableNames(), try session.tableColumns())
  }

  private static let ownTables = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
      + "Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
  ]
}
