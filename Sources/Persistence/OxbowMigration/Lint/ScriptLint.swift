internal import OxbowRelational

struct ScriptLint {
  let file: MigrationFile
  let tables: ScriptTables

  let statements: [ScriptStatement]

  /// The tables that the script makes itself.
  let own: ScriptOwnTables

  init(_ file: MigrationFile, _ script: MigrationScript, tables: ScriptTables) {
    self.file = file
    self.tables = tables
    statements = ScriptStatement.all(in: script)
    own = ScriptOwnTables(statements)
  }

  /// What is found in the script, with what was found by trying it.
  func findings(hasDown: Bool, tried: [LintFinding]) -> [LintFinding] {
    let indexes = ScriptIndexes(statements)
    var findings = statements.flatMap {
      self.findings($0) + lists(in: $0) + references($0, indexes)
    }
    // Whether a statement is refused is known better after trying it.
    let known = Set(findings.filter { $0.rule == .refusedStatement }.map(\.line))
    findings += tried.filter { $0.rule != .refusedStatement || !known.contains($0.line) }
    // In the order of the script, and of one statement as they were found.
    findings = findings.enumerated().sorted {
      ($0.element.line ?? .max, $0.offset) < ($1.element.line ?? .max, $1.offset)
    }.map(\.element)
    if statements.isEmpty {
      findings.append(
        LintFinding(
          rule: .emptyScript, file: file.fileName, line: nil,
          message: "the script has no statement to apply"
            + (hasDown ? "; its section \"up\" is empty" : ""),
          advice: "write the statements behind the line \"-- up\", or remove the file"))
    } else if !hasDown {
      findings.append(
        LintFinding(
          rule: .noWayBack, file: file.fileName, line: nil,
          message: "the script has no section \"down\", so that it cannot be taken back",
          advice: "add a line \"-- down\" with statements that restore what was before, or leave it"
        ))
    }
    return findings.leavingOut(
      file.allowances, in: file.fileName, lines: statements.map(\.line))
  }

  func finding(
    _ statement: ScriptStatement, _ rule: LintFinding.Rule, _ message: String, _ advice: String,
    safer: String? = nil
  ) -> LintFinding {
    LintFinding(
      rule: rule, file: file.fileName, line: statement.line, message: message, advice: advice,
      safer: safer)
  }

  private func findings(_ statement: ScriptStatement) -> [LintFinding] {
    let verb = statement.verb
    switch statement.word(verb) {
    case "drop" where statement.word(verb + 1) == "table": return dropTable(statement)
    case "alter": return dropColumn(statement)
    case "create": return uniqueIndex(statement) + writingTrigger(statement)
    case "delete": return deletes(statement, verb)
    case "replace", "insert": return inserts(statement, verb) + byPosition(statement, verb)
    case "update": return updates(statement, verb)
    case "begin", "commit", "end", "rollback", "savepoint", "release", "attach", "detach", "vacuum":
      return [
        finding(
          statement, .refusedStatement,
          "'\(statement.word(verb).uppercased())' is refused when the script runs: each step has "
            + "one transaction, in one store",
          "take the statement out")
      ]
    default: return []
    }
  }

  private func dropTable(_ statement: ScriptStatement) -> [LintFinding] {
    let table = statement.table(at: statement.word(2) == "if" ? 4 : 2).name
    guard !own.contains(table) else { return [] }
    return [
      finding(
        statement, tables.contains(table) ? .droppedByScript : .droppedOwnTable,
        "the table '\(table)' is dropped with all its rows; nothing counts them",
        "copy what is needed into another table first",
        safer: table.isEmpty
          ? nil
          : SaferStatements.keep(SaferStatements.rows(of: table), as: "kept", file.id, table) + "\n"
            + statement.text(statement.tokens) + ";")
    ]
  }

