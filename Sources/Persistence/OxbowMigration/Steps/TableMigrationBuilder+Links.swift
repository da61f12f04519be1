internal import OxbowModel
internal import OxbowRelational

extension TableMigrationBuilder {
  /// Where the links of all relationships go: the columns of keys by table and name, and the tables
  /// of links.
  mutating func linkTargets() -> (keys: [String: [String: ColumnSource]], joins: [TableTarget]) {
    let pairs = lineage.pairs()
    var keys: [String: [String: ColumnSource]] = [:]
    var joins: [TableTarget] = []
    var claimed: Set<String> = []
    for pair in pairs {
      if let join = new.joins[pair.owner.id] {
        joins.append(target(of: join, pair, &claimed))
        continue
      }
      for end in [pair.owner, pair.inverse].compactMap(\.self) where !end.isToMany {
        let table = new.entities[end.entity].table
        keys[table, default: [:]].merge(keyColumns(of: end, pair)) { first, _ in first }
      }
    }
    checkLinks(pairs)
    return (keys, joins)
  }
}

// MARK: - Tables of links

extension TableMigrationBuilder {
  /// The table of a many-to-many relationship or of a to-many without inverse.
  private func target(
    of join: JoinMapping, _ pair: RelationshipPair, _ claimed: inout Set<String>
  ) -> TableTarget {
    let table = new.tables.first { $0.name == join.table } ?? TableSchema(name: join.table)
    let links = LinkSet(pair.feeds.map { $0.links(in: pair.region) })
    guard let first = links.sources.first else { return TableTarget(table: table) }
    let isWhole = pair.feeds.count == 1 && pair.region.contains(pair.feeds[0].region)
    if isWhole, old.joins.values.contains(where: { $0.table == first.table }),
      claimed.insert(first.table).inserted
    {
      return TableTarget(table: table, origin: .table(first.table), sources: kept(join, first))
    }
    var sources: [String: ColumnSource] = [
      join.ownerColumn: .column(LinkSet.Column.owner.rawValue),
      join.memberColumn: .column(LinkSet.Column.member.rawValue),
    ]
    if let position = join.ownerPositionColumn {
      sources[position] = .column(LinkSet.Column.ownerPosition.rawValue)
    }
    if let position = join.memberPositionColumn {
      sources[position] = .column(LinkSet.Column.memberPosition.rawValue)
    }
    return TableTarget(table: table, origin: .links(links), sources: sources)
  }

  /// The columns of a table of links that stays one.
  private func kept(_ join: JoinMapping, _ links: LinkSource) -> [String: ColumnSource] {
    let owner = ColumnSource.column(links.owner.key)
    let member = ColumnSource.column(links.member.key)
    var sources = [join.ownerColumn: owner, join.memberColumn: member]
    if let position = join.memberPositionColumn {
      sources[position] =
        links.member.position.map { .column($0) } ?? .position(owner: owner, by: [member])
    }
    if let position = join.ownerPositionColumn {
      sources[position] =
        links.owner.position.map { .column($0) } ?? .position(owner: member, by: [owner])
    }
    return sources
  }
}

// MARK: - Keys

extension TableMigrationBuilder {
  /// What the columns of a to-one relationship are made of, by role.
  private typealias KeySources = [MappedColumn.Role: ColumnSource]

  private mutating func keyColumns(
    of end: CompiledRelationship, _ pair: RelationshipPair
  ) -> [String: ColumnSource] {
    let entity = new.model.entities[end.entity]
    let columns = new.entities[entity.index].columns.filter { $0.property == end.property }
    guard let root = lineage.oldRoot(of: entity),
      let key = columns.first(where: { $0.role == .key })
    else { return [:] }
    let sources = keySources(of: end, pair, root, key)
    let pairs = columns.compactMap { column in sources[column.role].map { (column.name, $0) } }
    return Dictionary(pairs) { first, _ in first }
  }

  private mutating func keySources(
    of end: CompiledRelationship, _ pair: RelationshipPair, _ root: CompiledEntity,
    _ key: MappedColumn
  ) -> KeySources {
    let mapping = old.entities[root.index]
    let feeds = pair.feeds(from: end)
    let own = feeds.compactMap { feed in
      feed.source(inRowsOf: mapping.table, key: mapping.keyColumn).map { (feed, $0) }
    }
    let owners = own.flatMap(\.0.region.owners)
    guard own.count == feeds.count, Set(owners).count == owners.count else {
      return lookUp(end, feeds, pair.region(from: end), root, key)
    }
    if key.isRequired { checkRequired(end, own, root, key) }
    return keep(own, root, pair.region(from: end))
  }

