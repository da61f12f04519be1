internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

// One transaction for each save, and one change for each object that it has touched: the other
// programs that use the store, and what mirrors it, learn of the save by them.

/// What the history of a store notes of one save.
struct CoreDataRecord {
  private struct Change {
    let kind: CoreDataHistory.Kind
    let entity: Int
    let key: Int64
    let properties: Set<Int>
  }

  private var changes: [Change] = []

  mutating func add(
    _ kind: CoreDataHistory.Kind, _ object: ObjectReference, _ properties: Set<Int> = []
  ) {
    changes.append(
      Change(kind: kind, entity: object.entity, key: object.key, properties: properties))
  }

  /// Writes the transaction and its changes.
  func write(
    author: String?, context: String?, _ mapping: StoreMapping, _ connection: Connection
  ) throws {
    guard !changes.isEmpty else { return }
    let transaction = try take(1, .transaction, connection).lowerBound
    let process = ProcessInfo.processInfo.processName
    let facts = try CoreDataHistory.Fact.allCases.map { fact -> SQLValue in
      let text: String? =
        switch fact {
        case .author: author
        case .context: context
        case .bundle, .process: process
        }
      guard let text, !text.isEmpty else { return .null }
      return .integer(try key(of: text, connection))
    }
    try connection.run(
      CoreDataHistory.addTransaction,
      [.integer(transaction), .real(Date().timeIntervalSinceReferenceDate)] + facts)
    try write(transaction, mapping, connection)
  }

  private func write(
    _ transaction: Int64, _ mapping: StoreMapping, _ connection: Connection
  ) throws {
    let keys = try take(Int64(changes.count), .change, connection)
    var bits: [Int: CoreDataChangeBits] = [:]
    try connection.withStatement(CoreDataHistory.addChange) { statement throws in
      for (key, change) in zip(keys, changes) {
        let places =
          bits[change.entity] ?? CoreDataChangeBits(mapping.model.entities[change.entity])
        bits[change.entity] = places
        try statement.run([
          .integer(key), .integer(change.kind.rawValue),
          .integer(mapping.entities[change.entity].number), .integer(change.key),
          .integer(transaction),
          change.kind == .update ? .blob(places.bytes(change.properties)) : .null,
        ])
      }
    }
  }

  private func key(of text: String, _ connection: Connection) throws -> Int64 {
    if let key = try connection.integers(CoreDataHistory.findString, [.text(text)]).first {
      return key
    }
    let key = try take(1, .string, connection).lowerBound
    try connection.run(CoreDataHistory.addString, [.integer(key), .text(text)])
    return key
  }

  private func take(
    _ count: Int64, _ table: CoreDataHistory.Table, _ connection: Connection
  ) throws -> Range<Int64> {
    let last = try connection.integers(
      CoreDataHistory.takeKeys(table), [.integer(count), .integer(table.rawValue)]
    ).first
    guard let last else {
      throw PersistenceError(
        .storeCorrupt,
        "the store '\(connection.path)' has a table \(table.name) and no row \(table.rawValue) for it "
          + "in Z_PRIMARYKEY; nothing was saved: restore a copy")
    }
    guard let keys = (last - count).keys(after: count) else {
      throw PersistenceError(
        .invalidStoredValue,
        "the store '\(connection.path)' has no key left for a row of its history: the last one of "
          + "\(table.name) is \(last); nothing was saved: another program wrote it: restore a copy")
    }
    return keys
  }
}

extension CoreDataSave {
  /// Notes the save in the history, after everything else of it was written.
  func record(_ changes: ChangeSet) throws {
    guard hasHistory else { return }
    var record = CoreDataRecord()
    for insert in changes.inserts { record.add(.insert, insert.reference) }
    for update in changes.updates {
      let properties = update.values.map(\.property)
      record.add(
        .update, update.reference,
        touchedProperties(update.entity, update.key).union(properties))
    }
    for row in raised {
      record.add(.update, row.object, touchedProperties(row.object.entity, row.object.key))
    }
    for delete in changes.deletes { record.add(.delete, delete.reference) }
    try record.write(
      author: changes.author, context: changes.contextName, mapping, connection)
  }

  private func touchedProperties(_ entity: Int, _ key: Int64) -> Set<Int> {
    let place = ObjectKey(root: mapping.entities[entity].root, key: key)
    return touched.rows[place]?.properties ?? []
  }
}
