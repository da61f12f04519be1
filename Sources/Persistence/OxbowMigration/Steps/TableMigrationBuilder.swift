internal import OxbowModel
internal import OxbowRelational

/// Decides what the tables of one model become in the next.
///
/// Rows keep their keys and their entity's number. What has no safe way is not attempted: either
/// the problem is reported at once, or, where it depends on the rows, a check is added that refuses
/// the migration when there are any. What no table has any more is a loss, which is counted.
struct TableMigrationBuilder {
  let lineage: Lineage
  var migration: TableMigration
  var problems: [PersistenceError] = []

  /// The entities whose values of a column are kept, by number.
  var used: [OldColumn: Set<Int64>] = [:]

  struct OldColumn: Hashable {
    let table: String
    let column: String
  }

  /// Returns the change of tables from one model to the next.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused`, with every change that has no
  ///   way.
  static func migration(
    from before: NumberedModel, to after: NumberedModel, match: ModelMatch
  ) throws(PersistenceError) -> TableMigration {
    var builder = TableMigrationBuilder(
      lineage: Lineage(old: before.mapping, new: after.mapping, match: match))
    return try builder.build(after.entities)
  }

  /// Returns the change of tables from one model to the next, whatever numbers a store has.
  static func migration(
    from before: ManagedObjectModel, to after: ManagedObjectModel
  ) throws(PersistenceError) -> TableMigration {
    let match = ModelMatch(from: before, to: after)
    let old = NumberedModel(try CompiledModel(before), [])
    let new = NumberedModel(new: try CompiledModel(after), in: old.mapping.dialect)
    return try migration(from: old, to: new, match: match)
  }

  /// Returns the change that takes another one back, and the model before with its numbers.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused` when there is no way back.
  static func inverse(
    of before: CompiledModel, to after: NumberedModel
  ) throws(PersistenceError) -> (migration: TableMigration, before: NumberedModel) {
    let match = ModelMatch(inverting: ModelMatch(from: before.source, to: after.model.source))
    let before = NumberedModel(before, match: match, after: after)
    return (try migration(from: after, to: before, match: match), before)
  }

  /// Returns the change that makes an empty file a store of a model.
  static func creation(of model: NumberedModel) -> TableMigration {
    var migration = TableMigration(
      before: [], targets: model.mapping.tables.map { TableTarget(table: $0) })
    migration.entities = model.entities
    migration.roots = EntityNumbering.roots(of: model.mapping)
    migration.searchIndexes = model.mapping.searchIndexes
    return migration
  }

  var old: StoreMapping { lineage.old }
  var new: StoreMapping { lineage.new }
  var match: ModelMatch { lineage.match }

  private init(lineage: Lineage) {
    self.lineage = lineage
    migration = TableMigration(before: lineage.old.tables)
  }

  private mutating func build(_ records: [EntityRecord]) throws(PersistenceError) -> TableMigration
  {
    for problem in lineage.problems { refuse(problem) }
    refuseOtherForms()
    guard problems.isEmpty else { throw refusal() }
    var targets: [String: TableTarget] = [:]
    let links = linkTargets()
    for root in new.model.entities where root.root == root.index {
      let target = target(ofRoot: root, links.keys)
      targets[target.table.name] = target
    }
    for target in links.joins { targets[target.table.name] = target }
    addRemovals()
    addLosses()
    guard problems.isEmpty else { throw refusal() }
    migration.targets = new.tables.compactMap { targets[$0.name] }
    let kept = migration.targets.compactMap { target in
      if case .table(let name) = target.origin { name } else { nil }
    }
    migration.removedTables = old.tables.map(\.name).filter { !kept.contains($0) }
    migration.entities = records
    migration.roots = EntityNumbering.roots(of: new)
    migration.movedRoots = lineage.movedRoots
    migration.searchIndexesBefore = old.searchIndexes
    migration.searchIndexes = new.searchIndexes
    return migration
  }

  /// Refuses names that are those of before in another form of Unicode: the same to Swift, and
  /// others to a database.
  private mutating func refuseOtherForms() {
    for entity in new.model.entities {
      guard let before = lineage.predecessor(of: entity) else { continue }
      let names = match.attributes(of: entity.name)
        .merging(match.relationships(of: entity.name)) { first, _ in first }
      let own = entity.properties.filter { $0.declaringEntity == entity.index }.map(\.name)
      for (name, was) in [(entity.name, before.name)] + own.map({ ($0, names[$0] ?? $0) })
      where name == was && !name.utf8.elementsEqual(was.utf8) {
        refuse(
          "the name '\(name)' in entity '\(entity.name)' is that of before in another form of Unicode "
            + "(an accent by itself, or with its letter), and to a database another one; write it as "
            + "before")
      }
    }
  }

  private func refusal() -> PersistenceError {
    .collecting(
      .migrationRefused, "\(problems.count) changes of the model have no safe way", problems)
  }

  mutating func refuse(_ message: String) {
    problems.append(PersistenceError(.migrationRefused, message))
  }

  mutating func check(_ condition: DataCheck.Condition, _ subject: String, advice: String) {
    migration.checks.append(DataCheck(condition, subject, advice: advice))
  }

  mutating func lose(_ condition: DataCheck.Condition, _ subject: String) {
    migration.losses.append(DataLoss(condition, subject))
  }
}

// MARK: - Tables of objects

extension TableMigrationBuilder {
  /// The table of a root entity and of all below it; `keys` are the columns of its links.
  private mutating func target(
    ofRoot root: CompiledEntity, _ keys: [String: [String: ColumnSource]]
  ) -> TableTarget {
    let mapping = new.entities[root.index]
    let table = lineage.table(new, ofRoot: root.index) ?? TableSchema(name: mapping.table)
    guard let before = lineage.oldRoot(of: root) else { return TableTarget(table: table) }
    let oldMapping = old.entities[before.index]
    var sources = keys[mapping.table] ?? [:]
    sources[mapping.keyColumn] = .column(oldMapping.keyColumn)
    sources[mapping.versionColumn] = .column(oldMapping.versionColumn)
    if let type = mapping.typeColumn {
      sources[type] =
        oldMapping.typeColumn.map { .column($0) } ?? .constant(.integer(oldMapping.number))
    }
    for entity in root.subtree.map({ new.model.entities[$0] }) {
      for column in new.entities[entity.index].columns where column.role == .attribute {
        let property = entity.properties[column.property]
        guard property.declaringEntity == entity.index, let attribute = property.attribute
        else { continue }
        sources[column.name] = attributeSource(of: attribute, column, in: entity)
      }
      addUniquenessChecks(of: entity, sources)
    }
    let origin: TableTarget.Origin =
      lineage.isHeir(root)
      ? .table(oldMapping.table) : .rows(oldMapping.table, types: lineage.numbers(root))
    return TableTarget(table: table, origin: origin, sources: sources)
  }
}
