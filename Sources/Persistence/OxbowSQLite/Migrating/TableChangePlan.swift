internal import OxbowRelational

// The order of a change of tables:
//
//   0  take away the links that a relationship cannot have any more; delete the objects of removed
//      entities from tables that stay, and the links to them
//   1  drop the indexes that are removed or change: index names are unique in the database
//   2  make tables of links under a reserved name and fill them while the old names hold; likewise
//      the tables that keys are looked up in, which go at the end, and those of entities that leave
//      a hierarchy
//   3  drop the tables that are removed; foreign keys are off, so no row of another table is
//   4  rename tables, then columns: SQLite rewrites views, triggers and references itself
//   5  change each table that stays: add columns in place, or write it anew, once
//   6  make new tables, give link tables their names, make the indexes that are missing
//   7  make search indexes, empty: the store catches up when it is open
//
// A table is written anew (TableRebuild) for everything that SQLite cannot alter: columns that go,
// become required or optional, change their type or their references.

/// The statements of a change of tables, in order.
struct TableChangePlan {
  enum Part {
    case statements(MigrationOperation)
    case rebuild(TableRebuild)
  }

  let migration: TableMigration
  private let dialect = SQLiteDialect()
  private(set) var parts: [Part] = []
  private var tableNames: [String: String] = [:]
  private var rebuilt: Set<String> = []

  init(_ migration: TableMigration) {
    self.migration = migration
    deleteObjects()
    dropIndexes()
    fillLinkTables()
    for lookup in migration.lookups { add(.fill, lookup.table, lookup.definition(in: dialect)) }
    moveRows()
    for table in migration.removedTables {
      add(.drop, table, ["DROP TABLE \(quoted(table))"])
    }
    renameTables()
    for target in migration.targets { change(target) }
    for target in migration.targets where target.origin == .none {
      add(.create, target.table.name, [target.table.definition(in: dialect)])
    }
    nameLinkTables()
    for lookup in migration.lookups {
      add(.drop, lookup.table, ["DROP TABLE \(quoted(lookup.table))"])
    }
    createIndexes()
    moveKeys()
    indexTexts()
  }

  var operations: [MigrationOperation] {
    parts.map { part in
      switch part {
      case .statements(let operation): operation
      case .rebuild(let rebuild): rebuild.operation
      }
    }
  }

  private mutating func add(
    _ kind: MigrationOperation.Kind, _ table: String, _ statements: [String]
  ) {
    guard !statements.isEmpty else { return }
    parts.append(.statements(MigrationOperation(kind, table: table, statements: statements)))
  }

  private func before(_ name: String) -> TableSchema? { migration.before(name) }
}

// MARK: - Objects that go

extension TableChangePlan {
  private mutating func deleteObjects() {
    for (table, statements) in migration.deletions { add(.delete, table, statements) }
  }
}

// MARK: - Indexes

extension TableChangePlan {
  private mutating func dropIndexes() {
    for (table, target) in migration.kept {
      let kept = Set(target.table.indexes)
      let dropped = table.indexes.filter { !kept.contains($0) || table.name != target.table.name }
      add(.index, table.name, dropped.flatMap { $0.removals(on: table.name) })
    }
    // What keeps boxes does not go with the table.
    for table in migration.removedTables.compactMap(before) {
      add(.index, table.name, table.boxes.flatMap(\.removal))
    }
  }

  private mutating func createIndexes() {
    for target in migration.targets {
      let table = target.table
      var existing: Set<IndexSchema> = []
      if case .table(let name) = target.origin, name == table.name {
        existing = Set(before(name)?.indexes ?? [])
      }
      if rebuilt.contains(table.name) {
        let boxes = table.boxes.filter { existing.contains($0.schema) }
        add(.index, table.name, boxes.flatMap(\.removal))
        existing = []
      }
      add(
        .index, table.name,
        table.indexes.filter { !existing.contains($0) }.flatMap { $0.definitions(on: table.name) })
    }
  }

  private mutating func indexTexts() {
    let base = SearchTables.base(in: dialect)
    for index in migration.searchIndexesBefore
    where !migration.searchIndexes.contains(where: index.hasPlace) {
      add(.drop, index.name, base + index.removal)
    }
    for index in migration.searchIndexes {
      let before = migration.searchIndexesBefore.first(where: index.hasPlace)
      if let before, let successor = migration.successor(of: before), successor.hasTexts(of: index)
      {
        guard successor != before else { continue }
        add(.alter, index.name, base + [before.renaming(to: successor)])
      } else {
        add(.create, index.name, base + index.creation)
      }
    }
  }
}

// MARK: - Tables of links, and names

extension TableChangePlan {
  private mutating func fillLinkTables() {
    for target in migration.targets {
      if let links = migration.links(of: target, in: dialect) { fill(target.table, links) }
    }
  }

  /// Fills the tables of entities that leave a hierarchy, and takes their rows from its table.
  private mutating func moveRows() {
    for target in migration.targets {
      guard let rows = migration.leavingRows(of: target, in: dialect) else { continue }
      fill(target.table, rows.filling)
      add(.delete, rows.origin, [rows.deletion])
    }
  }

  /// Makes a table under a reserved name, with its rows.
  private mutating func fill(_ table: TableSchema, _ rows: TableFilling) {
    var new = table.new
    // The renames that follow rewrite references too.
    for index in new.foreignKeys.indices {
      new.foreignKeys[index].table = nameNow(new.foreignKeys[index].table)
    }
    add(.fill, table.name, [new.definition(in: dialect), rows.insertion(into: new.name)])
  }

  /// The name that a table has before the renames.
  private func nameNow(_ name: String) -> String {
    let target = migration.targets.first { $0.table.name == name }
    switch target?.origin {
    case .table(let now): return now
    case .rows where before(name) != nil: return target?.table.new.name ?? name
    default: return name
    }
  }

  /// The next keys of a hierarchy whose root is another entity now.
  private mutating func moveKeys() {
    for move in migration.movedRoots {
      add(.alter, MetadataTables.keys.name, [MetadataTables.moveKeys(from: move.from, to: move.to)])
    }
  }

  private mutating func nameLinkTables() {
    for target in migration.targets {
      switch target.origin {
      case .links, .rows: add(.rename, target.table.name, [target.table.naming])
      case .none, .table: break
      }
    }
  }

  private mutating func renameTables() {
    for (table, statement) in migration.tableRenames { add(.rename, table, [statement]) }
    for (table, target) in migration.kept { tableNames[table.name] = target.table.name }
  }
}

// MARK: - Columns

extension TableChangePlan {
  private mutating func change(_ target: TableTarget) {
    guard case .table(let name) = target.origin, let table = before(name) else { return }
    let columns = ColumnPlan(table, target, tableNames: tableNames)
    add(
      .rename, target.table.name,
      columns.renames.map {
        "ALTER TABLE \(quoted(target.table.name)) RENAME COLUMN \(quoted($0.from)) TO "
          + quoted($0.to)
      })
    guard let additions = columns.additions else {
      rebuilt.insert(target.table.name)
      parts.append(
        .rebuild(
          TableRebuild(
            target, ownIndexes: table.indexes, current: columns.currentName(of:))))
      return
    }
    add(.alter, target.table.name, additions)
  }
}
