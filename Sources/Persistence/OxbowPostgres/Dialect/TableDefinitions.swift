#if PostgreSQL
  internal import OxbowRelational

  /// The names of a store's tables: each has the name of its schema before it.
  struct ServerNames: Sendable {
    let schema: String

    func table(_ name: String) -> String { "\(quoted(schema)).\(quoted(name))" }

    var metadata: String { table(MetadataTables.metadata.name) }
    var entities: String { table(MetadataTables.entities.name) }
    var keys: String { table(MetadataTables.keys.name) }
    var sessions: String { table(MetadataTables.prefix + "sessions") }
  }

  /// The statements that make the tables of a new store.
  struct TableDefinitions {
    let mapping: StoreMapping
    let names: ServerNames

    /// The types of the columns that keep values, by table and name; all others have keys.
    private let types: [String: [String: ServerType]]

    init(_ mapping: StoreMapping, _ names: ServerNames) {
      self.mapping = mapping
      self.names = names
      var types: [String: [String: ServerType]] = [:]
      for entity in mapping.entities {
        for column in entity.columns {
          types[entity.table, default: [:]][column.name] = column.codec.serverType
        }
      }
      self.types = types
    }

    /// All of them, in order: tables refer to others when all are there.
    var statements: [String] {
      own + mapping.tables.map(table) + mapping.tables.flatMap(indexes)
        + mapping.tables.flatMap(foreignKeys)
    }

    /// Oxbow's own tables.
    private var own: [String] {
      [
        "CREATE TABLE \(names.metadata) (\"name\" text COLLATE \"C\" PRIMARY KEY, "
          + "\"kind\" text COLLATE \"C\" NOT NULL, \"value\" text COLLATE \"C\", \"bytes\" bytea)",
        "CREATE TABLE \(names.entities) (\"number\" int8 PRIMARY KEY, "
          + "\"name\" text COLLATE \"C\" NOT NULL UNIQUE, \"hash\" text COLLATE \"C\" NOT NULL)",
        "CREATE TABLE \(names.keys) (\"root\" int8 PRIMARY KEY, \"last\" int8 NOT NULL)",
        "CREATE TABLE \(names.sessions) (\"session\" int8 PRIMARY KEY, \"epoch\" int8 NOT NULL, "
          + "\"save\" int8 NOT NULL, \"seen\" timestamptz NOT NULL) WITH (fillfactor = 50)",
      ]
    }

    private func table(_ table: TableSchema) -> String {
      let columns = table.columns.map { column in
        "\(quoted(column.name)) \(type(of: column.name, in: table.name))"
          + (column.isRequired ? " NOT NULL" : "")
      }
      let key = table.primaryKey.map(quoted).joined(separator: ", ")
      return "CREATE TABLE \(names.table(table.name)) "
        + "(\(columns.joined(separator: ", ")), PRIMARY KEY (\(key)))"
    }

    private func type(of column: String, in table: String) -> String {
      let type = types[table]?[column] ?? .integer64
      return type.name + (type == .text ? " COLLATE \"C\"" : "")
    }

    /// An index in the order of fetches, in which no value comes first; or a constraint, which is
    /// checked when a save is complete.
    private func indexes(of table: TableSchema) -> [String] {
      table.indexes.compactMap { index in
        guard index.method == .order else { return nil }
        return index.isUnique ? unique(index, table) : ordinary(index, table)
      }
    }

    private func ordinary(_ index: IndexSchema, _ table: TableSchema) -> String {
      let columns = index.columns.map {
        quoted($0.name) + ($0.isAscending ? " NULLS FIRST" : " DESC NULLS LAST")
      }
      return "CREATE INDEX \(quoted(index.name)) ON \(names.table(table.name)) "
        + "(\(columns.joined(separator: ", ")))"
    }

    private func unique(_ index: IndexSchema, _ table: TableSchema) -> String {
      let start = "ALTER TABLE \(names.table(table.name)) ADD CONSTRAINT \(quoted(index.name)) "
      let columns = index.columns.map { quoted($0.name) }
      guard let condition = index.condition else {
        return start + "UNIQUE (\(columns.joined(separator: ", "))) " + mapping.dialect.deferral
      }
      let same = columns.map { "\($0) WITH =" }.joined(separator: ", ")
      let values = condition.values.map(String.init).joined(separator: ", ")
      return start + "EXCLUDE USING btree (\(same)) "
        + "WHERE (\(quoted(condition.column)) IN (\(values))) " + mapping.dialect.deferral
    }

    private func foreignKeys(of table: TableSchema) -> [String] {
      table.foreignKeys.map { key in
        "ALTER TABLE \(names.table(table.name)) ADD FOREIGN KEY (\(quoted(key.column))) "
          + "REFERENCES \(names.table(key.table)) (\(quoted(key.key))) " + mapping.dialect.deferral
      }
    }
  }
#endif
