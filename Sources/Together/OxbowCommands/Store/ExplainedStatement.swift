internal import OxbowModel
internal import OxbowRuntime
internal import OxbowSQLite

/// How a store answers a question: the statement, SQLite's plan in words, and what was read.
struct ExplainedStatement: Encodable {
  let statement: String
  let values: [String]
  let plan: [Step]

  /// How many rows the question was answered with, and how many steps from row to row were made
  /// because no index led further; SQLite counts one less than it reads of a table.
  let count: Int
  let scannedRows: Int

  /// A line of the plan, and how far it is inside others.
  struct Step: Encodable {
    let depth: Int
    let text: String

    /// The line as SQLite writes it.
    let detail: String
  }

  /// Explains a question, and asks it to count what is read.
  init(_ query: ColumnQuery, in store: SQLiteStore) throws {
    let explanation = try store.explanation(of: query)
    let words = PlanWords(explanation.text)
    statement = explanation.text
    values = explanation.values
    plan = explanation.steps.map { step in
      Step(depth: step.depth, text: words.text(of: step.detail), detail: step.detail)
    }
    let record = StatementRecord()
    count = try StatementRecord.$current.withValue(record) { try store.rows(of: query).count }
    scannedRows = record.entries.reduce(0) { $0 + $1.work.scannedRows }
  }

  var lines: [String] {
    var lines = ["statement", "  " + statement.oneLine]
    for (number, value) in values.enumerated() {
      lines.append("  ?\(number + 1) = \(value.oneLine)")
    }
    lines.append("plan")
    lines += plan.map { String(repeating: "  ", count: $0.depth + 1) + $0.text.oneLine }
    let steps = counted(scannedRows, "step")
    return lines + [
      "read",
      "  \(steps) from row to row without an index, for \(counted(count, "row")) of the result",
    ]
  }
}

/// Says in words what a line of `EXPLAIN QUERY PLAN` means.
///
/// A line that is not known stays as SQLite writes it.
package struct PlanWords {
  /// The tables by the names that the statement gives them.
  private let tables: [String: String]

  package init(_ statement: String) {
    var tables: [String: String] = [:]
    for match in statement.matches(of: /"((?:[^"]|"")+)" AS (\w+)/) {
      tables[String(match.output.2)] = String(match.output.1)
    }
    self.tables = tables
  }

  package func text(of detail: String) -> String {
    let detail = detail.hasSuffix(" LEFT-JOIN") ? String(detail.dropLast(10)) : detail
    if let text = sorting(detail) ?? nesting(detail) { return text }
    let words = detail.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count > 1, ["SCAN", "SEARCH"].contains(words[0]) else { return detail }
    let table = tables[words[1]] ?? words[1]
    let rest = words.count > 2 ? words[2] : ""
    return words[0] == "SCAN" ? scan(table, rest) : search(table, rest) ?? detail
  }

  // MARK: Reading

  private func scan(_ table: String, _ rest: String) -> String {
    if table == "CONSTANT" { return "makes one row" }
    if rest.hasPrefix("VIRTUAL TABLE") { return "asks \(table)" }
    guard let index = Index(rest) else { return "reads all rows of \(table)" }
    return index.isCovering
      ? "reads all of the index \(index.name) of \(table)"
      : "reads all rows of \(table), in the order of its index \(index.name)"
  }

  private func search(_ table: String, _ rest: String) -> String? {
    if rest.hasPrefix("VIRTUAL TABLE") { return "asks \(table)" }
    if rest.hasPrefix("USING INTEGER PRIMARY KEY") {
      return rest.contains("rowid=?")
        ? "looks up rows of \(table) by their keys" : "reads the rows of \(table) between two keys"
    }
    guard let index = Index(rest) else { return nil }
    if index.isAutomatic {
      return "makes an index of all rows of \(table) for this question, and looks up rows in it "
        + index.condition
    }
    let what = index.isCovering ? "values" : "rows"
    return "looks up \(what) of \(table) in its index \(index.name) \(index.condition)"
  }

  /// The index of a line: `USING AUTOMATIC PARTIAL COVERING INDEX name (a=? AND b>?)`.
  private struct Index {
    let name: String
    let condition: String
    let isCovering: Bool
    let isAutomatic: Bool

    init?(_ text: String) {
      guard
        let match = text.wholeMatch(
          of: /USING (AUTOMATIC )?(?:PARTIAL )?(COVERING )?INDEX(?: ([^(]\S*))? ?(\(.*\))?/)
      else { return nil }
      name = match.output.3.map(String.init) ?? ""
      condition = match.output.4.map(String.init) ?? ""
      isCovering = match.output.2 != nil
      isAutomatic = match.output.1 != nil
    }
  }

  // MARK: Around what is read

  private func sorting(_ detail: String) -> String? {
    guard detail.hasPrefix("USE TEMP B-TREE FOR ") else { return nil }
    let purpose = String(detail.dropFirst(20))
    return switch purpose {
    case "ORDER BY": "sorts the rows"
    case "GROUP BY": "sorts the rows into groups"
    case "DISTINCT": "leaves out equal rows"
    default:
      purpose.hasSuffix("OF ORDER BY")
        ? "sorts rows that are equal by the first sort keys"
        : "collects values for \(purpose)"
    }
  }

  private func nesting(_ detail: String) -> String? {
    let words = detail.split(separator: " ").map(String.init)
    return switch words.first {
    case "CORRELATED": "for each row:"
    case "SCALAR" where words.contains("SUBQUERY"), "LIST" where words.contains("SUBQUERY"):
      "once:"
    case "MULTI-INDEX": "puts together what several indexes find:"
    case "INDEX": "by index \(words.last ?? ""):"
    case "MATERIALIZE", "CO-ROUTINE": "first makes the rows of \(words.last ?? ""):"
    default: nil
    }
  }
}
