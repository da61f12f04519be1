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
        safer: columns.map { SaferStatements.duplicates(of: $0, in: table) })
    ]
  }

  /// A trigger whose body writes a table of the model.
  func writingTrigger(_ statement: ScriptStatement) -> [LintFinding] {
    guard statement.tokens.prefix(3).contains(where: { $0.isWord("trigger") }),
      let begin = statement.first(["begin"], from: 1)
    else { return [] }
    let written = statement.tokens.indices.suffix(from: begin + 1).lazy.filter {
      statement.tokens[$0 - 1].isSign(";") || $0 == begin + 1
    }.compactMap { statement.target(at: $0)?.name }
    guard let table = written.first(where: tables.contains) else { return [] }
    return [
      finding(
        statement, .writingTrigger,
        "the trigger writes rows of '\(table)': programs that have these objects do not notice and "
          + "write over them",
        "write with objects, or only tables that the model does not have")
    ]
  }
}
