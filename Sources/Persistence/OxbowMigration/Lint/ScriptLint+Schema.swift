internal import OxbowRelational

extension ScriptLint {
  /// A unique index of a table that may have the same values twice.
  func uniqueIndex(_ statement: ScriptStatement) -> [LintFinding] {
    guard statement.word(1) == "unique", statement.word(2) == "index",
      let on = statement.first(["on"], from: 3)
    else { return [] }
    let (table, end) = statement.table(at: on + 1)
    guard !own.contains(table), !table.isEmpty else { return [] }
    let close = statement.tokens[end...].firstIndex { $0.isSign(")") && $0.depth == 0 }
    let columns = close.map { end + 1 < $0 ? statement.text(statement.tokens[(end + 1)..<$0]) : "" }
    return [
      finding(
        statement, .duplicates,
        "the script fails in stores that have the same values twice in '\(table)'",
        "look for them before, or give the entity a uniqueness constraint, which counts them",
        safer: columns.map { columns in
          "SELECT \(columns), count(*) FROM \(quoted(table)) GROUP BY \(columns) "
            + "HAVING count(*) > 1;"
        })
    ]
  }

  /// A trigger whose body writes a table of the model.
  func writingTrigger(_ statement: ScriptStatement) -> [LintFinding] {
    guard statement.tokens.prefix(3).contains(where: { $0.isWord("trigger") }),
      let begin = statement.first(["begin"], from: 1)
    else { return [] }
    let written = statement.tokens.indices.suffix(from: begin).lazy.compactMap {
      self.written(statement, $0)
    }
    guard let table = written.first(where: tables.contains) else { return [] }
    return [
      finding(
        statement, .writingTrigger,
        "the trigger writes rows of '\(table)': programs that have these objects do not notice and "
          + "write over them",
        "write with objects, or only tables that the model does not have")
    ]
  }

  /// The table that a statement which begins at a position of a trigger's body writes.
  private func written(_ statement: ScriptStatement, _ index: Int) -> String? {
    guard statement.tokens[index - 1].isSign(";") || statement.word(index - 1) == "begin" else {
      return nil
    }
    let isOr = statement.word(index + 1) == "or"
    switch statement.word(index) {
    case "update": return statement.table(at: index + (isOr ? 3 : 1)).name
    case "delete": return statement.table(at: index + 2).name
    case "insert": return statement.table(at: index + (isOr ? 4 : 2)).name
    case "replace": return statement.table(at: index + 2).name
    default: return nil
    }
  }
}
