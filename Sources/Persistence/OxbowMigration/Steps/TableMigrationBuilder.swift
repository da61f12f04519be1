package import OxbowModel
package import OxbowRelational

/// Decides what the tables of one model become in the next.
///
/// Rows keep their keys and their entity's number. What has no safe way is not attempted: either
/// the problem is reported at once, or, where it depends on the rows, a check is added that refuses
/// the migration when there are any. What no table has any more is a loss, which is counted.
package struct TableMigrationBuilder {
  let lineage: Lineage
  var migration: TableMigration
  var problems: [PersistenceError] = []

  /// The entities whose values of a column are kept, by number.
  var used: [OldColumn: Set<Int64>] = [:]

  /// A column of a table before.
  struct OldColumn: Hashable {
    let table: String
    let column: String
  }

  /// Returns the change of tables from one model to the next.
  ///
  /// `entities` are those that the store has numbers for; none for a new store.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused`, with every change that has no
  ///   way.
  package static func migration(
    from before: CompiledModel, to after: CompiledModel, entities: [EntityRecord],
    match known: ModelMatch? = nil
  ) throws(PersistenceError) -> TableMigration {
    let match = known ?? ModelMatch(from: before.source, to: after.source)
    let records = EntityNumbering.records(of: after, match: match, before: entities)
    var builder = TableMigrationBuilder(
      lineage: Lineage(
        old: EntityNumbering.mapping(of: before, entities),
        new: EntityNumbering.mapping(of: after, records), match: match))
    return try builder.build(records)
  }

  /// Returns the change that takes another one back, in a store that has these numbers.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused` when there is no way back.
  package static func inverse(
    of before: CompiledModel, to after: CompiledModel, entities: [EntityRecord]
  ) throws(PersistenceError) -> TableMigration {
    try migration(
      from: after, to: before, entities: entities,
      match: ModelMatch(inverting: ModelMatch(from: before.source, to: after.source)))
  }

  /// Returns the change that makes an empty file a store of a model.
  package static func creation(of model: CompiledModel) -> TableMigration {
    let records = EntityNumbering.records(of: model)
    let mapping = EntityNumbering.mapping(of: model, records)
    var migration = TableMigration(
      before: [], targets: mapping.tables.map { TableTarget(table: $0) })
    migration.entities = records
    migration.roots = EntityNumbering.roots(of: mapping)
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
    return migration
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
