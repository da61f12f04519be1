#if PostgreSQL
  internal import OxbowRelational

  /// The names of a store's tables: each has the name of its schema before it.
  struct ServerNames: Sendable {
    let schema: String

    func table(_ name: String) -> String { "\(quoted(schema)).\(quoted(name))" }

    var metadata: String { table(MetadataTables.metadata.name) }
    var keys: String { table(MetadataTables.keys.name) }
    var sessions: String { table(MetadataTables.prefix + "sessions") }

    /// Locks the rows of a table that have some keys, sorted.
    func locking(
      _ table: EntityMapping, _ keys: [Int64], for strength: String = "NO KEY UPDATE"
    ) -> ServerStatement {
      let key = quoted(table.keyColumn)
      return ServerStatement(
        "SELECT 1 FROM \(self.table(table.table)) WHERE \(key) = ANY($1) ORDER BY \(key) "
          + "FOR \(strength)", [Parameter(keys: keys)])
    }

    /// The statement behind which names of a transaction are those of the schema, before those of
    /// temporary tables.
    var search: String { "SET LOCAL search_path = \(quoted(schema)), pg_temp" }
  }

  /// The statements that make the tables of a store, in a transaction that looks for names in its
  /// schema (``ServerNames/search``).
  enum TableDefinitions {
    private static let dialect = PostgresDialect()

    /// All of them, in order: tables refer to others when all are there.
    static func statements(of tables: [TableSchema]) -> [String] {
      tables.map(table)
        + tables.flatMap { table in table.orders.map { index($0, on: table.name) } }
        + tables.flatMap { table in table.foreignKeys.map { foreignKey($0, on: table.name) } }
    }

    /// Oxbow's own tables.
    static var own: [String] {
      [
        "CREATE TABLE \(quoted(MetadataTables.metadata.name)) "
          + "(\"name\" text COLLATE \"C\" PRIMARY KEY, "
          + "\"kind\" text COLLATE \"C\" NOT NULL, \"value\" text COLLATE \"C\", \"bytes\" bytea)",
        "CREATE TABLE \(quoted(MetadataTables.entities.name)) (\"number\" int8 PRIMARY KEY, "
          + "\"name\" text COLLATE \"C\" NOT NULL UNIQUE, \"hash\" text COLLATE \"C\" NOT NULL)",
        "CREATE TABLE \(quoted(MetadataTables.keys.name)) "
          + "(\"root\" int8 PRIMARY KEY, \"last\" int8 NOT NULL)",
        "CREATE TABLE \(quoted(MetadataTables.prefix + "sessions")) "
          + "(\"session\" int8 PRIMARY KEY, \"epoch\" int8 NOT NULL, "
          + "\"save\" int8 NOT NULL, \"seen\" timestamptz NOT NULL) WITH (fillfactor = 50)",
      ]
    }

    /// A table without what refers to others.
    static func table(_ table: TableSchema) -> String {
      var table = table
      table.foreignKeys = []
      return table.definition(in: dialect)
    }

    /// An index in the order of fetches, in which no value comes first; or a constraint, which is
    /// checked when a save is complete.
    static func index(_ index: IndexSchema, on table: String) -> String {
      index.isUnique ? unique(index, table) : ordinary(index, table)
    }

    static func removal(of index: IndexSchema, on table: String) -> String {
      index.isUnique
        ? "ALTER TABLE \(quoted(table)) DROP CONSTRAINT \(quoted(index.name))"
        : "DROP INDEX \(quoted(index.name))"
    }

    private static func ordinary(_ index: IndexSchema, _ table: String) -> String {
      "CREATE INDEX \(quoted(index.name)) ON \(quoted(table)) (\(order(index)))"
    }

    private static func order(_ index: IndexSchema) -> String {
      index.columns.map {
        quoted($0.name) + ($0.isAscending ? " NULLS FIRST" : " DESC NULLS LAST")
      }.joined(separator: ", ")
    }

    /// An index that is made while others write; one of a constraint has the server's own order.
    static func concurrentIndex(_ index: IndexSchema, on table: String) -> String {
      let columns =
        index.isUnique
        ? index.columns.map { quoted($0.name) }.joined(separator: ", ") : order(index)
      return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX CONCURRENTLY \(quoted(index.name)) ON "
        + "\(quoted(table)) (\(columns))"
    }

    /// Makes an index that is there a constraint of its name.
    static func constraint(by index: IndexSchema, on table: String) -> String {
      "ALTER TABLE \(quoted(table)) ADD CONSTRAINT \(quoted(index.name)) "
        + "UNIQUE USING INDEX \(quoted(index.name)) \(dialect.deferral)"
    }

    private static func unique(_ index: IndexSchema, _ table: String) -> String {
      let start = "ALTER TABLE \(quoted(table)) ADD CONSTRAINT \(quoted(index.name)) "
      let columns = index.columns.map { quoted($0.name) }
      guard let condition = index.condition else {
        return start + "UNIQUE (\(columns.joined(separator: ", "))) " + dialect.deferral
      }
      let same = columns.map { "\($0) WITH =" }.joined(separator: ", ")
      return start + "EXCLUDE USING btree (\(same)) "
        + "WHERE (\(isOne(quoted(condition.column), of: condition.values))) " + dialect.deferral
    }

    static func foreignKey(_ key: ForeignKeySchema, on table: String) -> String {
      "ALTER TABLE \(quoted(table)) ADD FOREIGN KEY (\(quoted(key.column))) "
        + "REFERENCES \(quoted(key.table)) (\(quoted(key.key))) " + dialect.deferral
    }
  }

  extension TableSchema {
    /// The indexes that a server keeps: conditions of boxes are decided in memory, and where there
    /// can be no objects, none are alike.
    var orders: [IndexSchema] {
      indexes.filter { $0.method == .order && $0.condition?.values.isEmpty != true }
    }
  }
#endif
