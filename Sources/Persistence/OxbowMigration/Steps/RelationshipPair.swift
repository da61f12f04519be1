internal import OxbowModel
internal import OxbowRelational

/// A relationship with both its ends, and the relationships before whose links it has.
///
/// Links are a matter of the pair: when either end is the same as before, the links of that pair
/// before are its links, and where they are kept follows from what the pair is now.
struct RelationshipPair {
  /// The end from which the links are seen; the store's canonical one.
  let owner: CompiledRelationship

  let inverse: CompiledRelationship?

  /// The earlier links, seen from ``owner``.
  let feeds: [LinkFeed]

  /// The entities that can be at either end, by the numbers of rows from before.
  let region: LinkSource.Region

  func feeds(from end: CompiledRelationship) -> [LinkFeed] {
    isOwner(end) ? feeds : feeds.map(\.reversed)
  }

  /// The entities at either end, those of `end` as owners.
  func region(from end: CompiledRelationship) -> LinkSource.Region {
    isOwner(end) ? region : region.reversed
  }

  private func isOwner(_ end: CompiledRelationship) -> Bool { end.id == owner.id }
}

/// The links of a relationship before, seen from one of its ends.
struct LinkFeed {
  /// The relationship before, by its canonical end.
  let id: RelationshipID

  /// Whether the links are seen from the other end than the canonical one.
  var isReversed: Bool

  /// Where the links are kept: one table, or, for a one-to-one relationship, the rows of either
  /// end, the canonical one's first.
  var sources: [LinkSource]

  /// The entities of objects that stay, at either end, and those of all objects.
  var region: LinkSource.Region
  var all: LinkSource.Region

  var reversed: LinkFeed {
    LinkFeed(
      id: id, isReversed: !isReversed, sources: sources.map(\.reversed), region: region.reversed,
      all: all.reversed)
  }

  /// The one in the owners' own rows.
  func source(inRowsOf table: String, key: String) -> LinkSource? {
    sources.first { $0.table == table && $0.owner.key == key }
  }

  /// The links between entities of a region.
  func links(in region: LinkSource.Region) -> LinkSource {
    var source = sources[0]
    source.owner.types = all.owners.within(region.owners)
    source.member.types = all.members.within(region.members)
    return source
  }
}

extension LinkSource.Region {
  var reversed: Self { Self(owners: members, members: owners) }

  /// Whether all links between entities of `other` are in this region.
  func contains(_ other: Self) -> Bool {
    Set(other.owners).isSubset(of: owners) && Set(other.members).isSubset(of: members)
  }
}

extension [Int64] {
  /// Those of them that are in a list; `nil` when all are.
  fileprivate func within(_ others: [Int64]) -> [Int64]? {
    let kept = filter(others.contains)
    return kept.count == count ? nil : kept
  }
}

extension Lineage {
  /// All pairs of the model after that a store keeps.
  func pairs() -> [RelationshipPair] {
    relationships(new).map { owner in
      let inverse = other(of: owner, in: new.model)
      let region = region(owner, inverse, in: new.model, numbers)
      return RelationshipPair(
        owner: owner, inverse: inverse, feeds: feeds(of: owner, inverse), region: region)
    }
  }

  /// All relationships of a mapping that a store keeps, by their canonical ends.
  func relationships(_ mapping: StoreMapping) -> [CompiledRelationship] {
    mapping.model.entities.flatMap { entity in
      entity.properties.filter { $0.declaringEntity == entity.index }.compactMap(\.relationship)
        .filter { $0.storage.isCanonical && isKept($0, mapping) }
    }
  }

  /// The other end; `nil` also for a relationship that is its own inverse, which has one end only.
  private func other(of end: CompiledRelationship, in model: CompiledModel) -> CompiledRelationship?
  {
    model.inverse(of: end).flatMap { $0.id == end.id ? nil : $0 }
  }

  private func isKept(_ end: CompiledRelationship, _ mapping: StoreMapping) -> Bool {
    mapping.join(of: end) != nil
      || mapping.entities[end.entity].column(ofProperty: end.property) != nil
  }

