internal import OxbowModel
internal import OxbowRelational

/// The tables that a script meets, as far as its folder says.
struct ScriptTables {
  /// Those of the model, by name in small letters.
  private let schemas: [String: TableSchema]

  /// The columns that have a value in every object, by table, in small letters.
  private let required: [String: Set<String>]

  init(of mapping: StoreMapping? = nil) {
    let tables = mapping?.tables ?? []
    schemas = Dictionary(tables.map { ($0.name.lowercased(), $0) }) { first, _ in first }
    var required = schemas.mapValues { table in
      Set(
        (table.columns.filter(\.isRequired).map(\.name) + table.primaryKey).map { $0.lowercased() })
    }
    for entity in mapping?.entities ?? [] where entity.entity == entity.root {
      let names = entity.columns.filter(\.isRequired).map { $0.name.lowercased() }
      required[entity.table.lowercased(), default: []].formUnion(names)
    }
    self.required = required
  }

  func contains(_ table: String) -> Bool { schemas[table.lowercased()] != nil }

  /// Whether a column has a value in every row; `nil` for a column that the model does not have.
  func isRequired(_ column: String, of table: String) -> Bool? {
    let (table, column) = (table.lowercased(), column.lowercased())
    guard schemas[table]?.columns.contains(where: { $0.name.lowercased() == column }) == true else {
      return nil
    }
    return required[table]?.contains(column)
  }

  /// The columns of other tables that refer to a table.
  func references(to table: String) -> [(table: String, column: String)] {
    schemas.values.sorted { $0.name < $1.name }.flatMap { other in
      other.foreignKeys.filter {
        $0.table.lowercased() == table.lowercased()
          && other.name.lowercased() != $0.table.lowercased()
      }.map { (other.name, $0.column) }
    }
  }
}

/// The tables that a script makes itself: they hold no data yet.
struct ScriptOwnTables {
  private var names: Set<String> = []

  init(_ statements: [ScriptStatement]) {
    for statement in statements where statement.word(0) == "create" {
      guard let word = statement.tokens.prefix(3).firstIndex(where: { $0.isWord("table") }) else {
        continue
      }
      let name = statement.table(at: statement.word(word + 1) == "if" ? word + 4 : word + 1).name
      names.insert(name.lowercased())
    }
  }

  func contains(_ table: String) -> Bool { names.contains(table.lowercased()) }
}
