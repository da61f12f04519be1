internal import OxbowSQL

/// Counts the rows whose references lead nowhere.
///
/// During a migration foreign keys are off, so this is the net. Rows that were wrong before are none
/// of the migration's business.
struct ForeignKeyCheck {
  /// The number of rows by their table and the table that they refer to.
  let violations: [String: Int]

  init(_ tables: [String], _ connection: Connection) throws {
    let live = Set(try LiveTables.names(connection))
    var violations: [String: Int] = [:]
    for table in tables where live.contains(table) {
      for row in try connection.rows("PRAGMA foreign_key_check(\(quoted(table)))") {
        guard case .text(let parent) = row[2] else { continue }
        violations["'\(table)' → '\(parent)'", default: 0] += 1
      }
    }
    self.violations = violations
  }

  /// What leads nowhere now and did not before, in words.
  func worse(than before: Int) -> [String] {
    guard violations.values.reduce(0, +) > before else { return [] }
    return violations.sorted { $0.key < $1.key }
      .map { "\($0.value) rows of \($0.key) lead to rows that do not exist" }
  }

  var total: Int { violations.values.reduce(0, +) }
}
