internal import OxbowRelational

extension ScriptStatement {
  /// Whether an `UPDATE` or a `DELETE` is for all rows: it has no `WHERE`, or one that is always
  /// true.
  func isForAllRows(from verb: Int) -> Bool {
    guard let start = first(["where"], from: verb) else { return true }
    let end = first(["returning", "order", "limit"], from: start) ?? tokens.count
    return ScriptCondition(tokens[(start + 1)..<end]).isAlwaysTrue
  }
}

// MARK: - Values

extension ScriptLint {
  /// Assignments of `NULL` to what the model requires.
  func missingValues(_ statement: ScriptStatement, of table: String) -> [LintFinding] {
    guard let set = statement.first(["set"], from: 0) else { return [] }
    let end = statement.first(["where", "from", "returning"], from: set) ?? statement.tokens.count
    let parts = statement.tokens[(set + 1)..<end].split { $0.depth == 0 && $0.isSign(",") }
    return parts.map(Array.init).compactMap { part in
      guard part.count == 3, part[1].isSign("="), part[2].isWord("null"),
        tables.isRequired(part[0].text, of: table) == true
      else { return nil }
      return finding(
        statement, .missingValue,
        "'\(table).\(part[0].spelled)' is set to NULL, and the model requires a value",
        "write a value, or make the attribute optional with a model step")
    }
  }

  /// `NOT IN` over something that may be `NULL`: then it is true for no row.
  func lists(in statement: ScriptStatement) -> [LintFinding] {
    statement.tokens.indices.compactMap { index in
      guard statement.word(index) == "not", statement.word(index + 1) == "in",
        index + 2 < statement.tokens.count, statement.tokens[index + 2].isSign("("),
        let name = nullable(in: statement.inside(index + 2))
      else { return nil }
      return finding(
        statement, .nullInList,
        "NOT IN is true for no row at all as soon as \(name) is NULL once",
        "leave out what is NULL: … WHERE column IS NOT NULL, or use NOT EXISTS")
    }
  }

  /// Describes what of a list may be `NULL`.
  private func nullable(in list: ArraySlice<ScriptToken>) -> String? {
    guard let first = list.first else { return nil }
    if list.contains(where: { $0.depth == first.depth && $0.isWord("null") }),
      !first.isWord("select")
    {
      return "a value of the list"
    }
    let words = list.filter { $0.depth == first.depth }
    guard first.isWord("select"), let from = words.firstIndex(where: { $0.isWord("from") }),
      from + 1 < words.count, from > 1, words[from - 1].isName,
      // Somebody has thought of it.
      !words.contains(where: { $0.isWord("null") })
    else { return nil }
    let (column, table) = (words[from - 1], words[from + 1])
    guard from == 2 || words[from - 2].isSign(".") || words[1].isWord("distinct"),
      tables.isRequired(column.text, of: table.spelled) == false
    else { return nil }
    return "'\(table.spelled).\(column.spelled)'"
  }

  /// `INSERT … SELECT *` from or into a table of the model.
  func byPosition(_ statement: ScriptStatement, _ verb: Int) -> [LintFinding] {
    guard let select = statement.first(["select"], from: verb),
      statement.tokens.indices.contains(select + 1), statement.tokens[select + 1].isSign("*"),
      let from = statement.first(["from"], from: select), let into = statement.target(at: verb)
    else { return [] }
    let names = [into.name, statement.table(at: from + 1).name]
    guard let table = names.first(where: tables.contains) else { return [] }
    return [
      finding(
        statement, .columnsByPosition,
        "the columns are taken by their position, and those of '\(table)' have another order in "
          + "stores that were migrated than in new ones",
        "name the columns behind INTO and behind SELECT")
    ]
  }

  /// Rows that refer to those that are deleted, where the script leaves them alone.
  func danglingReferences(_ statement: ScriptStatement, to table: String) -> [LintFinding] {
    let written = Set(statements.compactMap(\.writtenTable))
    let left = tables.references(to: table).filter { !written.contains($0.table.lowercased()) }
    guard let (other, column) = left.first else { return [] }
    let names = left.map { "'\($0.table).\($0.column)'" }.joined(separator: ", ")
    return [
      finding(
        statement, .danglingReferences,
        "the step is refused in stores where \(names) refers to what is deleted of '\(table)'",
        "delete or change the rows that refer to them in the same script",
        safer: SaferStatements.references(in: column, of: other, to: table))
    ]
  }
}

extension ScriptStatement {
  /// What is inside of the parenthesis at a position.
  fileprivate func inside(_ open: Int) -> ArraySlice<ScriptToken> {
    let depth = tokens[open].depth
    let close = tokens[(open + 1)...].firstIndex { $0.isSign(")") && $0.depth == depth }
    return tokens[(open + 1)..<(close ?? tokens.count)]
  }

  /// The table that a `DELETE` or an `UPDATE` is for, in small letters.
  fileprivate var writtenTable: String? {
    guard ["delete", "update"].contains(word(verb)) else { return nil }
    return target(at: verb)?.name.lowercased()
  }
}
