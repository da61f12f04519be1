package import OxbowFoundation
package import OxbowModel

/// What a store has besides its rows of objects and links, which is the same in every engine.
package struct StoreContents: Sendable {
  package let identifier: UUID
  package let model: CompiledModel

  /// How many migrations the store has had.
  package var migrations: Int { history.count }

  private let record: ModelRecord
  private let numbers: [Int64]

  /// The last keys that were handed out, by the numbers of root entities.
  private let lastKeys: [(root: SQLValue, last: SQLValue)]

  /// What programs keep with the store, and what a store of Core Data has left, by name.
  private let facts: [String: SQLValue]

  /// The rows of its migrations, but for one that is under way: what it has prepared for a model to
  /// come is not copied.
  private let history: [[SQLValue]]

  /// The tables of such a store in an engine.
  package func mapping(in dialect: any Dialect) -> StoreMapping {
    PlainLayout.mapping(of: model, numbers: numbers, in: dialect)
  }
}

// MARK: - Reading

extension StoreContents {
  /// Reads what a store has, in one read transaction.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` for a store that does not keep its model.
  package init(_ metadata: StoreMetadata, _ session: some Session & Catalogue) throws {
    guard let text = metadata.model else {
      throw PersistenceError(
        .unsupported,
        "the store '\(session.path)' does not keep its model, so it cannot be copied: no document "
          + "could hold it; read its objects with the program, and insert them in the other store")
    }
    model = try CompiledModel(
      ModelDocument(Array(text.utf8), file: "the model of '\(session.path)'").model)
    let part = ModelPart(whole: model)
    try metadata.checkModel(model, part, session.path)
    numbers = try metadata.numbers(model, part, session.path)
    identifier = metadata.identifier
    let entities = metadata.entities
    record = ModelRecord(
      hash: metadata.modelHash, document: text, entities: entities + metadata.pastEntities,
      roots: model.entities.filter { $0.root == $0.index }.map { [numbers] in numbers[$0.index] })
    lastKeys = try session.rows(MetadataTables.readAllKeys, []).map { ($0[0], $0[1]) }
    facts = try session.facts().filter { MetadataTables.isCarried($0.key) }
    history =
      try session.tableNames().contains(HistoryTable.table.name)
      ? session.rows(HistoryTable.read, []).filter { HistoryEntry(row: $0)?.isOfParts != true } : []
  }

  /// The tables that do not belong to the store.
  package func otherTables(_ session: some Catalogue, _ mapping: StoreMapping) throws -> [String] {
    let own = Set(mapping.tables.map(\.name))
    return try session.tableNames().filter {
      !own.contains($0) && !$0.hasPrefix(MetadataTables.prefix)
    }
  }
}

// MARK: - Writing

extension StoreContents {
  /// Notes everything in a store whose own tables are there, in the transaction that made them.
  package func write(_ session: some Session) throws {
    try session.writeFact(MetadataTables.Fact.identifier.rawValue, .text(identifier.uuidString))
    try StoreMetadata.setModel(record, session)
    for (root, last) in lastKeys { try session.run(MetadataTables.writeKeys, [root, last]) }
    for (name, value) in facts { try session.writeFact(name, value) }
    guard !history.isEmpty else { return }
    try session.create([HistoryTable.table])
    for row in history { try session.run(HistoryTable.copy(in: session.dialect), row) }
  }
}
