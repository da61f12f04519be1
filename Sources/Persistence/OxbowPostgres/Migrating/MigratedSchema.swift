#if PostgreSQL
  internal import OxbowModel
  internal import OxbowRelational

  /// The tables of a store inside a transaction.
  struct MigratedSchema: MigratedTables {
    let session: StoreSession

    func state() throws -> MigrationState? {
      switch try StoreMetadata.read(session) {
      case .empty: return nil
      case .coreData(let tables): throw session.foreign(tables.names)
      case .foreign(let tables): throw session.foreign(tables)
      case .store(let metadata): return metadata.state(history: try history())
      }
    }

    // A sum of whole numbers is a decimal number to the server.
    func count(_ condition: DataCheck.Condition) throws -> Int {
      let statement = condition.statement(in: session.dialect)
      return Int(try integers("SELECT (\(statement))::int8").first ?? 0)
    }

    func bytesByTable() throws -> [String: Int] {
      try numbers("pg_total_relation_size(c.oid)")
    }

    /// What the server noted when it last looked at a table; -1 if it never did.
    func estimatedRows() throws -> [String: Int] { try numbers("c.reltuples::int8") }

    private func numbers(_ number: String) throws -> [String: Int] {
      let rows = try session.rows(
        "SELECT c.relname, \(number) FROM pg_catalog.pg_class AS c "
          + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
          + "WHERE n.nspname = ? AND c.relkind = 'r'", [.text(session.names.schema)])
      var numbers: [String: Int] = [:]
      for row in rows {
        if case .text(let name) = row[0], case .integer(let number) = row[1] {
          numbers[name] = Int(number)
        }
      }
      return numbers
    }

    func takenNames(_ migration: TableMigration) throws -> [String] {
      let rows = try session.rows(
        "SELECT CASE WHEN c.relkind IN ('i', 'I') THEN 'index' WHEN c.relkind IN ('r', 'p', 'f') "
          + "THEN 'table' WHEN c.relkind = 'S' THEN 'sequence' ELSE 'view' END, c.relname, "
          + "coalesce(t.relname, c.relname) FROM pg_catalog.pg_class AS c "
          + "JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace "
          + "LEFT JOIN pg_catalog.pg_index AS i ON i.indexrelid = c.oid "
          + "LEFT JOIN pg_catalog.pg_class AS t ON t.oid = i.indrelid "
          + "WHERE n.nspname = ? ORDER BY c.relname", [.text(session.names.schema)])
      return migration.taken(rows) { $0 }
    }

    func differences(from tables: [TableSchema]) throws -> [String] {
      let live = try LiveTables(session)
      return tables.flatMap { table -> [String] in
        guard var found = live[table.name] else { return ["table '\(table.name)' is missing"] }
        var table = table
        table.indexes = table.orders
        (found.isStrict, found.isWithoutRowID) = (table.isStrict, table.isWithoutRowID)
        found.leaveOutPrepared(for: table)
        return table.differences(from: found)
      }
    }

    /// The sum of the rows' hashes, so that their order does not count.
    func contents(leavingOut columns: [String: Set<String>]) throws -> [String: TableContents] {
      var result: [String: TableContents] = [:]
      for var table in try LiveTables(session).all
      where !table.name.hasPrefix(MetadataTables.prefix) {
        table.columns.sort { $0.name < $1.name }
        table.foreignKeys.sort { ($0.column, $0.table) < ($1.column, $1.table) }
        table.indexes.sort { $0.name < $1.name }
        result[table.name] = try contents(of: table, without: columns[table.name] ?? [])
      }
      return result
    }

    private func contents(
      of table: TableSchema, without others: Set<String>
    ) throws -> TableContents {
      let columns = table.columns.map(\.name).filter {
        $0 != PlainLayout.versionColumn && !others.contains($0)
      }
      let parts = [1, 9, 17, 25].map {
        "coalesce(sum(('x' || substr(h, \($0), 8))::bit(32)::int8), 0)"
      }
      let row = try session.rows(
        "SELECT count(*), concat_ws('-', \(parts.joined(separator: ", "))) FROM (SELECT "
          + "md5(ROW(\(columns.map(quoted).joined(separator: ", ")))::text) AS h "
          + "FROM \(quoted(table.name))) AS hashes", []
      ).first
      guard case .integer(let count)? = row?[0], case .text(let hash)? = row?[1] else {
        return TableContents(structure: table, rows: 0, hash: "")
      }
      return TableContents(structure: table, rows: Int(count), hash: hash)
    }
  }
#endif
