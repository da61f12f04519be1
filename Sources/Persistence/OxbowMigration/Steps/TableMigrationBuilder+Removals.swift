internal import OxbowModel
internal import OxbowRelational

extension TableMigrationBuilder {
  /// Removes the objects of entities that go, or become abstract, while others of their hierarchy
  /// stay.
  mutating func addRemovals() {
    for root in old.model.entities where root.root == root.index {
      let mapping = old.entities[root.index]
      guard lineage.goesOn(root: root.index) else { continue }
      let survivors = Set(lineage.survivors(root))
      let removed = root.concrete.map { old.model.entities[$0] }.filter {
        !survivors.contains(old.entities[$0.index].number)
      }
      guard !removed.isEmpty else { continue }
      var objects = RemovedObjects(
        table: mapping.table, key: mapping.keyColumn, type: mapping.typeColumn,
        numbers: removed.map { old.entities[$0.index].number }.sorted())
      addLinks(to: root, &objects)
      migration.removals.append(objects)
      for entity in removed { addLostObjects(of: entity) }
    }
  }

  /// The columns with links to objects of a hierarchy.
  private mutating func addLinks(to root: CompiledEntity, _ objects: inout RemovedObjects) {
    for entity in old.model.entities {
      for property in entity.properties where property.declaringEntity == entity.index {
        guard let end = property.relationship else { continue }
        let leadsThere = old.model.entities[end.destination].root == root.index
        if let join = old.joins[end.id] {
          if leadsThere {
            objects.links.append(.init(table: join.table, column: join.memberColumn))
          }
          if entity.root == root.index {
            objects.links.append(.init(table: join.table, column: join.ownerColumn))
          }
        } else if leadsThere, let source = lineage.rowSource(end) {
          addKeys(source, end, &objects)
        }
      }
    }
  }

  /// A key that can lead to objects that go; where it is required, the migration is refused.
  private mutating func addKeys(
    _ source: LinkSource, _ end: CompiledRelationship, _ objects: inout RemovedObjects
  ) {
    var others = [source.owner.position].compactMap(\.self)
    if case .column(let name) = source.member.entity { others.append(name) }
    objects.keys.append(.init(table: source.table, key: source.member.key, others: others))
    guard !end.mayBeEmpty else { return }
    let entity = old.model.entities[end.entity]
    var links = source
    links.owner.types = lineage.survivors(entity)
    links.member.types = objects.numbers
    check(
      .links(LinkSet([links])),
      "links of '\(entity.name).\(end.name)', which is required, to objects whose entity goes",
      advice: "lead them elsewhere or delete their objects with a script before this step")
  }
}
