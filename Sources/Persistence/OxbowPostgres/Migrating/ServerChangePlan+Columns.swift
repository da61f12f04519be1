#if PostgreSQL
  internal import OxbowRelational

  extension ServerChangePlan {
    /// Changes a table that stays: names, then columns that are added and filled, then types.
    mutating func change(_ table: TableSchema, _ target: TableTarget) {
      guard let match = match(table) else { return }
      let name = target.table.name
      add(
        .rename, name,
        match.renames.map {
          "ALTER TABLE \(quoted(name)) RENAME COLUMN \(quoted($0.from)) TO \(quoted($0.to))"
        })
      let columns = ColumnChanges(table, target, match, dialect)
      alter(name, columns.additions, .alter)
      add(.fill, name, columns.fill.map { [$0] + Self.settling } ?? [])
      alter(name, columns.types, .rebuild)
      alter(name, columns.constraints + columns.removals, .alter)
      let renamed = match.renamed(table, [:])
      if renamed.primaryKey != target.table.primaryKey {
        changePrimaryKey(target.table.primaryKey, of: name)
      }
    }

    private mutating func alter(
      _ table: String, _ parts: [String], _ kind: MigrationOperation.Kind
    ) {
      guard !parts.isEmpty else { return }
      add(kind, table, ["ALTER TABLE \(quoted(table)) \(parts.joined(separator: ", "))"])
    }
  }

  /// What happens to the columns of a table that stays, once they have their names.
  private struct ColumnChanges {
    private(set) var additions: [String] = []
    private(set) var types: [String] = []
    private(set) var constraints: [String] = []
    private(set) var removals: [String] = []

    /// The statement that computes new columns from those that are there.
    private(set) var fill: String?

    private var values: [(column: String, text: String)] = []
    private let table: TableSchema
    private let match: ColumnMatch
    private let dialect: PostgresDialect

    init(
      _ table: TableSchema, _ target: TableTarget, _ match: ColumnMatch, _ dialect: PostgresDialect
    ) {
      (self.table, self.match, self.dialect) = (table, match, dialect)
      for column in target.table.columns {
        let source = target.sources[column.name]
        let origin = source?.directColumn.flatMap { table.column(named: $0) }
        if let origin, let source, match.currentName(of: origin.name) == column.name {
          keep(column, origin, source)
        } else {
          add(column, source)
        }
      }
      let names = Set(target.table.columns.map(\.name))
      for column in table.columns {
        let name = match.currentName(of: column.name)
        let isKept =
          names.contains(name) && target.sources[name]?.directColumn == column.name
        if !isKept { removals.append("DROP COLUMN \(quoted(name))") }
      }
      fill = statement(target.table)
    }

    private func text(_ source: ColumnSource, for column: ColumnSchema) -> String {
      source.text(
        in: dialect, as: column.type, of: table, current: match.currentName(of:))
    }

    private mutating func keep(
      _ column: ColumnSchema, _ origin: ColumnSchema, _ source: ColumnSource
    ) {
      let name = quoted(column.name)
      if source.plainColumn == nil || origin.type != column.type {
        types.append(
          "ALTER COLUMN \(name) TYPE \(dialect.name(of: column.type)) "
            + "USING \(text(source, for: column))")
      }
      if origin.isRequired != column.isRequired {
        constraints.append(
          "ALTER COLUMN \(name) \(column.isRequired ? "SET" : "DROP") NOT NULL")
      }
    }

    private mutating func add(_ column: ColumnSchema, _ source: ColumnSource?) {
      let name = quoted(column.name)
      let start = "ADD COLUMN \(name) \(dialect.name(of: column.type))"
      if case .constant(let value)? = source, value != .null {
        // The rows that are there get it without being written; new ones are always given a value.
        additions.append(
          start + " DEFAULT \(dialect.literal(value, as: column.type))"
            + (column.isRequired ? " NOT NULL" : ""))
        constraints.append("ALTER COLUMN \(name) DROP DEFAULT")
      } else {
        additions.append(start)
        if let source, source != .constant(.null) {
          values.append((column.name, text(source, for: column)))
        }
        if column.isRequired { constraints.append("ALTER COLUMN \(name) SET NOT NULL") }
      }
    }

    private func statement(_ table: TableSchema) -> String? {
      guard !values.isEmpty else { return nil }
      let keys = self.table.primaryKey.map { quoted(match.currentName(of: $0)) }
      let list =
        keys.enumerated().map { "\($1) AS \"k\($0)\"" }
        + values.enumerated().map { "\($1.text) AS \"c\($0)\"" }
      let set = values.enumerated().map { "\(quoted($1.column)) = r.\"c\($0)\"" }
      let same = keys.enumerated().map { "t.\($1) = r.\"k\($0)\"" }
      let name = quoted(table.name)
      return "UPDATE \(name) AS t SET \(set.joined(separator: ", ")) FROM "
        + "(SELECT \(list.joined(separator: ", ")) FROM \(name)) AS r "
        + "WHERE \(same.joined(separator: " AND "))"
    }
  }
#endif
