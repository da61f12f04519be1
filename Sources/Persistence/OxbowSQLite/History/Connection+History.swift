internal import OxbowFoundation
internal import OxbowModel
internal import OxbowRelational
internal import OxbowStore

extension Connection {
  /// Whether the store has the tables of a history.
  func hasHistory() throws -> Bool { try integer(HistoryTables.exists) == 1 }

  /// How many saves there are; `nil` if what the store has is not a number that another can follow.
  func saves(hasHistory: Bool) throws -> Int64? {
    let count = try integer(hasHistory ? HistoryTables.readSaves : MetadataTables.readSaves)
    return count == .max ? nil : count
  }

  /// Counts a save that the history does not count.
  ///
  /// - Returns: How many there are with it; `nil` if what the store has is not a number.
  func countSave(hasHistory: Bool) throws -> Int64? {
    guard !hasHistory else {
      try run(HistoryTables.countSave)
      return try integer(MetadataTables.readSaves)
    }
    if let last = countedSave, last < .max, try count(last + 1, after: last) {
      countedSave = last + 1
    } else {
      try run(MetadataTables.countSave)
      countedSave = try integer(MetadataTables.readSaves)
    }
    return countedSave
  }

  /// Counts a save if the one before has a number: a question less than when it is not known, and
  /// in the same transaction (docs/performance.md, P/save).
  ///
  /// - Returns: Whether it was counted; not so after saves of others, and after a rollback.
  private func count(_ number: Int64, after last: Int64) throws -> Bool {
    try withStatement(.countNextSave) { statement in
      try statement.bind(.integer(number), at: 1)
      try statement.bind(.integer(last), at: 2)
      _ = try statement.step()
    }
    return changes == 1
  }

  /// What is noted of each save; `nil` where nothing is.
  func historyPlan(
    _ recording: HistoryRecording, _ mapping: StoreMapping
  ) throws -> HistoryPlan? {
    guard recording != .off, try hasHistory() else { return nil }
    return HistoryPlan(
      recording, try historyPlace(at: 0), try HistoryNames(self, mapping.model),
      mapping)
  }

  /// Gives a save of the store itself a row, if the one before it has one or is before the history.
  ///
  /// Otherwise no history is being written, and it is one of many that are missing.
  func continueHistory(with number: Int64?) throws {
    guard let number, try hasHistory(),
      try number == firstOfHistory()
        || integer(HistoryTables.hasSave, [.integer(number - 1)]) == 1
    else { return }
    try run(
      HistoryTables.add,
      [
        .integer(number), .integer(HistoryRecord.now), .null, .null, .null,
        .integer(HistoryRecord.number(of: .upkeep)), .integer(0), .integer(0), .integer(0), .null,
      ])
  }

  /// The number of the first save that the history keeps.
  func firstOfHistory() throws -> Int64 {
    max(1, try integer(MetadataTables.readFact, [.text(HistoryTables.Fact.from.rawValue)]) ?? 1)
  }

  /// Gives the store another history, under whose numbers other saves may come.
  func renewHistory() throws {
    guard try hasHistory() else { return }
    try run(
      MetadataTables.writeFact,
      [.text(HistoryTables.Fact.instance.rawValue), .text(UUID().uuidString)])
  }
}

extension Database {
  /// Makes the tables of a history where the store has none, and gives names to what has none.
  func makeHistory(_ model: CompiledModel, _ part: ModelPart) throws {
    let isComplete = try read { connection in
      try connection.transaction(.read) {
        try connection.hasCurrentHistory()
          && HistoryNames.missing(connection, model, part).isEmpty
      }
    }
    guard !isComplete else { return }
    try write { connection in
      try connection.transaction(.write) {
        if try !connection.hasHistory() { try connection.createHistory() }
        try connection.run(HistoryTables.raiseLayout)
        let missing = try HistoryNames.missing(connection, model, part)
        try HistoryNames.add(missing, connection)
      }
    }
  }
}

extension Connection {
  /// Whether the store has a history, of a version that lets it count.
  fileprivate func hasCurrentHistory() throws -> Bool {
    let version = try integer(MetadataTables.readLayoutVersion) ?? 0
    return try version >= PlainLayout.versionWithHistory && hasHistory()
  }

  fileprivate func createHistory() throws {
    guard let saves = try saves(hasHistory: false) else {
      throw PersistenceError.uncounted(path)
    }
    try create(HistoryTables.all)
    try run(
      MetadataTables.writeFact,
      [.text(HistoryTables.Fact.instance.rawValue), .text(UUID().uuidString)])
    try run(
      MetadataTables.writeFact,
      [.text(HistoryTables.Fact.from.rawValue), .integer(saves + 1)])
  }
}

extension PersistenceError {
  /// A store whose count of saves is not a number.
  static func uncounted(_ path: String) -> PersistenceError {
    PersistenceError(
      .notAStore,
      "'\(MetadataTables.metadata.name)' of the store '\(path)' has no whole number as "
        + "'\(MetadataTables.Fact.saves.rawValue)' that another can follow, by which the history "
        + "numbers saves; restore a backup")
  }
}