  private func dropColumn(_ statement: ScriptStatement) -> [LintFinding] {
    let (table, end) = statement.table(at: 2)
    guard statement.word(end) == "drop", !own.contains(table) else { return [] }
    let index = end + (statement.word(end + 1) == "column" ? 2 : 1)
    let column = statement.table(at: index).name
    let isOfModel = tables.contains(table)
    let values = SaferStatements.values(of: column, in: table, isOfModel: isOfModel)
    return [
      finding(
        statement, isOfModel ? .droppedByScript : .droppedOwnTable,
        "the column '\(column)' of the table '\(table)' is dropped with all its values; nothing "
          + "counts them",
        "copy what is needed into another column or table first",
        safer: column.isEmpty
          ? nil
          : SaferStatements.keep(values, as: "kept", file.id, table, column) + "\n"
            + statement.text(statement.tokens) + ";")
    ]
  }

  private func deletes(_ statement: ScriptStatement, _ verb: Int) -> [LintFinding] {
    guard let table = statement.target(at: verb)?.name, !own.contains(table) else { return [] }
    let left = danglingReferences(statement, to: table)
    guard statement.isForAllRows(from: verb) else { return left }
    return [
      finding(
        statement, .wholeTable, "all rows of the table '\(table)' are deleted",
        "say which with WHERE, if that is not meant")
    ] + left
  }

  private func inserts(_ statement: ScriptStatement, _ verb: Int) -> [LintFinding] {
    // Rows of other tables have no links that could be lost.
    guard let (table, end) = statement.target(at: verb), tables.contains(table) else { return [] }
    let hasOr = statement.word(verb + 1) == "or"
    if statement.word(verb) == "replace" || hasOr && statement.word(verb + 2) == "replace" {
      return [
        finding(
          statement, .replacedRows, "rows that are in the way are deleted, with the links to them",
          "write INSERT … ON CONFLICT DO UPDATE, which keeps the row and its key",
          safer: upsert(statement, verb, into: verb + (hasOr ? 3 : 1), table, end))
      ]
    }
    guard let update = statement.first(["do"], from: end), statement.word(update + 1) == "update",
      !setsVersion(statement, from: update)
    else { return [] }
    return [
      uncounted(
        statement, table, set: update + 2, SaferStatements.raisedVersion(in: table))
    ]
  }

  /// The statement with `ON CONFLICT DO UPDATE` in place of `OR REPLACE`; `nil` where the columns
  /// are not named.
  private func upsert(
    _ statement: ScriptStatement, _ verb: Int, into: Int, _ table: String, _ end: Int
  ) -> String? {
    guard statement.tokens.indices.contains(end), statement.tokens[end].isSign("("),
      let close = statement.tokens[end...].firstIndex(where: { $0.isSign(")") })
    else { return nil }
    let columns = statement.tokens[(end + 1)..<close].filter(\.isName).map(\.spelled)
    let query = statement.tokens[into...].contains { $0.depth == 0 && $0.isWord("select") }
    let hasWhere = statement.first(["where"], from: close) != nil
    return statement.text(statement.tokens[..<verb]) + (verb > 0 ? " " : "")
      + SaferStatements.upsert(
        statement.text(statement.tokens[into...]), into: table, columns: Array(columns),
        needsCondition: query && !hasWhere)
  }

  private func updates(_ statement: ScriptStatement, _ verb: Int) -> [LintFinding] {
    guard let table = statement.target(at: verb)?.name, tables.contains(table) else { return [] }
    var findings: [LintFinding] = []
    if statement.word(verb + 1) == "or", statement.word(verb + 2) == "replace" {
      findings.append(
        finding(
          statement, .replacedRows, "rows that are in the way are deleted, with the links to them",
          "leave OR REPLACE out, and change or delete the rows in the way before"))
    }
    findings += missingValues(statement, of: table)
    if statement.isForAllRows(from: verb) {
      findings.append(
        finding(
          statement, .wholeTable, "all rows of the table '\(table)' are written",
          "say which with WHERE, so that a second run changes nothing"))
    }
    if let set = statement.first(["set"], from: verb), !setsVersion(statement, from: set) {
      findings.append(uncounted(statement, table, set: set, SaferStatements.raisedVersion()))
    }
    return findings
  }

