internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

/// What the history notes of one save.
struct HistoryRecord {
  let plan: HistoryPlan
  var blob = HistoryBlobWriter()
  var author: String?
  var contextName: String?
  var kind = HistoryTransaction.Kind.save
  var (inserted, updated, deleted) = (0, 0, 0)

  /// What has to know the number of the save.
  var announcement: SaveAnnouncement?

  /// The values that a batch found before it changed them, by key; `nil` where none are kept.
  var batch: [ObjectReference: [HistoryCell]]?

  init(_ plan: HistoryPlan) { self.plan = plan }

  /// Writes the row of the save, and the parts behind the first.
  ///
  /// - Throws: ``PersistenceError``: `notAStore` where the save has no number, `validation` for one
  ///   that is larger than any may be.
  mutating func write(_ number: Int64?, session: UUID, _ connection: Connection) throws {
    guard let number else { throw PersistenceError.uncounted(connection.path) }
    announcement?.written(at: plan.origin.at(number))
    let parts = blob.finish()
    guard parts.count <= HistoryTables.largestPart else {
      throw PersistenceError(
        .validation,
        "the history of the save has \(parts.count) parts, and has room for "
          + "\(HistoryTables.largestPart); nothing was saved: save fewer objects at once")
    }
    try connection.run(
      HistoryTables.add,
      [
        .integer(number), .integer(Self.now), author.map { .text($0) } ?? .null,
        contextName.map { .text($0) } ?? .null,
        .blob(withUnsafeBytes(of: session.uuid) { Array($0) }),
        .integer(Self.number(of: kind)), .integer(Int64(inserted)), .integer(Int64(updated)),
        .integer(Int64(deleted)), parts.first.map { .blob($0) } ?? .null,
      ])
    for (index, part) in parts.enumerated().dropFirst() {
      try connection.run(
        HistoryTables.addPart,
        [.integer(HistoryTables.partKey(number, index)), .blob(part)])
    }
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