  /// Takes the keys from the rows that they stay in.
  private func keep(
    _ own: [(feed: LinkFeed, source: LinkSource)], _ root: CompiledEntity,
    _ region: LinkSource.Region
  ) -> KeySources {
    func combined(_ column: (LinkSource) -> ColumnSource?) -> ColumnSource? {
      let parts = own.map { feed, source in
        SourcePart(
          numbers: feed.region.owners.filter(region.owners.contains), source: column(source),
          holders: feed.region.owners)
      }
      return lineage.combined(parts, of: root)
    }
    var sources: KeySources = [:]
    sources[.key] = combined { .column($0.member.key) }
    sources[.entity] = combined { source in
      switch source.member.entity {
      case .column(let column): .column(column)
      case .number(let number): .entityOfKey(source.member.key, number)
      case .row: nil
      }
    }
    let places = combined { $0.owner.position.map { .column($0) } }
    if own.count == 1, let places {
      sources[.position] = places
    } else if let key = sources[.key] {
      let order = [places, .column(old.entities[root.index].keyColumn)].compactMap(\.self)
      sources[.position] = .position(owner: key, by: order)
    }
    return sources
  }

  /// The keys were in other rows, or in a join table: each object may have only one.
  private mutating func lookUp(
    _ end: CompiledRelationship, _ feeds: [LinkFeed], _ region: LinkSource.Region,
    _ root: CompiledEntity, _ key: MappedColumn
  ) -> KeySources {
    let entity = new.model.entities[end.entity]
    let mapping = old.entities[root.index]
    let links = LinkSet(feeds.map { $0.links(in: region) })
    if feeds.count == 1, let clearing = surplus(end, feeds[0], links.sources[0]) {
      migration.clearings.append(clearing)
      lose(
        .surplusLinks(links),
        "links of '\(entity.name).\(end.name)', which becomes to-one, but the first of each object")
    } else {
      check(
        .repeatedOwners(links),
        "objects of '\(entity.name)' with more than one link of '\(end.name)', which is to-one",
        advice: "add a new to-one relationship, choose with a script, then remove this one")
    }
    if key.isRequired, !lineage.numbers(entity).isEmpty {
      check(
        .withoutLink(
          table: mapping.table, key: mapping.keyColumn,
          types: lineage.condition(lineage.numbers(entity), of: root), links),
        "objects of '\(entity.name)' that lead nowhere by '\(end.name)', which is required",
        advice: "link or delete them with a script before this step")
    }
    let table = MetadataTables.prefix + "links_\(migration.lookups.count + 1)"
    migration.lookups.append(LinkLookup(table: table, links: links))
    func source(_ column: LinkSet.Column) -> ColumnSource {
      .lookup(table: table, column, key: mapping.keyColumn)
    }
    return [
      .key: source(.member), .entity: source(.memberEntity), .position: source(.ownerPosition),
    ]
  }

  /// Rows without a key, where each must have one from now on.
  private mutating func checkRequired(
    _ end: CompiledRelationship, _ own: [(feed: LinkFeed, source: LinkSource)],
    _ root: CompiledEntity,
    _ key: MappedColumn
  ) {
    let entity = new.model.entities[end.entity]
    let table = old.entities[root.index].table
    let covered = own.flatMap(\.feed.region.owners)
    let bare = lineage.numbers(entity).filter { !covered.contains($0) }
    if !bare.isEmpty {
      check(
        .rows(table: table, types: lineage.condition(bare, of: root)),
        "objects of '\(entity.name)' that would lead nowhere by the new relationship "
          + "'\(end.name)', which is required", advice: "make it optional, set it, then require it")
    }
    for (feed, source) in own {
      let columns = root.subtree.flatMap { old.entities[$0].columns }
      let before = columns.first { $0.name == source.member.key }
      let isSafe = key.isDeclaredRequired ? before?.isDeclaredRequired : before?.isRequired
      let numbers = feed.region.owners.filter(lineage.numbers(entity).contains)
      guard isSafe != true, !numbers.isEmpty else { continue }
      check(
        .missing(
          table: table, column: source.member.key,
          types: lineage.condition(numbers, of: root)),
        "objects of '\(entity.name)' that lead nowhere by '\(end.name)', which becomes required",
        advice: "set it or delete them with a script before this step")
    }
  }
}

// MARK: - Links that are lost

extension TableMigrationBuilder {
  /// Counts the links that no pair has any more, and refuses those that their pair cannot have.
  private mutating func checkLinks(_ pairs: [RelationshipPair]) {
    for relationship in lineage.relationships(old) {
      guard let feed = lineage.feed(relationship) else { continue }
      let name = "\(old.model.entities[relationship.entity].name).\(relationship.name)"
      let successors = pairs.flatMap { pair in
        pair.feeds.filter { $0.id == feed.id }.map {
          Successor(pair: pair, isReversed: $0.isReversed)
        }
      }
      if successors.isEmpty {
        lose(.links(LinkSet([feed.sources[0]])), "links of '\(name)'")
      } else if !successors.contains(where: { $0.region.contains(feed.region) }) {
        addUnfit(feed, successors, "links of '\(name)' \(unfitWords(feed, successors))")
      }
      if !successors.isEmpty { checkOrder(of: relationship, feed.sources[0], successors) }
    }
  }

