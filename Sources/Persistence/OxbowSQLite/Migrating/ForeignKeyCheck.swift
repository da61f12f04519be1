internal import OxbowModel
internal import OxbowRelational

/// The rows whose references lead nowhere.
///
/// Foreign keys are off during a migration, so violations are looked for before and after; only new
/// ones fail it. The rows themselves are compared and not their number: repairing one row does not
/// make up for breaking another one.
struct ForeignKeyCheck {
  /// A reference that leads nowhere; of tables without rowid only their number is known.
  struct Violation: Hashable {
    let table: String
    let parent: String
    let row: Int64?
  }

  /// How often each is there: one row can have several references to the same table.
  let violations: [Violation: Int]

  /// The tables that were looked at, by the names that they had when the transaction began.
  let tables: Set<String>

  /// Looks at the references of some tables; `names` are those that they and the tables that they
  /// refer to had when the transaction began.
  init(_ tables: Set<String>, _ connection: Connection, names: [String: String] = [:]) throws {
    let live = Set(try connection.tableNames())
    var violations: [Violation: Int] = [:]
    for table in tables.intersection(live).sorted() {
      for row in try connection.rows("PRAGMA foreign_key_check(\(quoted(table)))") {
        guard case .text(let parent) = row[2] else { continue }
        var key: Int64?
        if case .integer(let rowid) = row[1] { key = rowid }
        let violation = Violation(
          table: names[table] ?? table, parent: names[parent] ?? parent, row: key)
        violations[violation, default: 0] += 1
      }
    }
    self.violations = violations
    self.tables = Set(tables.map { names[$0] ?? $0 })
  }

  /// Describes what leads nowhere now and did not before.
  func worse(than before: ForeignKeyCheck?) -> [String] {
    var counts: [String: Int] = [:]
    for (violation, count) in violations {
      let more = count - (before?.violations[violation] ?? 0)
      guard more > 0 else { continue }
      counts["'\(violation.table)' → '\(violation.parent)'", default: 0] += more
    }
    return counts.sorted { $0.key < $1.key }
      .map { "\($0.value) rows of \($0.key) lead to rows that do not exist" }
  }
}

/// References lead nowhere after a step, and it is not known yet which of them did before.
///
/// Looking at all rows before each step would cost as much as the step; so the step is rolled back,
/// the tables are looked at, and it runs again with what was found.
struct UnknownViolations: Error {
  /// The tables, by the names that they had when the transaction began.
  let tables: Set<String>
}

/// The names that tables had when the transaction began, by those of now, where its steps renamed
/// them.
final class NamesAtStart {
  private(set) var byName: [String: String] = [:]

  /// Adds what a step renamed: the names before it, by those behind it.
  func add(_ namesBefore: [String: String]) {
    let names = namesBefore.mapValues { byName[$0] ?? $0 }
    for name in namesBefore.values { byName[name] = nil }
    byName.merge(names) { $1 }
  }
}

/// Which tables refer to which, as the database says.
struct TableReferences {
  /// The tables referred to, by the table that refers, all in lower case.
  private let parents: [String: Set<String>]
  private let tables: [String: String]

  init(_ connection: Connection) throws {
    var parents: [String: Set<String>] = [:]
    let names = try connection.tableNames()
    for row in try connection.rows(
      "SELECT t.name, f.\"table\" FROM sqlite_schema AS t, pragma_foreign_key_list(t.name) AS f "
        + "WHERE t.type = 'table'")
    {
      guard case .text(let table) = row[0], case .text(let parent) = row[1] else { continue }
      parents[table.lowercased(), default: []].insert(parent.lowercased())
    }
    self.parents = parents
    tables = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
  }

  /// The tables that refer to one of some tables.
  func referrers(to tables: Set<String>) -> Set<String> {
    let wanted = Set(tables.map { $0.lowercased() })
    return Set(
      parents.filter { !$0.value.isDisjoint(with: wanted) }.keys.compactMap { self.tables[$0] })
  }

  /// Describes the tables that refer to a table that is no longer there.
  func orphans(since before: TableReferences) -> [String] {
    parents.flatMap { table, parents in
      parents.filter { tables[$0] == nil && before.tables[$0] != nil }.map { parent in
        "the table '\(tables[table] ?? table)' refers to '\(before.tables[parent] ?? parent)'"
      }
    }.sorted()
  }
}
