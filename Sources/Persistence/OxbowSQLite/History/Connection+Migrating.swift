internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// A migration never rewrites the rows of a history: it says what their names mean from now on, and
// notes itself as a save.

extension Connection {
  /// Changes the model that the store has, and what the names in its history mean.
  func setModel(_ record: ModelRecord) throws {
    guard case .store(let metadata) = try StoreMetadata.read(self) else {
      return try StoreMetadata.setModel(record, self)
    }
    try StoreMetadata.setModel(record, self)
    let renaming = HistoryRenaming(
      (metadata.entities, model(metadata.model)), (record.entities, model(record.document)))
    try renaming.apply(self)
  }

  private func model(_ document: String?) -> ManagedObjectModel? {
    document.flatMap { try? ModelDocument(Array($0.utf8), file: path).model }
  }

  /// Notes a step of a migration as a save.
  func noteMigration(_ entry: HistoryEntry) throws {
    try note("\(entry.id) \(entry.name): \(entry.event)")
  }

  /// Notes as a save that a backup was restored: a consumer is where it was in the backup, and may
  /// have seen saves that are gone.
  func noteRestoring() throws { try note(HistoryTransaction.restored) }

  /// Adds a row that has a note only, after which a mirror reads the store as a whole.
  private func note(_ text: String) throws {
    guard let number = try countSave(hasHistory: true) else {
      throw PersistenceError.uncounted(path)
    }
    var blob = HistoryBlobWriter()
    blob.begin(.note)
    blob.row(text)
    blob.finish()
    try run(
      HistoryTables.add,
      [
        .integer(number), .integer(HistoryRecord.now), .null, .null, .null,
        .integer(HistoryRecord.number(of: .migration)), .integer(0), .integer(0), .integer(0),
        .blob(blob.last),
      ])
  }
}
