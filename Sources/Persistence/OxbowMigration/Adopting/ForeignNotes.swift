internal import OxbowModel
internal import OxbowRelational

/// Describes what a table of another tool has and a model cannot express.
struct ForeignNotes {
  private let table: ForeignSchema.Table
  private let schema: ForeignSchema

  /// The definitions between the parentheses of the table.
  private let definitions: [ArraySlice<ScriptToken>]
  private let statement: ScriptStatement?

  init(_ table: ForeignSchema.Table, in schema: ForeignSchema) {
    self.table = table
    self.schema = schema
    let script = MigrationScript(file: table.name, text: table.definition ?? "", firstLine: 1)
    statement = ScriptStatement.all(in: script).first
    definitions =
      statement.map { statement in
        statement.tokens.firstIndex { $0.isSign("(") }.map {
          statement.definitions(from: $0).map { statement.tokens[$0] }
        } ?? []
      } ?? []
  }

  var all: [String] { generated + missingParents + checks + collations + indexes }

  private var generated: [String] {
    table.columns.filter(\.isGenerated).map {
      "'\(table.name).\($0.name)' is computed from other columns; its attribute keeps the values and "
        + "does not follow them"
    }
  }

  private var missingParents: [String] {
    table.references.filter { schema.table($0.table) == nil }.map { reference in
      "\(PersistenceError.listed(reference.columns)) of '\(table.name)' refers to the table "
        + "'\(reference.table)', which is not there; it is not a relationship"
    }
  }

  private var checks: [String] {
    definitions.flatMap { definition in
      definition.indices.filter { definition[$0].isWord("check") && definition[$0].depth == 1 }.map
      {
        "the CHECK \(text(definition[$0...].dropFirst())) of '\(table.name)' is not in the model"
      }
    }
  }

  /// A condition in parentheses, without what is behind it.
  private func text(_ tokens: ArraySlice<ScriptToken>) -> String {
    let end = tokens.firstIndex { $0.isSign(")") && $0.depth == 1 } ?? tokens.endIndex - 1
    return statement?.text(tokens[tokens.startIndex...end]) ?? ""
  }

  private var collations: [String] {
    definitions.compactMap { definition in
      guard let name = collation(definition), let column = definition.first else { return nil }
      return "the COLLATE \(name) of '\(table.name).\(column.spelled)' is not in the model"
    }
  }

  private func collation(_ definition: ArraySlice<ScriptToken>) -> String? {
    guard
      let word = definition.firstIndex(where: { $0.isWord("collate") && $0.depth == 1 }),
      word + 1 < definition.endIndex, definition[word + 1].text.lowercased() != "binary"
    else { return nil }
    return definition[word + 1].spelled.uppercased()
  }

  private var indexes: [String] {
    let known = Set(definitions.compactMap(collation))
    return table.indexes.compactMap { index in
      guard let name = index.name else { return nil }
      if !index.isPlain {
        return
          "the index '\(name)' of '\(table.name)' is one of some rows or of expressions, and is "
          + "not in the model"
      }
      let others = index.collations.filter { !known.contains($0.uppercased()) }
      guard let other = others.first else { return nil }
      return "the COLLATE \(other) of the index '\(name)' of '\(table.name)' is not in the model"
    }
  }
}
