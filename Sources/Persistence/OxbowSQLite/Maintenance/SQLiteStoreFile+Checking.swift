public import OxbowModel
internal import OxbowRelational

extension SQLiteStoreFile {
  /// Looks for damage: pages that SQLite cannot read or that contradict each other, rows that refer
  /// to missing ones, tables, columns or indexes that the store's own model has and the file has
  /// not, files of large values that are missing or belong to no row, search indexes that are wrong
  /// for rows which another program wrote, and fetch indexes of type `RTree` that are missing or
  /// wrong.
  ///
  /// Of a store of Core Data, what no such store has that Core Data alone has written; rows only if
  /// it keeps its model. It writes nothing, and reads every page: at the speed of the medium.
  ///
  /// - Returns: What was found, one sentence each, at most some hundred; empty for a sound store.
  /// - Throws: ``PersistenceError``: `notAStore`, or `storeUnreachable`.
  public func check() throws(PersistenceError) -> [String] {
    if isOfCoreData, let damages = try damagesOfCoreData() { return damages }
    return try perform("checking") {
      do {
        return try withDatabase(isReadOnly: true) { database in
          let names = ExternalFolder(ofStore: database.path).names
          return try database.read { connection in
            try connection.transaction(.read) {
              let damages = try connection.findings("PRAGMA integrity_check(100)")
              guard damages.isEmpty else { return damages }
              return try connection.danglingRows(limit: 100).map(\.description)
                + connection.missingParts() + connection.searchFindings()
                + connection.boxFindings()
                + connection.fileFindings(names, limit: 100)
            }
          }
        }
      } catch let error as SQLiteError where error.code.primary == .corrupt {
        // Damage that SQLite cannot read past is a finding too.
        return [error.message]
      }
    }
  }
}

extension Connection {
  /// The parts of the store's own model that its tables lack.
  fileprivate func missingParts() throws -> [String] {
    guard let mapping = StoreInspection.mapping(of: try MigratedStore(self).state()) else {
      return []
    }
    return try TableDeclarations(mapping, self).missing(mapping).map { "\($0) is missing" }
  }
}