  private func feeds(
    of owner: CompiledRelationship, _ inverse: CompiledRelationship?
  ) -> [LinkFeed] {
    var feeds: [LinkFeed] = []
    func add(_ before: CompiledRelationship, isReversed: Bool) {
      guard let feed = feed(before) else { return }
      let seen = isReversed ? feed.reversed : feed
      if !feeds.contains(where: { $0.id == seen.id && $0.isReversed == seen.isReversed }) {
        feeds.append(seen)
      }
    }
    for before in origins(of: owner) { add(before, isReversed: false) }
    for before in inverse.map(origins) ?? [] { add(before, isReversed: true) }
    return feeds
  }

  /// The relationships before that one end was, for any of the entities that have it.
  private func origins(of end: CompiledRelationship) -> [CompiledRelationship] {
    let entity = new.model.entities[end.entity]
    let destination = new.model.entities[end.destination]
    var entities = populated(entity)
    if entities.isEmpty, let before = predecessor(of: entity) { entities = [(entity, before)] }
    var result: [CompiledRelationship] = []
    for (entity, before) in entities {
      guard let name = match.relationships(of: entity.name)[end.name],
        let was = before.property(named: name)?.relationship,
        oldRoot(of: destination)?.index == old.model.entities[was.destination].root,
        !result.contains(where: { $0.id == was.id })
      else { continue }
      result.append(was)
    }
    return result
  }
}

// MARK: - Where links are kept before

extension Lineage {
  /// The links of a relationship before, seen from this end; `nil` when the store keeps none.
  func feed(_ end: CompiledRelationship) -> LinkFeed? {
    let inverse = other(of: end, in: old.model)
    guard end.storage.isCanonical || inverse == nil else {
      return inverse.flatMap(feed)?.reversed
    }
    let sources =
      old.join(of: end).map { [joinSource($0, end)] }
      ?? [rowSource(end), inverse.flatMap(rowSource)?.reversed].compactMap(\.self)
    guard !sources.isEmpty else { return nil }
    return LinkFeed(
      id: end.id, isReversed: false, sources: sources,
      region: region(end, inverse, in: old.model, survivors),
      all: region(end, inverse, in: old.model) { entity in
        entity.concrete.map { old.entities[$0].number }.sorted()
      })
  }

  /// The entities at either end, as far as both ends allow them.
  private func region(
    _ end: CompiledRelationship, _ inverse: CompiledRelationship?, in model: CompiledModel,
    _ numbers: (CompiledEntity) -> [Int64]
  ) -> LinkSource.Region {
    func common(_ entity: Int, _ other: Int?) -> [Int64] {
      let own = numbers(model.entities[entity])
      return other.map { own.filter(numbers(model.entities[$0]).contains) } ?? own
    }
    return LinkSource.Region(
      owners: common(end.entity, inverse?.destination),
      members: common(end.destination, inverse?.entity))
  }

  private func joinSource(_ end: JoinMapping.End, _ relationship: CompiledRelationship)
    -> LinkSource
  {
    let join = old.joins.values.first { $0.table == end.table }
    let other = join.map { $0.fromOwner == end ? $0.fromMember : $0.fromOwner }
    return LinkSource(
      table: end.table,
      owner: LinkEnd(
        key: end.column, position: other?.positionColumn, entity: entity(relationship.entity)),
      member: LinkEnd(
        key: end.otherColumn, position: end.positionColumn,
        entity: entity(relationship.destination)))
  }

  /// The links in the rows of the objects that a to-one relationship leads from.
  func rowSource(_ end: CompiledRelationship) -> LinkSource? {
    let mapping = old.entities[end.entity]
    guard !end.isToMany, let key = mapping.column(.key, ofProperty: end.property) else {
      return nil
    }
    func name(_ role: MappedColumn.Role) -> String? {
      mapping.column(role, ofProperty: end.property).map { mapping.columns[$0].name }
    }
    return LinkSource(
      table: mapping.table,
      owner: LinkEnd(
        key: mapping.keyColumn, position: name(.position),
        entity: mapping.typeColumn.map { .column($0) } ?? .number(mapping.number)),
      member: LinkEnd(
        key: mapping.columns[key].name,
        entity: name(.entity).map { .column($0) } ?? .number(old.entities[end.destination].number)))
  }

  /// Where the entity of a key in a table of links is kept.
  private func entity(_ index: Int) -> LinkEnd.Entity {
    let mapping = old.entities[index]
    guard let type = mapping.typeColumn, old.model.entities[index].subtree.count > 1 else {
      return .number(mapping.number)
    }
    return .row(table: mapping.table, key: mapping.keyColumn, type: type)
  }
}
