#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// What is made beside programs, under names that only a migration gives.
  enum PreparedName {
    private static let pattern = "^\(MigrationNames.nextPrefix)[0-9]+$"

    static func isOne(_ name: String) -> Bool { name.hasPrefix(MigrationNames.nextPrefix) }

    /// The condition that a column of a catalogue has such a name.
    static func condition(_ column: String) -> String {
      "\(column) ~ \(SQLValue.text(pattern).literal)"
    }
  }

  extension TableSchema {
    /// Takes away what is made for a model to come, of which `table` knows nothing.
    mutating func leaveOutPrepared(for table: TableSchema) {
      columns.removeAll { PreparedName.isOne($0.name) && table.column(named: $0.name) == nil }
      foreignKeys.removeAll {
        PreparedName.isOne($0.column) && !table.foreignKeys.contains($0)
      }
    }

    fileprivate var hasPrepared: Bool {
      PreparedName.isOne(name)
        || (columns.map(\.name) + indexes.map(\.name)).contains(where: PreparedName.isOne)
    }
  }

  /// The keys that a part goes through, so many at a time: those that were there when it began.
  ///
  /// Later ones have all values.
  struct KeyRanges {
    let end: Int64
    let size: Int
  }

  extension MigratedSchema {
    /// Does a part of a change, or its next range; returns the last key of a range.
    func run(_ part: OnlineChange.Part, after key: Int64?, _ ranges: KeyRanges?) throws -> Int64? {
      switch part.way {
      case .concurrently: return nil
      case .whole:
        try session.sharingNewTables {
          for statement in part.operation.statements { try session.execute(statement) }
        }
        return nil
      case .ranges(let column):
        let start = key ?? .min
        guard let ranges,
          let end = try lastKey(column, of: part.operation.table, after: start, ranges)
        else { return nil }
        for statement in part.operation.statements {
          try session.run(statement, [.integer(start), .integer(end)])
        }
        return end
      }
    }

    private func lastKey(
      _ column: String, of table: String, after key: Int64, _ ranges: KeyRanges
    ) throws -> Int64? {
      let name = quoted(column)
      return try largest(
        "(SELECT \(name) AS \"key\" FROM \(quoted(table)) WHERE \(name) > \(key) "
          + "AND \(name) <= \(ranges.end) ORDER BY 1 LIMIT \(ranges.size)) AS r", "\"key\"")
    }

    /// The ranges of a part; `nil` where there are no rows, or the part has none.
    func ranges(of part: OnlineChange.Part, size: Int) throws -> KeyRanges? {
      guard case .ranges(let column) = part.way else { return nil }
      let end = try largest(quoted(part.operation.table), quoted(column))
      return end.map { KeyRanges(end: $0, size: size) }
    }

    private func largest(_ rows: String, _ column: String) throws -> Int64? {
      let row = try session.rows("SELECT max(\(column)) FROM \(rows)", []).first
      guard case .integer(let last)? = row?.first else { return nil }
      return last
    }

    /// Whether an index is there and can be used; one that is there and cannot is removed.
    func removesInvalid(_ index: String) throws -> Bool {
      let found = try session.rows(
        "SELECT i.indisvalid AND i.indisready FROM pg_catalog.pg_index AS i "
          + "JOIN pg_catalog.pg_class AS c ON c.oid = i.indexrelid "
          + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
          + "WHERE n.nspname = ? AND c.relname = ?",
        [.text(session.names.schema), .text(index)]
      ).first?.first
      guard found == .integer(0) else { return found != nil }
      try session.execute("DROP INDEX CONCURRENTLY \(quoted(index))")
      return false
    }

    func discardPrepared() throws { try discardPrepared(keeping: []) }

    /// Removes what was made beside programs: all of it, or what was for the time until now.
    func discardPrepared(keeping tables: [TableSchema]) throws {
      let questions =
        tables.contains(where: \.hasPrepared) ? [Self.functions] : Self.prepared
      for question in questions {
        for row in try session.rows(question, [.text(session.names.schema)]) {
          if case .text(let statement)? = row.first { try session.execute(statement) }
        }
      }
    }

    private static let functions =
      "SELECT format('DROP FUNCTION %s CASCADE', p.oid::regprocedure) FROM pg_catalog.pg_proc AS p "
      + "JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace WHERE n.nspname = ? AND "
      + PreparedName.condition("p.proname")

    /// The statements that remove it: an index of a constraint or a column goes with that.
    private static let prepared = [
      functions,
      removals("DROP CONSTRAINT", "k.conname", "pg_constraint AS k ON k.conrelid = c.oid"),
      removals(
        "DROP COLUMN", "a.attname",
        "pg_attribute AS a ON a.attrelid = c.oid AND NOT a.attisdropped"),
      "SELECT format('DROP %s %s', CASE c.relkind WHEN 'i' THEN 'INDEX' ELSE 'TABLE' END, "
        + "c.oid::regclass) FROM pg_catalog.pg_class AS c "
        + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
        + "WHERE n.nspname = ? AND c.relkind IN ('i', 'r') AND "
        + PreparedName.condition("c.relname"),
    ]

    private static func removals(_ action: String, _ name: String, _ join: String) -> String {
      "SELECT format('ALTER TABLE %s \(action) %I', c.oid::regclass, \(name)) "
        + "FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n "
        + "ON n.oid = c.relnamespace JOIN pg_catalog.\(join) "
        + "WHERE n.nspname = ? AND c.relkind = 'r' AND " + PreparedName.condition(name)
    }
  }
#endif
