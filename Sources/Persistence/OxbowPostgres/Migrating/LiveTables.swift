#if PostgreSQL
  internal import OxbowRelational

  /// The tables of a schema, as the server's catalogues describe them.
  ///
  /// `information_schema` would hide what the role may not see.
  struct LiveTables {
    private(set) var all: [TableSchema] = []

    private static let start =
      "FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
    private static let end = "WHERE n.nspname = ? AND c.relkind IN ('r', 'p') "

    init(_ session: StoreSession) throws {
      let schema = [SQLValue.text(session.names.schema)]
      for row in try session.rows(Self.columns, schema) { addColumn(Texts(row)) }
      for row in try session.rows(Self.constraints, schema) { addConstraint(Texts(row)) }
      for row in try session.rows(Self.indexes, schema) { addIndex(Texts(row)) }
    }

    subscript(name: String) -> TableSchema? { all.first { $0.name == name } }

    /// A row of texts; NULL is empty.
    private struct Texts {
      let cells: [String]

      init(_ row: [SQLValue]) {
        cells = row.map { cell in
          switch cell {
          case .text(let text): text
          case .integer(let number): "\(number)"
          default: ""
          }
        }
      }

      subscript(index: Int) -> String { cells[index] }
    }

    private mutating func change(_ table: String, _ body: (inout TableSchema) -> Void) {
      if let index = all.firstIndex(where: { $0.name == table }) { body(&all[index]) }
    }
  }

  // MARK: - Columns

  extension LiveTables {
    private static let columns =
      "SELECT c.relname, a.attname, t.typname || CASE WHEN a.atttypmod >= 0 THEN '()' ELSE '' END "
      + "|| CASE WHEN l.collname <> 'C' THEN ' ' || l.collname ELSE '' END, a.attnotnull "
      + start + "LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 "
      + "AND NOT a.attisdropped LEFT JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid "
      + "LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = a.attcollation " + end
      + "ORDER BY c.relname, a.attnum"

    private static let types: [String: ColumnType] = [
      "int8": .integer, "int4": .integer32, "int2": .integer16, "float8": .real, "text": .text,
      "bytea": .blob, "bool": .boolean, "uuid": .uuid, "numeric": .numeric,
    ]

    private mutating func addColumn(_ row: Texts) {
      if all.last?.name != row[0] { all.append(TableSchema(name: row[0])) }
      guard !row[1].isEmpty else { return }
      all[all.count - 1].columns.append(
        ColumnSchema(row[1], Self.types[row[2]] ?? .any, isRequired: row[3] == "1"))
    }
  }

  // MARK: - Constraints

  extension LiveTables {
    /// One row for each column; what is not checked as a store's constraints are is left out.
    private static let constraints =
      "SELECT c.relname, k.conname, k.contype::text, a.attname, r.relname, ra.attname, "
      + "pg_get_expr(i.indpred, i.indrelid) " + start
      + "JOIN pg_catalog.pg_constraint AS k ON k.conrelid = c.oid AND k.contype IN "
      + "('p', 'u', 'x', 'f') AND k.convalidated AND (k.contype = 'p' OR k.condeferred) "
      + "CROSS JOIN unnest(k.conkey) WITH ORDINALITY AS u(att, place) "
      + "JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = u.att "
      + "LEFT JOIN pg_catalog.pg_class AS r ON r.oid = k.confrelid AND k.contype = 'f' "
      + "LEFT JOIN pg_catalog.pg_attribute AS ra ON ra.attrelid = r.oid "
      + "AND ra.attnum = k.confkey[u.place] "
      + "LEFT JOIN pg_catalog.pg_index AS i ON i.indexrelid = k.conindid AND k.contype <> 'f' "
      + end + "ORDER BY c.relname, k.conname, k.oid, u.place"

    private mutating func addConstraint(_ row: Texts) {
      change(row[0]) { table in
        switch row[2] {
        case "p": table.primaryKey.append(row[3])
        case "f":
          table.foreignKeys.append(
            ForeignKeySchema(column: row[3], table: row[4], key: row[5]))
        default:
          table.add(
            IndexSchema.Column(row[3]), toIndex: row[1], isUnique: true,
            condition: Self.condition(row[6]))
        }
      }
    }

    /// The condition that `(_type = ANY (ARRAY['2'::bigint, …]))` or `(_type = 2)` is.
    private static func condition(_ text: String) -> IndexSchema.Condition? {
      guard let sign = text.firstRange(of: " = ") else { return nil }
      let numbers = text[sign.upperBound...].split { !$0.isNumber && $0 != "-" }
      let name = text[..<sign.lowerBound].drop { $0 == "(" || $0 == "\"" }
      return IndexSchema.Condition(
        column: String(name.prefix { $0 != "\"" }), values: numbers.compactMap { Int64($0) })
    }
  }

  // MARK: - Indexes

  extension LiveTables {
    /// One row for each column; 2 is ascending with missing values first, 1 is descending.
    private static let indexes =
      "SELECT c.relname, x.relname, a.attname, u.option, i.indisunique::int4 " + start
      + "JOIN pg_catalog.pg_index AS i ON i.indrelid = c.oid AND i.indisvalid "
      + "JOIN pg_catalog.pg_class AS x ON x.oid = i.indexrelid "
      + "CROSS JOIN unnest(i.indkey::int2[], i.indoption::int2[]) WITH ORDINALITY "
      + "AS u(att, option, place) "
      + "LEFT JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = u.att "
      + end + "AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_constraint AS k "
      + "WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x')) "
      + "AND i.indpred IS NULL ORDER BY c.relname, x.relname, u.place"

    private mutating func addIndex(_ row: Texts) {
      // An index of another order is another one.
      let name = ["1", "2"].contains(row[3]) ? row[2] : row[2] + " " + row[3]
      change(row[0]) { table in
        table.add(
          IndexSchema.Column(name, isAscending: row[3] != "1"), toIndex: row[1],
          isUnique: row[4] == "1", condition: nil)
      }
    }
  }

  extension TableSchema {
    fileprivate mutating func add(
      _ column: IndexSchema.Column, toIndex name: String, isUnique: Bool,
      condition: IndexSchema.Condition?
    ) {
      if let index = indexes.firstIndex(where: { $0.name == name }) {
        indexes[index].columns.append(column)
      } else {
        indexes.append(
          IndexSchema(name: name, columns: [column], isUnique: isUnique, condition: condition))
      }
    }
  }
#endif
