internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension HistoryRecord {
  /// Begins a record, in the bytes of the connection's last one.
  convenience init(_ plan: HistoryPlan, of store: UUID, _ connection: Connection) {
    self.init(
      plan, at: HistoryPlace(store: store, instance: plan.origin.instance, number: 0))
    swap(&blob, &connection.historyBlob)
  }

  /// Writes the row of the save, and the parts behind the first.
  ///
  /// - Throws: ``PersistenceError``: `notAStore` where the save has no number, `validation` for one
  ///   that is larger than any may be.
  func write(_ number: Int64?, session: UUID, _ connection: Connection) throws {
    guard let number else { throw PersistenceError.uncounted(connection.path) }
    announcement?.written(at: origin.at(number))
    try finish()
    let parts = blob.full.isEmpty ? [] : blob.parts
    try connection.withStatement(HistoryTables.add) { statement throws in
      try bind(number, to: statement)
      try withUnsafeBytes(of: session.uuid) { session throws in
        try (parts.first ?? blob.last).withUnsafeBytes { changes throws in
          try statement.run(session: session, changes: changes)
        }
      }
    }
    for (index, part) in parts.enumerated().dropFirst() {
      try connection.run(
        HistoryTables.addPart,
        [.integer(HistoryTables.partKey(number, index)), .blob(part)])
    }
    blob.removeAll()
    swap(&blob, &connection.historyBlob)
  }

  /// Binds all but bytes.
  private func bind(_ number: Int64, to statement: Statement) throws {
    let handle = statement.handle
    sqlite3_bind_int64(handle, 1, number)
    sqlite3_bind_int64(handle, 2, Self.now)
    if let author { try statement.bind(.text(author), at: 3) }
    if let contextName { try statement.bind(.text(contextName), at: 4) }
    sqlite3_bind_int64(handle, 6, Self.number(of: kind))
    sqlite3_bind_int64(handle, 7, Int64(inserted))
    sqlite3_bind_int64(handle, 8, Int64(updated))
    sqlite3_bind_int64(handle, 9, Int64(deleted))
  }
}

extension Statement {
  /// Runs it with bytes, which SQLite reads where they are.
  fileprivate func run(session: UnsafeRawBufferPointer, changes: UnsafeRawBufferPointer) throws {
    try bindInPlace(session, at: 5)
    if !changes.isEmpty { try bindInPlace(changes, at: 10) }
    _ = try step()
    clean()
  }
}
