#if PostgreSQL
  internal import OxbowRelational

  /// What a script may do, as far as its words say it.
  ///
  /// The rest is found by what it has changed (``TableCounters``).
  enum ServerScriptRules {
    private static let transactions: Set<String> = [
      "BEGIN", "START", "COMMIT", "END", "ABORT", "ROLLBACK",
    ]

    /// Why a statement is not allowed.
    static func refusal(_ words: [String]) -> String? {
      let first = words.first ?? ""
      if first == "SAVEPOINT" || first == "RELEASE" || words.starts(with: ["ROLLBACK", "TO"]) {
        return "SAVEPOINT, RELEASE and ROLLBACK TO are not allowed"
      }
      if transactions.contains(first) || words.starts(with: ["PREPARE", "TRANSACTION"]) {
        return
          "\(first) is not allowed: each script runs in one transaction together with its entry "
          + "in the history"
      }
      switch first {
      case "SET" where words.dropFirst().first != "CONSTRAINTS", "RESET", "DISCARD":
        return "\(first) is not allowed: it would change what the migration relies on"
      case "COPY":
        return "COPY is not allowed: the rows would not come from the script; use INSERT"
      default: return nil
      }
    }

    /// Why a change of a table is not allowed.
    static func refusal(writing table: String) -> String {
      "the table '\(table)' is Oxbow's own and may only be read"
    }
  }

  /// What the server has counted in the running transaction, by table.
  struct TableCounters {
    private struct Table: Equatable {
      /// Anything that a change of the table moves, and what a change of its rows moves.
      let structure: String
      let rows: String
      let deleted: String
    }

    private let tables: [String: Table]

    static func question(_ names: ServerNames) -> ServerStatement {
      ServerStatement(
        "SELECT c.relname, concat_ws(' ', c.oid, c.xmin, c.relfilenode, (SELECT "
          + "string_agg(a.xmin::text, ' ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute AS a "
          + "WHERE a.attrelid = c.oid)), concat_ws(' ', pg_stat_get_xact_tuples_inserted(c.oid), "
          + "pg_stat_get_xact_tuples_updated(c.oid)), pg_stat_get_xact_tuples_deleted(c.oid) "
          + "FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n "
          + "ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')",
        [.text(names.schema)], isKept: false, readsTexts: true)
    }

    init(_ result: ServerResult) {
      var tables: [String: Table] = [:]
      for row in result.rows {
        guard case .text(let name) = row[0], case .text(let structure) = row[1],
          case .text(let rows) = row[2]
        else { continue }
        tables[name] = Table(structure: structure, rows: rows, deleted: "\(row[3])")
      }
      self.tables = tables
    }

    /// Oxbow's own table that has changed since.
    func ownChange(since before: TableCounters) -> String? {
      Set(tables.keys).union(before.tables.keys)
        .filter { $0.hasPrefix(MetadataTables.prefix) && tables[$0] != before.tables[$0] }.min()
    }

    /// The tables with other rows than before, those that were written anew, and those that lost
    /// rows.
    func written(since before: TableCounters) -> WrittenColumns {
      var written = WrittenColumns()
      for (name, table) in tables {
        guard let old = before.tables[name],
          old.rows == table.rows, old.structure == table.structure
        else {
          written.insert(into: name)
          continue
        }
        if old.deleted != table.deleted { written.delete(from: name) }
      }
      return written
    }
  }
#endif
