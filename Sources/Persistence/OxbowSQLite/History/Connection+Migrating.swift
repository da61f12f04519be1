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
    guard let number = try countSave(hasHistory: true) else {
      throw PersistenceError.uncounted(path)
    }
    var blob = HistoryBlobWriter()
    blob.begin(.note)
    blob.row("\(entry.id) \(entry.name): \(entry.event)")
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
