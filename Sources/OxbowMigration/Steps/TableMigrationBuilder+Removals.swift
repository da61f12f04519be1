internal import OxbowModel
internal import OxbowSQL

extension TableMigrationBuilder {
  /// The objects of entities that go while others of their hierarchy stay; an entity that becomes
  /// abstract has no way for its objects.
  mutating func removals() -> [RemovedObjects] {
    var result: [RemovedObjects] = []
    for root in old.model.entities where root.root == root.index {
      let mapping = old.entities[root.index]
      guard lineage.goesOn(root: root.index) else { continue }
      let concrete = root.concrete.map { old.model.entities[$0] }
      for entity in concrete { refuseAbstract(entity) }
      let removed = concrete.filter { match.successors[$0.name] == nil }
      guard !removed.isEmpty, let type = mapping.typeColumn else { continue }
      var objects = RemovedObjects(
        table: mapping.table, key: mapping.keyColumn, type: type,
        numbers: removed.map { old.entities[$0.index].number }.sorted())
      addLinks(to: root, &objects)
      result.append(objects)
      for entity in removed { addLostObjects(of: entity) }
    }
    return result
  }

  private mutating func refuseAbstract(_ entity: CompiledEntity) {
    guard let name = match.successors[entity.name],
      new.model.entity(named: name)?.isAbstract == true
    else { return }
    let mapping = old.entities[entity.index]
    check(
      .rows(table: mapping.table, types: mapping.typeColumn == nil ? nil : [mapping.number]),
      "objects of '\(entity.name)', which becomes abstract",
      advice: "delete them before, with a script that runs before this step")
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