  /// Whether the version is assigned behind a position.
  private func setsVersion(_ statement: ScriptStatement, from start: Int) -> Bool {
    let end =
      statement.first(["where", "from", "returning"], from: start) ?? statement.tokens.count
    return (start..<end).contains { index in
      statement.tokens[index].isName
        && statement.tokens[index].text.lowercased() == PlainLayout.versionColumn
    }
  }

  private func uncounted(
    _ statement: ScriptStatement, _ table: String, set: Int, _ assignment: String
  ) -> LintFinding {
    let tokens = statement.tokens
    return finding(
      statement, .uncountedVersion,
      "objects of the table '\(table)' change and their version does not, so that a program that has "
        + "them does not notice and writes over them",
      "add \"_version\" = \"_version\" + 1 to the SET",
      safer: set + 1 < tokens.count
        ? statement.text(tokens[...set]) + " \(assignment), "
          + statement.text(tokens[(set + 1)...]) + ";"
        : nil)
  }
}

// MARK: - References

extension ScriptLint {
  /// Columns of new tables that refer to another one and have no index.
  private func references(
    _ statement: ScriptStatement, _ indexes: ScriptIndexes
  ) -> [LintFinding] {
    guard let (table, references) = ScriptReferences.all(in: statement),
      !tables.contains(table)
    else { return [] }
    return references.filter { !indexes.contains(table, $0.column) }.map { reference in
      finding(
        statement, .referenceWithoutIndex,
        "'\(table).\(reference.column)' refers to '\(reference.target)' and has no index, so that "
          + "each delete there reads all of '\(table)'",
        "make an index of the column",
        safer: SaferStatements.index(of: reference.column, in: table))
    }
  }
}

/// The first columns of the indexes that a script makes.
private struct ScriptIndexes {
  private var columns: Set<[String]> = []

  init(_ statements: [ScriptStatement]) {
    for statement in statements where statement.word(0) == "create" {
      guard let on = statement.first(["on"], from: 0),
        statement.tokens.prefix(3).contains(where: { $0.isWord("index") })
      else { continue }
      let (table, end) = statement.table(at: on + 1)
      columns.insert([table.lowercased(), statement.table(at: end + 1).name.lowercased()])
    }
  }

  func contains(_ table: String, _ column: String) -> Bool {
    columns.contains([table.lowercased(), column.lowercased()])
  }
}

private enum ScriptReferences {
  typealias Reference = (column: String, target: String)

  static func all(in statement: ScriptStatement) -> (table: String, [Reference])? {
    if statement.word(0) == "alter" {
      let (table, end) = statement.table(at: 2)
      guard statement.word(end) == "add" else { return nil }
      let start = end + (statement.word(end + 1) == "column" ? 2 : 1)
      return (table, reference(statement, start..<statement.tokens.count).map { [$0] } ?? [])
    }
    guard statement.word(0) == "create",
      let word = statement.tokens.prefix(3).firstIndex(where: { $0.isWord("table") })
    else { return nil }
    let (table, end) = statement.table(at: statement.word(word + 1) == "if" ? word + 4 : word + 1)
    return (table, statement.definitions(from: end).compactMap { reference(statement, $0) })
  }

  private static func reference(_ statement: ScriptStatement, _ part: Range<Int>) -> Reference? {
    guard let first = part.first, first < statement.tokens.count,
      let word = part.first(where: { statement.tokens[$0].isWord("references") }),
      !part.contains(where: { statement.tokens[$0].isWord("primary", "unique") })
    else { return nil }
    let target = statement.table(at: word + 1).name
    guard let key = part.first(where: { statement.tokens[$0].isWord("foreign") }), key < word else {
      return (statement.tokens[first].spelled, target)
    }
    // FOREIGN KEY (column, …)
    return (statement.table(at: key + 3).name, target)
  }
}
