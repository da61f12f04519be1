internal import OxbowModel
internal import OxbowRelational

/// Finds rows with keys or versions that no object can have: whatever wrote them was not Oxbow.
struct RowHeaderCheck {
  let mapping: StoreMapping

  /// The keys that objects have; the largest number is none, so that a range of keys has an end.
  static let keys: ClosedRange<Int64> = 1...(.max - 1)

  /// The versions that rows have, with room for more of them.
  static let versions: ClosedRange<Int64> = 1...(1 << 62)

  /// What is wrong, in words.
  func problems(in store: any MigrationReading) throws -> [String] {
    try mapping.entities.filter { $0.root == $0.entity }.flatMap { root in
      try [
        problem("key", root.keyColumn, Self.keys, of: root.table, in: store),
        problem("version", root.versionColumn, Self.versions, of: root.table, in: store),
      ].compactMap(\.self)
    }
  }

  private func problem(
    _ what: String, _ column: String, _ range: ClosedRange<Int64>, of table: String,
    in store: any MigrationReading
  ) throws -> String? {
    let name = quoted(column)
    let statement =
      "SELECT count(*) FROM \(quoted(table)) WHERE \(name) < \(range.lowerBound) "
      + "OR \(name) > \(range.upperBound)"
    let count = try store.count(.counted(by: statement))
    return count == 0
      ? nil
      : "rows of '\(table)' whose \(what) ('\(column)') is not from \(range.lowerBound) to "
        + "\(range.upperBound): \(count)"
  }
}