  /// Links that no end can have any more: they go, unless an end is required.
  private mutating func addUnfit(_ feed: LinkFeed, _ successors: [Successor], _ subject: String) {
    let regions = successors.map(\.region)
    let unfit = DataCheck.Condition.unfitLinks(feed.sources[0], regions, known: feed.region)
    let ends = successors.flatMap { [$0.pair.owner, $0.pair.inverse].compactMap(\.self) }
    let cleared = feed.sources.compactMap { source in
      clearing(source, source.selectUnfit(regions, known: feed.region))
    }
    guard cleared.count == feed.sources.count, ends.allSatisfy({ $0.isToMany || $0.mayBeEmpty })
    else {
      check(unfit, subject, advice: "clear them with a script before this step")
      return
    }
    migration.clearings += cleared
    lose(unfit, subject)
  }

  /// The links but one of each object of an end that becomes to-one; `nil` where the other end
  /// cannot do without.
  private func surplus(
    _ end: CompiledRelationship, _ feed: LinkFeed, _ source: LinkSource
  ) -> ClearedLinks? {
    let inverse = new.model.inverse(of: end)
    let isKeptByOther = feed.sources.count == 1 && !isJoin(source.table)
    // Two ends that both become to-one would choose each for itself.
    guard inverse?.isToMany != false || isKeptByOther, inverse?.id != end.id,
      inverse.map({ $0.isToMany || $0.mayBeEmpty }) ?? true
    else { return nil }
    return clearing(source, source.selectSurplus(in: old.dialect))
  }

  private func isJoin(_ table: String) -> Bool {
    old.joins.values.contains { $0.table == table }
  }

  /// What takes links away from where they are; `nil` where a key must not be missing.
  private func clearing(_ source: LinkSource, _ links: String) -> ClearedLinks? {
    var cleared: [String] = []
    if !isJoin(source.table) {
      let row = old.entities.first { $0.table == source.table }
      let (own, other) =
        source.owner.key == row?.keyColumn
        ? (source.owner, source.member) : (source.member, source.owner)
      let column = old.entities.lazy.filter { $0.table == source.table }.flatMap(\.columns)
        .first { $0.name == other.key }
      guard column?.isDeclaredRequired == false else { return nil }
      cleared = [other.key, own.position].compactMap(\.self)
      if case .column(let entity) = other.entity { cleared.append(entity) }
    }
    return ClearedLinks(
      table: source.table, owner: source.owner.key, member: source.member.key, cleared: cleared,
      links: links)
  }

  /// Counts the places that no pair has any more.
  ///
  /// An end that becomes to-one has one place, so that nothing goes with it.
  private mutating func checkOrder(
    of relationship: CompiledRelationship, _ source: LinkSource, _ successors: [Successor]
  ) {
    let inverse = old.model.inverse(of: relationship).flatMap {
      $0.id == relationship.id ? nil : $0
    }
    func check(
      _ end: CompiledRelationship?, _ position: String?,
      _ now: (Successor) -> CompiledRelationship?
    ) {
      guard let end, let position, !successors.contains(where: { now($0)?.isOrdered == true })
      else { return }
      migration.forgetsPlaces = true
      guard !successors.allSatisfy({ now($0)?.isToMany == false }) else { return }
      lose(
        .present(table: source.table, column: position, types: nil),
        "places in the order of '\(old.model.entities[end.entity].name).\(end.name)'")
    }
    check(relationship, source.member.position) { $0.owner }
    check(inverse, source.owner.position) { $0.member }
  }

  /// A pair that has the links of a relationship before, seen from that one's canonical end.
  private struct Successor {
    let pair: RelationshipPair
    let isReversed: Bool

    /// The ends now, of what were owners and members.
    var owner: CompiledRelationship? { isReversed ? pair.inverse : pair.owner }
    var member: CompiledRelationship? { isReversed ? pair.owner : pair.inverse }

    var region: LinkSource.Region { isReversed ? pair.region.reversed : pair.region }
  }

  private func unfitWords(_ feed: LinkFeed, _ successors: [Successor]) -> String {
    guard successors.count == 1, let successor = successors.first else {
      return "between objects that no relationship of the new model joins"
    }
    let (owner, member) = names(of: successor.pair)
    let hasOwners = Set(feed.region.owners).isSubset(of: successor.region.owners)
    return hasOwners
      ? "to objects that are not of '\(successor.isReversed ? owner : member)'"
      : "of objects that are not of '\(successor.isReversed ? member : owner)'"
  }

  /// The entities at both ends of a pair, the narrower of those that its two relationships name.
  private func names(of pair: RelationshipPair) -> (owner: String, member: String) {
    func narrower(_ first: Int, _ second: Int?) -> String {
      let entity = new.model.entities[first]
      let other = second.map { new.model.entities[$0] }
      return other.map { $0.subtree.count < entity.subtree.count ? $0.name : entity.name }
        ?? entity.name
    }
    return (
      narrower(pair.owner.entity, pair.inverse?.destination),
      narrower(pair.owner.destination, pair.inverse?.entity)
    )
  }
}
