internal import CSQLite
internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// What the history notes of one save; belongs to one call of one thread.
final class HistoryRecord {
  let plan: HistoryPlan

  /// The place before the first save of the store, as it is called now: in the scope of a test it
  /// has another identifier than when the plan was made.
  let origin: HistoryPlace

  // Unchecked: each row of a save is written through it, by one thread.
  @exclusivity(unchecked) var blob: HistoryBlobWriter
  var author: String?
  var contextName: String?
  var kind = HistoryTransaction.Kind.save
  var (inserted, updated, deleted) = (0, 0, 0)

  /// What has to know the number of the save.
  var announcement: SaveAnnouncement?

  /// The values that a batch found before it changed them, by key; `nil` where none are kept.
  var batch: [ObjectReference: [HistoryCell]]?

  /// The links in rows of their own that go with deleted objects, read before they went.
  var linksOfDeleted: [ChangeSet.Link] = []

  /// Begins a record, in the bytes of the connection's last one.
  init(_ plan: HistoryPlan, of store: UUID, _ connection: Connection) {
    self.plan = plan
    origin = HistoryPlace(store: store, instance: plan.origin.instance, number: 0)
    blob = HistoryBlobWriter()
    swap(&blob, &connection.historyBlob)
  }

  /// Writes the row of the save, and the parts behind the first.
  ///
  /// - Throws: ``PersistenceError``: `notAStore` where the save has no number, `validation` for one
  ///   that is larger than any may be.
  func write(_ number: Int64?, session: UUID, _ connection: Connection) throws {
    guard let number else { throw PersistenceError.uncounted(connection.path) }
    announcement?.written(at: origin.at(number))
    blob.finish()
    guard blob.full.count < HistoryTables.largestPart else {
      throw PersistenceError(
        .validation,
        "the history of the save has \(blob.parts.count) parts, and has room for "
          + "\(HistoryTables.largestPart); nothing was saved: save fewer objects at once")
    }
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

  /// The time now, in milliseconds since 1970.
  static var now: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }

  /// What a row has for a kind (file format).
  static func number(of kind: HistoryTransaction.Kind) -> Int64 {
    switch kind {
    case .save: 1
    case .batch: 2
    case .migration: 3
    case .upkeep: 4
    }
  }

  /// The kind that a row has; one that a later version knows counts as a save.
  static func kind(of number: Int64) -> HistoryTransaction.Kind {
    HistoryTransaction.Kind.allCases.first { self.number(of: $0) == number } ?? .save
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
