#if PostgreSQL
  internal import OxbowRelational

  // The order of a change beside programs, each point in transactions of its own:
  //
  //   1  make the tables that new relationships lead to, and columns beside those that are there: a
  //      trigger computes their values for whatever programs save
  //   2  compute the values of the rows that are there, range by range of keys
  //   3  find out that none is missing where none may be: a CHECK that is validated, then NOT NULL
  //   4  make the indexes, then the references, those that are unique last: programs meet them
  //
  // What is left is a change of tables like any other, whose rows are not touched: new columns and
  // indexes get their names, and what they replace goes.

  /// Decides what of a change is made beside programs, and what is left for its end.
  struct OnlinePlan {
    private(set) var change: OnlineChange
    private let migration: TableMigration
    private let dialect = PostgresDialect()

    /// Parts that come behind those of all tables.
    private var references: [OnlineChange.Part] = []
    private var uniques: [OnlineChange.Part] = []
    private var names = 0

    init(_ migration: TableMigration) {
      self.migration = migration
      change = OnlineChange(closing: migration)
      (change.closing.checks, change.closing.losses) = ([], [])
      refuseShapes()
      for (table, target) in migration.kept { prepare(table, target) }
      change.parts += references + uniques
    }

    private mutating func refuse(_ what: String) { change.refusals.append(what) }

    private mutating func nextName() -> String {
      names += 1
      return MigrationNames.nextPrefix + "\(names)"
    }

    private static func part(
      _ kind: MigrationOperation.Kind, _ table: String, _ statements: [String],
      _ way: OnlineChange.Part.Way = .whole, _ work: StatementLock.Work? = nil
    ) -> OnlineChange.Part {
      .init(MigrationOperation(kind, table: table, locking: statements, work), way)
    }
  }

  // MARK: - What cannot be done

  extension OnlinePlan {
    private mutating func refuseShapes() {
      for check in migration.checks where !check.isOfRepeated {
        refuse("\(check.subject): programs may still save some")
      }
      for removal in migration.removals { refuse("objects in '\(removal.table)' are deleted") }
      for clearing in migration.clearings { refuse("links in '\(clearing.table)' are removed") }
      if !migration.lookups.isEmpty || migration.forgetsPlaces {
        refuse("links of a relationship go to other rows, or lose their places")
      }
      for target in migration.targets { refuseOrigin(target) }
    }

    private mutating func refuseOrigin(_ target: TableTarget) {
      switch target.origin {
      case .links: refuse("the table '\(target.table.name)' is made of links of other tables")
      case .rows(let name, _):
        refuse("objects go from the table '\(name)' to '\(target.table.name)'")
      case .table, .none: break
      }
    }
  }

  // MARK: - A table

  extension OnlinePlan {
    private mutating func prepare(_ table: TableSchema, _ target: TableTarget) {
      let names = Dictionary(migration.kept.map { ($0.table.name, $0.target.table.name) }) {
        first, _ in first
      }
      let new = NewParts(table, target, names)
      refuse(new, in: target)
      guard change.refusals.isEmpty else { return }
      var live = LiveNames(plain: new.plain)
      for column in new.columns { live.prepared[column.column.name] = nextName() }
      addColumns(new, live, table)
      var prepared = table
      for column in new.columns {
        prepared.columns.append(
          ColumnSchema(live(column.column.name), column.column.type, isRequired: column.isRequired))
      }
      for index in new.indexes { prepared.indexes.append(add(index, live, table)) }
      for key in new.keys { add(key, live, &prepared) }
      close(prepared, target, live)
    }

    private mutating func refuse(_ new: NewParts, in target: TableTarget) {
      let name = target.table.name
      for column in new.unfit {
        refuse("values of '\(name).\(column)' depend on other rows")
      }
      for column in new.newlyRequired {
        refuse(
          "'\(name).\(column)' becomes required without a default value, and programs may still "
            + "save objects without one")
      }
      for index in new.indexes where index.isUnique && index.condition != nil {
        refuse("values of some entities of '\(name)' become unique ('\(index.name)')")
      }
      for key in new.keys where new.plain[key.column] != nil {
        refuse("'\(name).\(key.column)' leads to other objects")
      }
      if new.changesKey { refuse("the primary key of '\(name)' changes") }
    }

    /// Says that the prepared table is the one from which the end of the step begins.
    private mutating func close(
      _ prepared: TableSchema, _ target: TableTarget, _ live: LiveNames
    ) {
      change.closing.before = change.closing.before.map {
        $0.name == prepared.name ? prepared : $0
      }
      change.closing.targets = change.closing.targets.map { old in
        guard old.table.name == target.table.name else { return old }
        var new = old
        for (column, name) in live.prepared { new.sources[column] = .column(name) }
        return new
      }
    }
  }

  // MARK: - Columns

  extension OnlinePlan {
    private mutating func addColumns(_ new: NewParts, _ live: LiveNames, _ table: TableSchema) {
      guard !new.columns.isEmpty else { return }
      let name = quoted(table.name)
      let constants = new.columns.filter { $0.constant != nil }
      let computed = new.columns.filter(\.isComputed)
      let additions = new.columns.map { addition(of: $0, live) }
      var statements = ["ALTER TABLE \(name) \(additions.joined(separator: ", "))"]
      if !constants.isEmpty {
        // The rows that are there keep the value; the trigger gives it to new ones.
        let drops = constants.map {
          "ALTER COLUMN \(quoted(live($0.column.name))) DROP DEFAULT"
        }
        statements.append("ALTER TABLE \(name) \(drops.joined(separator: ", "))")
      }
      statements += trigger(constants + computed, live, table)
      change.parts.append(Self.part(.alter, table.name, statements))
      fill(computed, live, table)
      for column in computed where column.isRequired { require(live(column.column.name), table) }
    }

    private func addition(of column: NewParts.Column, _ live: LiveNames) -> String {
      let start =
        "ADD COLUMN \(quoted(live(column.column.name))) \(dialect.name(of: column.column.type))"
      guard let constant = column.constant else { return start }
      return start + " DEFAULT \(dialect.literal(constant, as: column.column.type))"
        + (column.isRequired ? " NOT NULL" : "")
    }

    private func value(_ column: NewParts.Column, _ table: TableSchema) -> String {
      column.source?.text(in: dialect, as: column.column.type, of: table) ?? "NULL"
    }

    /// What computes columns for each row that a program saves.
    private mutating func trigger(
      _ columns: [NewParts.Column], _ live: LiveNames, _ table: TableSchema
    ) -> [String] {
      guard !columns.isEmpty else { return [] }
      let function = nextName()
      // Triggers run in the order of their names' bytes, and this one has to see what others have
      // changed.
      let (name, trigger) = (quoted(function), quoted("\u{10FFFF}" + function))
      let values = columns.map { value($0, table) }.joined(separator: ", ")
      let places = columns.map { "NEW.\(quoted(live($0.column.name)))" }.joined(separator: ", ")
      var tag = "$oxbow$"
      while values.contains(tag) { tag = "$oxbow_\(tag.count)$" }
      return [
        "CREATE FUNCTION \(name)() RETURNS trigger LANGUAGE plpgsql AS \(tag)\n"
          + "#variable_conflict use_column\nBEGIN SELECT \(values) INTO \(places) "
          + "FROM (SELECT NEW.*) AS r; RETURN NEW; END \(tag)",
        "CREATE TRIGGER \(trigger) BEFORE INSERT OR UPDATE ON \(quoted(table.name)) FOR EACH ROW "
          + "EXECUTE FUNCTION \(name)()",
        "ALTER TABLE \(quoted(table.name)) ENABLE ALWAYS TRIGGER \(trigger)",
      ]
    }

    private mutating func fill(
      _ columns: [NewParts.Column], _ live: LiveNames, _ table: TableSchema
    ) {
      guard !columns.isEmpty, let key = table.primaryKey.first else { return }
      let pairs = columns.map { (quoted(live($0.column.name)), value($0, table)) }
      let set = pairs.map { "\($0) = \($1)" }.joined(separator: ", ")
      let missing = pairs.map { "\($0) IS DISTINCT FROM \($1)" }.joined(separator: " OR ")
      let name = quoted(key)
      change.parts.append(
        Self.part(
          .fill, table.name,
          [
            "UPDATE \(quoted(table.name)) SET \(set) WHERE \(name) > ? AND \(name) <= ? "
              + "AND (\(missing))"
          ], .ranges(key: key), .ranges))
    }

    /// Makes a column NOT NULL without reading the table under a lock that others meet.
    private mutating func require(_ column: String, _ table: TableSchema) {
      let (start, name) = ("ALTER TABLE \(quoted(table.name)) ", quoted(nextName()))
      let column = quoted(column)
      let condition = "ADD CONSTRAINT \(name) CHECK (\(column) IS NOT NULL) NOT VALID"
      let setting = start + "ALTER COLUMN \(column) SET NOT NULL"
      change.parts += [
        Self.part(.alter, table.name, [start + condition]),
        Self.part(.alter, table.name, [start + "VALIDATE CONSTRAINT \(name)"]),
        // The constraint has said that all rows have a value.
        Self.part(
          .alter, table.name, [setting, start + "DROP CONSTRAINT \(name)"], .whole, .brief),
      ]
    }
  }

  // MARK: - Indexes and references

  extension OnlinePlan {
    /// Makes an index under a name of its own; returns it.
    private mutating func add(
      _ index: IndexSchema, _ live: LiveNames, _ table: TableSchema
    ) -> IndexSchema {
      var new = index
      new.name = nextName()
      for place in new.columns.indices { new.columns[place].name = live(new.columns[place].name) }
      let making = Self.part(
        .index, table.name, [TableDefinitions.concurrentIndex(new, on: table.name)],
        .concurrently(index: new.name))
      guard index.isUnique else {
        change.parts.append(making)
        return new
      }
      let constraint = TableDefinitions.constraint(by: new, on: table.name)
      uniques += [making, Self.part(.alter, table.name, [constraint])]
      return new
    }

    private mutating func add(
      _ key: ForeignKeySchema, _ live: LiveNames, _ table: inout TableSchema
    ) {
      let new = ForeignKeySchema(
        column: live(key.column), table: reached(key.table), key: key.key)
      table.foreignKeys.append(new)
      let statements = [
        TableDefinitions.foreignKey(new, on: table.name) + " NOT VALID",
        ServerChangePlan.constraint("VALIDATE", "f", new.column, of: table.name),
      ]
      references += statements.map { Self.part(.alter, table.name, [$0]) }
    }

    /// The name that a table has meanwhile to which a new reference leads; a new one is made.
    private mutating func reached(_ name: String) -> String {
      let place = change.closing.targets.firstIndex { $0.table.name == name }
      guard let place else { return name }
      if case .table(let before) = change.closing.targets[place].origin { return before }
      var table = change.closing.targets[place].table
      (table.name, table.foreignKeys, table.indexes) = (nextName(), [], [])
      change.parts.insert(
        Self.part(.create, name, [TableDefinitions.table(table)]), at: 0)
      change.closing.before.append(table)
      change.closing.targets[place].origin = .table(table.name)
      for column in table.columns {
        change.closing.targets[place].sources[column.name] = .column(column.name)
      }
      return table.name
    }
  }

  // MARK: - What is new

  /// The names that columns of the table after have while programs use that before.
  private struct LiveNames {
    let plain: [String: String]
    var prepared: [String: String] = [:]

    func callAsFunction(_ column: String) -> String {
      prepared[column] ?? plain[column] ?? column
    }
  }

  /// What the rows of a table that stays do not have yet.
  private struct NewParts {
    struct Column {
      let column: ColumnSchema
      let source: ColumnSource?

      var isRequired: Bool { column.isRequired }

      /// The one value of all rows.
      var constant: SQLValue? {
        if case .constant(let value)? = source, value != .null { value } else { nil }
      }

      var isComputed: Bool { source != nil && constant == nil && source != .constant(.null) }
    }

    /// The columns of the table before that become those after as they are, by the latter.
    private(set) var plain: [String: String] = [:]
    private(set) var columns: [Column] = []
    private(set) var indexes: [IndexSchema] = []
    private(set) var keys: [ForeignKeySchema] = []
    private(set) var newlyRequired: [String] = []
    let changesKey: Bool

    /// The columns whose values are not made of those of their row.
    var unfit: [String] { columns.filter { $0.source?.isOfRow == false }.map(\.column.name) }

    /// `tables` has the names after of tables that stay, by those before.
    init(_ table: TableSchema, _ target: TableTarget, _ tables: [String: String]) {
      for column in target.table.columns {
        let source = target.sources[column.name]
        guard let origin = source?.plainColumn.flatMap({ table.column(named: $0) }),
          origin.type == column.type
        else { continue }
        plain[column.name] = origin.name
        if column.isRequired, !origin.isRequired { newlyRequired.append(column.name) }
      }
      let names = plain
      changesKey = target.table.primaryKey.map { names[$0] ?? "" } != table.primaryKey
      indexes = target.table.orders.filter { !Self.has(table, $0, names) }
      keys = target.table.foreignKeys.filter { key in
        !table.foreignKeys.contains {
          $0.column == names[key.column] && tables[$0.table] == key.table
        }
      }
      let used = Set(indexes.flatMap { $0.columns.map(\.name) } + keys.map(\.column))
      columns = target.table.columns.filter { names[$0.name] == nil }
        .map { Column(column: $0, source: target.sources[$0.name]) }
        .filter { $0.isComputed || used.contains($0.column.name) }
    }

    /// Whether a table has an index already, under whatever name.
    private static func has(
      _ table: TableSchema, _ index: IndexSchema, _ plain: [String: String]
    ) -> Bool {
      var old = index
      for place in old.columns.indices {
        guard let name = plain[old.columns[place].name] else { return false }
        old.columns[place].name = name
      }
      if let column = index.condition?.column { old.condition?.column = plain[column] ?? "" }
      return table.orders.contains { $0.isSame(as: old) }
    }
  }

  extension ColumnSource {
    /// Whether it is computed of other columns of its row alone.
    fileprivate var isOfRow: Bool {
      switch self {
      case .column, .converted, .constant, .entityOfKey: true
      case .typed(_, let source, let other): source.isOfRow && other?.isOfRow != false
      case .filled(let source, _): source.isOfRow
      case .position, .lookup: false
      }
    }
  }
#endif
