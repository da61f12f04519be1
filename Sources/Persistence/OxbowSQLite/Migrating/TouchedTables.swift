internal import OxbowRelational

/// The tables whose references a step may have changed.
struct TouchedTables {
  /// Tables whose own rows may refer to something else now.
  var written: Set<String> = []

  /// Tables that lost rows, or their keys: those that refer to them are looked at.
  var shrunk: Set<String> = []

  /// What a script or a step in Swift wrote, for checks by the model.
  var columns = WrittenColumns()

  /// Whether they are not known: all tables are looked at.
  var areUnknown = false

  /// The names that tables had before the step, where it renamed them.
  var namesBefore: [String: String] = [:]

  func referring(
    _ before: TableReferences, _ after: TableReferences, _ connection: Connection
  ) throws -> Set<String> {
    if areUnknown { return Set(try connection.tableNames()) }
    let live = try connection.tableNames()
    let lower = Set(written.map { $0.lowercased() })
    return Set(live.filter { lower.contains($0.lowercased()) })
      .union(before.referrers(to: shrunk)).union(after.referrers(to: shrunk))
  }
}
