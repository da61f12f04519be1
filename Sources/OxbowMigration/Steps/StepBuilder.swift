package import OxbowModel
package import OxbowSQL

/// Decides what the tables of one model become in the next.
///
/// Rows keep their keys and their entity's number. What has no safe way is not attempted: either the
/// problem is reported at once, or, where it depends on the rows, a check is added that refuses the
/// migration when there are any.
package struct StepBuilder {
  let old: StoreMapping
  let new: StoreMapping
  let match: ModelMatch
  var problems: [PersistenceError] = []
  var checks: [DataCheck] = []

  /// Returns the change of tables from one model to the next.
  ///
  /// `entities` are those that the store has numbers for; none for a new store.
  ///
  /// - Throws: ``PersistenceError`` with code `migrationRefused`, with every change that has no way.
  package static func migration(
    from before: Schema, to after: Schema, entities: [EntityRecord]
  ) throws(PersistenceError) -> TableMigration {
    let match = ModelMatch(from: before.model, to: after.model)
    let records = StoreNumbers.records(of: after, match: match, before: entities)
    var builder = StepBuilder(
      old: StoreNumbers.mapping(of: before, entities),
      new: StoreNumbers.mapping(of: after, records),
      match: match)
    return try builder.build(records)
  }

  /// Returns the change that makes an empty file a store of a model.
  package static func creation(of schema: Schema) -> TableMigration {
    let records = StoreNumbers.records(of: schema)
    let mapping = StoreNumbers.mapping(of: schema, records)
    return TableMigration(
      before: [], targets: mapping.tables.map { TableTarget(table: $0) }, entities: records,
      roots: StoreNumbers.roots(of: mapping))
  }

  private init(old: StoreMapping, new: StoreMapping, match: ModelMatch) {
    self.old = old
    self.new = new
    self.match = match
  }

  private mutating func build(_ records: [EntityRecord]) throws(PersistenceError) -> TableMigration
  {
    checkHierarchies()
    guard problems.isEmpty else { throw refusal() }
    var targets: [String: TableTarget] = [:]
    for root in new.schema.entities where root.root == root.index {
      let target = target(ofRoot: root)
      targets[target.table.name] = target
    }
    for (id, join) in new.joins { targets[join.table] = target(of: join, id) }
    checkRemovedEntities()
    guard problems.isEmpty else { throw refusal() }
    let ordered = new.tables.compactMap { targets[$0.name] }
    let kept = Set(
      ordered.compactMap { target -> String? in
        if case .table(let name) = target.origin { name } else { nil }
      })
    return TableMigration(
      before: old.tables, targets: ordered,
      removedTables: old.tables.map(\.name).filter { !kept.contains($0) }, checks: checks,
      entities: records, roots: StoreNumbers.roots(of: new))
  }

  private func refusal() -> PersistenceError {
    .collecting(
      .migrationRefused, "\(problems.count) changes of the model have no safe way", problems)
  }

  mutating func refuse(_ message: String) {
    problems.append(PersistenceError(.migrationRefused, message))
  }

  /// The entity before, of an entity after.
  func predecessor(of entity: EntitySchema) -> EntitySchema? {
    match.entities[entity.name].flatMap { old.schema.entity(named: $0) }
  }

  func table(_ mapping: StoreMapping, ofRoot root: Int) -> TableSchema? {
    let name = mapping.entities[root].table
    return mapping.tables.first { $0.name == name }
  }

  /// The rows of an entity and those below: all rows of the table, or those of some numbers.
  func types(of entity: EntitySchema, in mapping: StoreMapping) -> [Int64]? {
    guard mapping.entities[entity.index].typeColumn != nil, entity.root != entity.index else {
      return nil
    }
    return entity.concrete.map { mapping.entities[$0].number }.sorted()
  }
}

// MARK: - Entities

extension StepBuilder {
  private mutating func checkHierarchies() {
    for entity in new.schema.entities {
      guard let before = predecessor(of: entity) else { continue }
      let root = new.schema.entities[entity.root]
      let oldRoot = old.schema.entities[before.root]
      if predecessor(of: root)?.index != oldRoot.index || predecessor(of: root)?.root != before.root
      {
        refuse(
          "entity '\(entity.name)' moves from the hierarchy of '\(oldRoot.name)' to that of "
            + "'\(root.name)'; its rows would have to move to another table with new keys. Add a "
            + "new entity, copy the rows with a script, then remove the old one")
      }
    }
  }

  /// Entities that go, or become abstract, while their table stays: their rows must be gone.
  private mutating func checkRemovedEntities() {
    for entity in old.schema.entities where !entity.isAbstract {
      let successor = match.successors[entity.name].flatMap { new.schema.entity(named: $0) }
      let root = old.schema.entities[entity.root]
      guard match.successors[root.name] != nil, successor?.isAbstract ?? true else { continue }
      let mapping = old.entities[entity.index]
      let verb = successor == nil ? "is no entity of the new model" : "becomes abstract"
      checks.append(
        DataCheck(
          .rows(
            table: mapping.table, types: mapping.typeColumn == nil ? nil : [mapping.number]),
          .init(
            "objects of '\(entity.name)', which \(verb)",
            advice: "delete them before, with a script that runs before this step")))
    }
  }
}
