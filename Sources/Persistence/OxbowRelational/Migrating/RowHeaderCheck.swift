/// Finds rows with keys or versions that no object can have: something other than Oxbow wrote them.
package struct RowHeaderCheck {
  private let mapping: StoreMapping

  /// The versions that rows have, with room for later ones.
  private static let versions: ClosedRange<Int64> = 1...(1 << 62)

  package init(mapping: StoreMapping) { self.mapping = mapping }

  /// Describes what is wrong, with all tables or with those in which keys were written.
  package func problems(
    in store: any MigrationReading, after written: WrittenColumns? = nil
  ) throws -> [String] {
    try mapping.entities.filter { $0.root == $0.entity }.flatMap { root in
      guard written?.contains(root.keyColumn, of: root.table) != false else {
        return [] as [String]
      }
      return try [
        problem("key", root.keyColumn, .objectKeys, of: root.table, in: store),
        problem("version", root.versionColumn, Self.versions, of: root.table, in: store),
      ].compactMap(\.self)
    }
  }

  private func problem(
    _ what: String, _ column: String, _ range: ClosedRange<Int64>, of table: String,
    in store: any MigrationReading
  ) throws -> String? {
    let statement =
      "SELECT count(*) FROM \(quoted(table)) WHERE " + range.excludes(quoted(column))
    let count = try store.count(.counted(by: statement))
    return count == 0
      ? nil
      : "rows of '\(table)' whose \(what) ('\(column)') is not from \(range.lowerBound) to "
        + "\(range.upperBound): \(count)"
  }
}
