#if PostgreSQL
  internal import OxbowRelational

  // The order of a change of tables on a server:
  //
  //   1  lock the tables, in one order for all migrations; take away the references, constraints
  //      and indexes that are removed or change
  //   2  take away the links that a relationship cannot have any more, and the objects of removed
  //      entities; make the tables of links, those that keys are looked up in, and those of
  //      entities that leave a hierarchy, under reserved names, while the old names hold
  //   3  look at what is checked at the end of a transaction: ALTER TABLE refuses a table of which
  //      checks are left
  //   4  drop the tables that are removed, rename tables and columns
  //   5  change each table that stays, in place (ServerChangePlan+Columns)
  //   6  make new tables, give the others their names, make indexes, constraints and references
  //
  // Nothing is written anew but by the server itself, where a column gets another type.

  /// The statements of a change of tables, in order.
  struct ServerChangePlan {
    let migration: TableMigration
    let dialect = PostgresDialect()
    private(set) var operations: [MigrationOperation] = []

    /// The columns of each table that stays, by the table's name before.
    private var columns: [String: ColumnMatch] = [:]
    private var tableNames: [String: String] = [:]

    /// What the indexes that stay become, by the names of both.
    private var indexNames: [(from: String, to: String)] = []
    private var reservedNames: [String: String] = [:]

    /// Looks at what is left to check, and then leaves checks to the end again.
    static let settling = ["SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED"]

    init(_ migration: TableMigration) {
      self.migration = migration
      matchColumns()
      lockTables()
      dropConstraints()
      changeRows()
      for table in migration.removedTables { add(.drop, table, ["DROP TABLE \(quoted(table))"]) }
      renameTables()
      for (table, target) in migration.kept { change(table, target) }
      for target in migration.targets where target.origin == .none {
        add(.create, target.table.name, [TableDefinitions.table(target.table)])
      }
      nameTables()
      for lookup in migration.lookups {
        add(.drop, lookup.table, ["DROP TABLE \(quoted(lookup.table))"])
      }
      createIndexes()
      createForeignKeys()
      moveKeys()
    }

    mutating func add(
      _ kind: MigrationOperation.Kind, _ table: String, _ statements: [String]
    ) {
      guard !statements.isEmpty else { return }
      operations.append(MigrationOperation(kind, table: table, locking: statements))
    }

    private func before(_ name: String) -> TableSchema? { migration.before(name) }

    private mutating func matchColumns() {
      for (table, target) in migration.kept {
        tableNames[table.name] = target.table.name
        columns[table.name] = ColumnMatch(
          table, target, addsBeside: true, maximumBytes: dialect.capability.nameBytes,
          origin: \.directColumn)
      }
    }

    func match(_ table: TableSchema) -> ColumnMatch? { columns[table.name] }
  }

  // MARK: - Before names change

  extension ServerChangePlan {
    private mutating func lockTables() {
      let names = migration.before.map(\.name).sorted().map(quoted).joined(separator: ", ")
      guard let first = migration.before.first, migration.changesTables else { return }
      add(.alter, first.name, ["LOCK TABLE \(names) IN ACCESS EXCLUSIVE MODE"])
    }

    /// The columns of a table that stays which are columns of the table after, by their new names.
    private func keptColumns(_ table: TableSchema, _ target: TableTarget) -> Set<String> {
      guard let match = match(table) else { return [] }
      return Set(
        target.table.columns.map(\.name).filter { name in
          target.sources[name]?.directColumn.map { match.currentName(of: $0) == name } == true
        })
    }

    private mutating func dropConstraints() {
      for table in migration.before {
        let keys = table.foreignKeys.filter { successor(of: $0, in: table) == nil }
        add(
          .alter, table.name,
          keys.map { Self.constraint("DROP", "f", $0.column, of: table.name) })
      }
      for (table, target) in migration.kept {
        matchIndexes(table, target)
        let dropped = table.orders.filter { !hasSuccessor($0) }
        add(
          .index, table.name,
          dropped.map { TableDefinitions.removal(of: $0, on: table.name) })
      }
    }

    /// The reference after that is the same as one before.
    private func successor(of key: ForeignKeySchema, in table: TableSchema) -> ForeignKeySchema? {
      guard let (_, target) = migration.kept.first(where: { $0.table.name == table.name }),
        let match = match(table), let name = tableNames[key.table]
      else { return nil }
      let next = ForeignKeySchema(
        column: match.currentName(of: key.column), table: name, key: key.key)
      let isKept = keptColumns(table, target).contains(next.column)
      return isKept && target.table.foreignKeys.contains(next) ? next : nil
    }

    /// Finds for each index before the one after that is the same, if not by its name.
    private mutating func matchIndexes(_ table: TableSchema, _ target: TableTarget) {
      guard let match = match(table) else { return }
      let columns = keptColumns(table, target)
      var left = target.table.orders
      func take(_ index: IndexSchema, _ isFit: (IndexSchema) -> Bool) {
        let renamed = index.renamed(match.currentName(of:))
        guard renamed.names.allSatisfy(columns.contains),
          let place = left.firstIndex(where: { $0.isSame(as: renamed) && isFit($0) })
        else { return }
        indexNames.append((index.name, left.remove(at: place).name))
      }
      for index in table.orders { take(index) { $0.name == index.name } }
      for index in table.orders where !hasSuccessor(index) { take(index) { _ in true } }
    }

    private func hasSuccessor(_ index: IndexSchema) -> Bool {
      indexNames.contains { $0.from == index.name }
    }

    /// Does something with the constraint of a kind, whose name is the server's own.
    static func constraint(
      _ action: String, _ kind: Character, _ column: String?, of table: String
    ) -> String {
      let name = SQLValue.text(quoted(table)).literal
      let condition = column.map {
        " AND conkey = (SELECT ARRAY[attnum] FROM pg_catalog.pg_attribute "
          + "WHERE attrelid = conrelid AND attname = \(SQLValue.text($0).literal))"
      }
      return "DO $oxbow$ BEGIN EXECUTE (SELECT format('ALTER TABLE %s \(action) CONSTRAINT %I', "
        + "conrelid::regclass, conname) FROM pg_catalog.pg_constraint WHERE conrelid = "
        + "\(name)::regclass AND contype = '\(kind)'\(condition ?? "")); END $oxbow$"
    }

    private mutating func changeRows() {
      let start = operations.count
      for (table, statements) in migration.deletions { add(.delete, table, statements) }
      fillTables()
      guard operations.count > start, let last = operations.popLast() else { return }
      add(last.kind, last.table, last.statements + Self.settling)
    }
  }

  // MARK: - Tables that are filled

  extension ServerChangePlan {
    private mutating func fillTables() {
      for target in migration.targets {
        if let links = migration.links(of: target, in: dialect) { fill(target.table, links) }
      }
      for lookup in migration.lookups { add(.fill, lookup.table, lookup.definition(in: dialect)) }
      for target in migration.targets {
        guard let rows = migration.leavingRows(of: target, in: dialect) else { continue }
        fill(target.table, rows.filling)
        add(.delete, rows.origin, [rows.deletion])
      }
    }

    /// Makes a table under a reserved name, with its rows.
    private mutating func fill(_ table: TableSchema, _ rows: TableFilling) {
      var new = table
      new.name = MigrationNames.newPrefix + "\(reservedNames.count + 1)"
      reservedNames[table.name] = new.name
      add(.fill, table.name, [TableDefinitions.table(new), rows.insertion(into: new.name)])
    }

    private mutating func nameTables() {
      for target in migration.targets {
        guard let name = reservedNames[target.table.name] else { continue }
        add(
          .rename, target.table.name,
          ["ALTER TABLE \(quoted(name)) RENAME TO \(quoted(target.table.name))"])
      }
    }

    private mutating func renameTables() {
      for (table, statement) in migration.tableRenames { add(.rename, table, [statement]) }
    }
  }

  // MARK: - At the end

  extension ServerChangePlan {
    private mutating func createIndexes() {
      var renames = Renames(
        names: indexNames.map(\.from), prefix: MigrationNames.oldPrefix + "index_")
      for (from, to) in indexNames { renames.add(from, to) }
      for (from, to) in renames.ordered() {
        add(.rename, to, ["ALTER INDEX \(quoted(from)) RENAME TO \(quoted(to))"])
      }
      let kept = Set(indexNames.map(\.to))
      for target in migration.targets {
        let made = target.table.orders.filter { !kept.contains($0.name) }
        add(
          .index, target.table.name,
          made.map { TableDefinitions.index($0, on: target.table.name) })
      }
    }

    private mutating func createForeignKeys() {
      for target in migration.targets {
        var made = target.table.foreignKeys
        if case .table(let name) = target.origin, let table = before(name) {
          let kept = table.foreignKeys.compactMap { successor(of: $0, in: table) }
          made.removeAll(where: kept.contains)
        }
        add(
          .alter, target.table.name,
          made.map { TableDefinitions.foreignKey($0, on: target.table.name) })
      }
    }

    /// The next keys of a hierarchy whose root is another entity now.
    private mutating func moveKeys() {
      let keys = quoted(MetadataTables.keys.name)
      for move in migration.movedRoots {
        add(
          .alter, MetadataTables.keys.name,
          [
            "INSERT INTO \(keys) (\"root\", \"last\") SELECT \(move.to), \"last\" FROM \(keys) "
              + "WHERE \"root\" = \(move.from) ON CONFLICT (\"root\") DO UPDATE SET \"last\" = "
              + "greatest(\(keys).\"last\", excluded.\"last\")"
          ])
      }
    }

    /// Gives a table its primary key anew, whose columns or their order have changed.
    mutating func changePrimaryKey(_ columns: [String], of table: String) {
      let list = columns.map(quoted).joined(separator: ", ")
      add(
        .alter, table,
        [
          Self.constraint("DROP", "p", nil, of: table),
          "ALTER TABLE \(quoted(table)) ADD PRIMARY KEY (\(list))",
        ])
    }
  }

  extension TableMigration {
    /// Whether anything is done with tables that are there.
    fileprivate var changesTables: Bool {
      !removedTables.isEmpty || !removals.isEmpty || !clearings.isEmpty || !lookups.isEmpty
        || targets.contains { target in
          guard case .table(let name) = target.origin else { return true }
          return before.first { $0.name == name } != target.table
            || target.sources.contains { $0.value.plainColumn != $0.key }
        }
    }
  }

  extension IndexSchema {
    /// The columns that it names.
    fileprivate var names: [String] {
      columns.map(\.name) + [condition?.column].compactMap(\.self)
    }

    fileprivate func renamed(_ name: (String) -> String) -> IndexSchema {
      var renamed = self
      for place in columns.indices { renamed.columns[place].name = name(columns[place].name) }
      if let column = condition?.column { renamed.condition?.column = name(column) }
      return renamed
    }

    /// Whether it is another one in its name alone.
    func isSame(as other: IndexSchema) -> Bool {
      var other = other
      other.name = name
      return self == other
    }
  }

  extension ColumnSource {
    /// The one column whose values become those of this source, row by row.
    var directColumn: String? {
      switch self {
      case .column(let column), .converted(let column, _): column
      case .filled(let source, _): source.directColumn
      default: nil
      }
    }
  }
#endif
