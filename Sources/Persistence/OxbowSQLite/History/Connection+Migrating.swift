internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension Connection {
  /// Notes a step of a migration as a save.
  func noteMigration(_ entry: HistoryEntry) throws {
    try note(entry.noteInHistory)
  }

  /// Notes as a save that a backup was restored: a consumer is where it was in the backup, and may
  /// have seen saves that are gone.
  func noteRestoring() throws { try note(HistoryTransaction.restored) }

  /// Adds a row that has a note only, after which a mirror reads the store as a whole.
  private func note(_ text: String) throws {
    guard let number = try countSave(hasHistory: true) else {
      throw PersistenceError.uncounted(path)
    }
    try run(
      HistoryTables.add,
      [
        .integer(number), .integer(HistoryRecord.now), .null, .null, .null,
        .integer(HistoryRecord.number(of: .migration)), .integer(0), .integer(0), .integer(0),
        .blob(HistoryRecord.note(text)),
      ])
  }
}
