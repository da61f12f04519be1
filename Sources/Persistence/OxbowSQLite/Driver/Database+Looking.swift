internal import OxbowRelational
internal import Synchronization

/// What a look for the saves of others sees, each time in one moment.
struct SaveLook {
  /// The number of the last save; `nil` if what the store has is not a number.
  let saves: Int64?

  /// What changes with everything else that Oxbow writes beside saves.
  let upkeep: SQLValue

  /// What changes for a connection with each commit of another one, and when the log is emptied.
  let version: Int64?

  /// Whether a program that counts no saves has written something since; also when the log was
  /// emptied, which looks the same, and never in the same moment as a save.
  func isForeign(after former: SaveLook) -> Bool {
    version != former.version && saves == former.saves && upkeep == former.upkeep
  }
}

extension Database {
  /// Looks for the saves of others.
  ///
  /// - Returns: The number of the last save, and how often a program that counts none was noticed;
  ///   `nil` if the database is busy.
  func look() throws -> (saves: Int64?, foreign: Int)? {
    do {
      guard let look = try looking({ try $0.look() }) else { return nil }
      return (look.saves, foreignChanges.add(look.isForeign ? 1 : 0, ordering: .relaxed).newValue)
    } catch let error as SQLiteError where error.code.primary == .busy {
      return nil
    }
  }
}

extension Connection {
  /// No save waits here: one thread looks for all stores of the process.
  fileprivate func look() throws -> (saves: Int64?, isForeign: Bool) {
    setBusyTime(milliseconds: 0)
    defer { setBusyTime(milliseconds: configuration.busyMilliseconds) }
    let look = try transaction(.read) {
      let row = try rows(HistoryTables.look).first
      return SaveLook(
        saves: row?[0].integerValue, upkeep: row?[1] ?? .null,
        version: try integer("PRAGMA data_version"))
    }
    defer { lastLook = look }
    return (look.saves, lastLook.map { look.isForeign(after: $0) } ?? false)
  }
}
