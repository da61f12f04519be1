internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// The bookkeeping of the plain layout: tables of Oxbow's own (`MetadataTables`).
///
/// An object, because each save hands it on.
final class PlainBookkeeping: StoreBookkeeping {
  let metadata: StoreMetadata

  init(metadata: StoreMetadata) { self.metadata = metadata }

  var identifier: UUID { metadata.identifier }

  var keepsReservedKeys: Bool { true }

  var keyCounter: String { "'last' in '\(MetadataTables.keys.name)'" }

  func check(
    _ model: CompiledModel, _ part: ModelPart, _ path: String, isReadOnly: Bool
  ) throws {
    try metadata.checkModel(model, part, path)
  }

  func mapping(
    of model: CompiledModel, _ part: ModelPart, _ path: String
  ) throws -> StoreMapping {
    PlainLayout.mapping(
      of: model, numbers: try metadata.numbers(model, part, path), part: part)
  }

  func prepare(
    _ database: Database, _ mapping: StoreMapping, _ part: ModelPart, _ options: SQLiteStoreOptions
  ) throws {
    try makeFilesTable(database, part)
    if options.history != .off { try database.makeHistory(mapping.model, part) }
    let mayNeedSearch =
      metadata.layoutVersion >= PlainLayout.versionWithSearch || !mapping.searchIndexes.isEmpty
    if mayNeedSearch, options.makesSearchIndexes { try database.makeSearchIndexes(mapping) }
  }

  /// Makes the table of files where the model allows external storage.
  private func makeFilesTable(_ database: Database, _ part: ModelPart) throws {
    let allows = part.source.flattened.entities.contains { entity in
      entity.attributes.contains(where: \.allowsExternalStorage)
    }
    guard allows, database.path != ":memory:", try database.read({ try !$0.hasFiles() }) else {
      return
    }
    try database.makeFilesTable()
  }

  func isCurrent(_ part: ModelPart, _ connection: Connection) throws -> Bool {
    try connection.text(MetadataTables.readModelHash) == part.versionHash
  }

  func value(of key: String, _ connection: Connection) throws -> SQLValue? {
    try connection.rows(MetadataTables.readFact, [.text(MetadataTables.ownName(key))]).first?.first
  }

  func keys(_ connection: Connection) throws -> [String] {
    try connection.ownMetadata().keys.sorted()
  }

  func requireHistory(_ path: String) throws(PersistenceError) {}
}

// MARK: - Saves

extension PlainBookkeeping {
  func reserve(
    _ count: Int64, _ root: EntityMapping, _ mapping: StoreMapping, _ connection: Connection
  ) throws -> Range<Int64> {
    let sql = MetadataTables.readKeys(table: root.table, keyColumn: root.keyColumn)
    let row = try connection.rows(sql, [.integer(root.number)]).first
    guard case .integer(let noted)? = row?[0], case .integer(let stored)? = row?[1] else {
      throw PersistenceError(
        .notAStore,
        "the store '\(connection.path)' has no row for '\(root.table)' in "
          + "'\(MetadataTables.keys.name)'; restore a backup")
    }
    guard let keys = max(0, noted, stored).keys(after: count) else {
      throw keysUsedUp(root, mapping, noted: noted, stored: stored, connection.path)
    }
    try connection.run(
      MetadataTables.reserveKeys, [.integer(keys.upperBound - 1), .integer(root.number)])
    return keys
  }

  private func keysUsedUp(
    _ root: EntityMapping, _ mapping: StoreMapping, noted: Int64, stored: Int64, _ path: String
  ) -> PersistenceError {
    let last =
      stored >= noted
      ? "a row of the table '\(root.table)' has \(stored) in '\(root.keyColumn)'"
      : "'\(MetadataTables.keys.name)' has \(noted) as the last key of '\(root.table)'"
    return PersistenceError(
      .invalidStoredValue,
      "the store '\(path)' has no key left for a new object of "
        + "'\(mapping.model.entities[root.root].name)': "
        + "\(last), and nothing comes after it; another program took the last key: give that row a "
        + "smaller one, and set 'last' in '\(MetadataTables.keys.name)' to the largest key in use")
  }

  func begin(
    _ changes: inout ChangeSet, _ writer: borrowing ChangeWriter
  ) throws -> CoreDataSave? { nil }

  func keep(_ metadata: [ChangeSet.Metadatum], _ connection: Connection) throws {
    for item in metadata {
      let name = SQLValue.text(MetadataTables.ownName(item.key))
      guard let value = item.value else {
        try connection.run(MetadataTables.removeOwn, [name])
        continue
      }
      try connection.run(MetadataTables.writeFact, [name, SQLValue(metadatum: value, item.key)])
    }
  }

  func end(_ writer: borrowing ChangeWriter) throws -> SaveMark {
    guard writer.history != nil else {
      return .count(try writer.connection.countSave(hasHistory: writer.storeHasHistory))
    }
    return .count(try writer.connection.saves(hasHistory: true).map { $0 + 1 })
  }

  func isDurable(_ mark: SaveMark, _ connection: Connection) -> Bool? {
    (try? connection.saves(hasHistory: connection.hasHistory())).map {
      $0 >= mark.number ?? .max
    }
  }
}

extension Int64 {
  /// The next keys after this one, at most `count`; `nil` if none is left.
  ///
  /// The largest number is never a key, so that a range of keys has an end.
  func keys(after count: Int64) -> Range<Int64>? {
    let end = self + Swift.min(count, .max - 1 - Swift.min(self, .max - 1))
    return end > self ? self + 1..<end + 1 : nil
  }
}
