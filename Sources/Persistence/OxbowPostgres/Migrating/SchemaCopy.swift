#if PostgreSQL
  internal import OxbowRelational

  /// Copies the tables of a store into another schema of its database.
  struct SchemaCopy {
    /// A connection that looks for names in the store's schema.
    let session: StoreSession

    /// The names of the copy.
    let copy: ServerNames

    func make(waiting milliseconds: Int) throws {
      let begin = ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ", isKept: false)
      try session.begin(begin, waiting: milliseconds, locking: .reading)
      let tables = try LiveTables(session).all
      try session.execute("CREATE SCHEMA \(quoted(copy.schema))")
      try session.execute(copy.search)
      for table in tables { try fill(table) }
      for table in tables { try complete(table) }
      for table in tables {
        for key in table.foreignKeys {
          try session.execute(TableDefinitions.foreignKey(key, on: table.name))
        }
      }
      _ = try session.send([.commit])
    }

    /// What was saved before says nothing of a migration, and may be large.
    private static let leftOut = [HistoryTables.saves.name, HistoryTables.parts.name]

    private func fill(_ table: TableSchema) throws {
      let (new, old) = (quoted(table.name), session.names.table(table.name))
      try session.execute(
        "CREATE TABLE \(new) (LIKE \(old) INCLUDING DEFAULTS INCLUDING CONSTRAINTS "
          + "INCLUDING STORAGE)")
      guard !Self.leftOut.contains(table.name) else { return }
      try session.execute("INSERT INTO \(new) SELECT * FROM \(old)")
    }

    private func complete(_ table: TableSchema) throws {
      if !table.primaryKey.isEmpty {
        let key = table.primaryKey.map(quoted).joined(separator: ", ")
        try session.execute("ALTER TABLE \(quoted(table.name)) ADD PRIMARY KEY (\(key))")
      }
      // Those of others may be of what is computed.
      for index in table.orders
      where index.columns.allSatisfy({ table.column(named: $0.name) != nil }) {
        try session.execute(TableDefinitions.index(index, on: table.name))
      }
    }
  }
#endif
