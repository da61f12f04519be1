internal import OxbowModel
internal import OxbowStore

/// A save in the history of the store, to be taken back in a context: what it did to each object
/// and link, in the model of now.
///
/// It is read as a whole, whichever part of it or filter a caller has. What a history does not keep
/// is refused by name, before anything else is looked at.
struct HistoryReversal {
  let context: ManagedObjectContext
  let history: any StoreHistory
  let place: HistoryToken
  let number: Int64

  /// The save, in its parts.
  let parts: [HistoryTransaction]

  /// What it did to objects, each once, in order.
  private(set) var items: [Item] = []

  /// The links that it began, and those that it ended.
  private(set) var begun: [GraphDelta.Link] = []
  private(set) var ended: [GraphDelta.Link] = []

  /// The ends that have only another order, or whose object has only another place in one.
  private var placed: Set<GraphDelta.End> = []

  private var places: [ObjectReference: Int] = [:]
  private var obstacles = HistoryObstacles()

  /// What it did to an object.
  struct Item {
    let reference: ObjectReference
    var kind: HistoryChange.Kind
    var version: Int64

    /// The values before, by property index.
    var before: [Int: PropertyValue] = [:]
  }

  init(
    of save: HistoryTransaction, in context: ManagedObjectContext
  ) throws(PersistenceError) {
    self.context = context
    number = save.number
    place = HistoryToken([save.place])
    history = try context.coordinator.store.requireHistory().history(of: save.place.store)
    parts = try Self.read(save, history)
    let links = parts.flatMap(\.links)
    placed = Self.placed(links, context.model)
    for part in parts {
      for change in part.changes { add(change) }
    }
    for part in parts { add(part.links) }
    try requireWhole()
  }

  private static func read(
    _ save: HistoryTransaction, _ history: any StoreHistory
  ) throws(PersistenceError) -> [HistoryTransaction] {
    var limits = HistoryBatchLimits()
    limits.saves = 1
    let before = HistoryToken([save.place.at(save.number - 1)])
    switch try history.elements(after: before, limits).first {
    case .saves(let parts)? where parts.first?.number == save.number: return parts
    case .migrated(let save)? where save.isRestoring:
      throw PersistenceError(
        .undoRefused,
        "save \(save.number) says that the store was restored from a backup, and has changed no "
          + "objects; restore the file that was kept then")
    case .migrated?:
      throw PersistenceError(
        .undoRefused,
        "save \(save.number) is a migration, which changes tables and not objects; take its last step "
          + "back with 'migrate undo'")
    default:
      throw PersistenceError(
        .historyMissed,
        "save \(save.number) is no longer in the history of the store, so it is not known what was "
          + "before; make the changes by hand, or restore a backup")
    }
  }

  /// What a property of a change is now; `nil` if the model no longer has it as it was.
  func property(_ name: String, of change: HistoryChange, _ entity: CompiledEntity)
    -> CompiledProperty?
  {
    switch change.renamed[name] {
    case .some(let now): now.flatMap { entity.property(named: $0) }
    case nil: entity.property(named: name)
    }
  }
}

// MARK: - Reading changes

extension HistoryReversal {
  private mutating func add(_ change: HistoryChange) {
    guard let id = change.objectID, let reference = try? context.coordinator.reference(for: id)
    else { return obstacles.add("the model no longer has '\(change.entityName)'") }
    let place = place(of: reference)
    if change.kind != .update { items[place].kind = change.kind }
    if change.version != 0 { items[place].version = change.version }
    let entity = context.model.entities[reference.entity]
    for name in change.omittedProperties {
      obstacles.add(
        "'\(name)' of '\(entity.name)' was in a file, or larger than 64 KiB, and is not kept", id)
    }
    switch change.kind {
    case .insert: break
    case .update:
      for name in change.changedProperties { add(name, change, entity, place) }
    case .delete: addDeletion(change, entity, place)
    }
  }

  private mutating func place(of reference: ObjectReference) -> Int {
    let root = context.identity.root(reference)
    if let place = places[root] { return place }
    places[root] = items.count
    items.append(Item(reference: reference, kind: .update, version: 0))
    return items.count - 1
  }

  private mutating func add(
    _ name: String, _ change: HistoryChange, _ entity: CompiledEntity, _ place: Int
  ) {
    guard let property = property(name, of: change, entity) else {
      return obstacles.addGone(name, entity, change)
    }
    if let value = change.before?[name] { return keep(value, property, change, entity, place) }
    // Links say what is needed of ends without a value, and of those with a key at each end.
    let end = GraphDelta.End(object: items[place].reference, property: property.index)
    let isLink =
      property.relationship.map { property.slot < 0 || $0.isOneToOne || placed.contains(end) }
      ?? false
    let isComputed = property.attribute?.derivation != nil || property.isComposite
    guard !isLink, !isComputed, !change.omittedProperties.contains(name) else { return }
    obstacles.addUnkept(entity, change)
  }

  private mutating func keep(
    _ value: PropertyValue, _ property: CompiledProperty, _ change: HistoryChange,
    _ entity: CompiledEntity, _ place: Int
  ) {
    guard property.attribute?.derivation == nil, property.slot >= 0 else { return }
    let isObject = if case .object = value { true } else { false }
    guard value == .null || isObject == (property.relationship != nil) else {
      return obstacles.addGone(property.name, entity, change)
    }
    if let known = value.attribute, property.attribute.map({ known.fits($0.type) }) != true {
      return obstacles.addGone(property.name, entity, change)
    }
    items[place].before[property.index] = value
  }

  private mutating func addDeletion(
    _ change: HistoryChange, _ entity: CompiledEntity, _ place: Int
  ) {
    if entity.isAbstract {
      obstacles.add("a migration has made '\(entity.name)' abstract", change.objectID)
    }
    for (name, value) in change.before ?? [:] {
      guard let property = property(name, of: change, entity) else {
        obstacles.addGone(name, entity, change)
        continue
      }
      keep(value, property, change, entity, place)
    }
    // With keys only, there are the values at most that are kept after deletion.
    let others = entity.properties.filter {
      $0.isKept && $0.attribute?.preservesValueInHistoryOnDeletion != true
    }
    if !others.isEmpty, !others.contains(where: { items[place].before[$0.index] != nil }),
      change.omittedProperties.isEmpty
    {
      obstacles.addUnkept(entity, change)
    }
  }

  private mutating func add(_ links: [HistoryLink]) {
    var orders: [GraphDelta.End] = []
    for item in links {
      guard let link = item.link else {
        obstacles.add("the model no longer has the relationship '\(item.name)' as it was")
        continue
      }
      switch item.kind {
      case .begun: begun.append(link)
      case .ended: ended.append(link)
      case .placed: orders.append(Self.end(link))
      }
    }
    for end in orders
    where placed.remove(end) != nil && (item(of: end.object)?.kind ?? .update) == .update {
      let property = context.model.entities[end.object.entity].properties[end.property]
      obstacles.add(
        "the order of '\(property.name)' before is not kept", context.coordinator.id(of: end.object)
      )
    }
  }

  /// What the save did to an object, if anything but to its links.
  func item(of reference: ObjectReference) -> Item? {
    places[context.identity.root(reference)].map { items[$0] }
  }

  private static func end(_ link: GraphDelta.Link) -> GraphDelta.End {
    GraphDelta.End(object: link.owner, property: link.relationship.property)
  }

  /// The ends that links have given another order or place, and nothing else.
  static func placed(_ links: [HistoryLink], _ model: CompiledModel) -> Set<GraphDelta.End> {
    func ends(_ isPlaced: Bool) -> Set<GraphDelta.End> {
      let some = links.filter { ($0.kind == .placed) == isPlaced }
      return Set(some.compactMap(\.link).flatMap { Self.ends($0, model) })
    }
    return links.contains { $0.kind == .placed } ? ends(true).subtracting(ends(false)) : []
  }

  private static func ends(_ link: GraphDelta.Link, _ model: CompiledModel) -> [GraphDelta.End] {
    let inverse = model.inverse(of: model.property(link.relationship))
    return [end(link)]
      + (inverse.map { [GraphDelta.End(object: link.member, property: $0.index)] } ?? [])
  }
}

extension CompiledProperty {
  /// Whether a row has a value of it that is not computed.
  var isKept: Bool { slot >= 0 && attribute?.derivation == nil && !isComposite }
}

// MARK: - What cannot be taken back

extension HistoryReversal {
  /// Refuses a save of which the history does not have everything.
  private mutating func requireWhole() throws(PersistenceError) {
    for key in Set(parts.flatMap(\.metadataKeys)).sorted() {
      obstacles.add("'\(key)' is a value of the program's own, whose value before is not kept")
    }
    func count(_ kind: HistoryChange.Kind) -> Int { items.count { $0.kind == kind } }
    // The items have objects of which only links have changed as well, so their number is not all.
    if let part = parts.first,
      parts.contains(where: \.isPartial) || count(.insert) < part.insertedCount
        || count(.delete) < part.deletedCount || count(.update) < part.updatedCount
    {
      obstacles.add("it changed objects of entities that have no history")
    }
    if parts.contains(where: { $0.notes.contains(HistoryTransaction.unverified) }) {
      obstacles.add(
        "it is not known which of its links were there before, because the store was opened with "
          + "'history: .keys'")
    }
    try obstacles.refuse(number)
  }
}

/// What keeps a save from being taken back: reasons, each once, with the objects.
private struct HistoryObstacles {
  private var reasons: [String] = []
  private var objects: [String: [ManagedObjectID]] = [:]

  mutating func add(_ reason: String, _ id: ManagedObjectID? = nil) {
    if objects[reason] == nil { reasons.append(reason) }
    objects[reason, default: []] += id.map { [$0] } ?? []
  }

  mutating func addGone(_ name: String, _ entity: CompiledEntity, _ change: HistoryChange) {
    add(
      "a migration has removed '\(name)' of '\(change.entityName)', or changed its type",
      change.objectID)
  }

  mutating func addUnkept(_ entity: CompiledEntity, _ change: HistoryChange) {
    add(
      "the values before of '\(entity.name)' were not kept, because the store was opened with "
        + "'history: .keys'", change.objectID)
  }

  /// - Throws: ``PersistenceError``: `undoRefused` if there are any.
  func refuse(_ number: Int64) throws(PersistenceError) {
    guard !reasons.isEmpty else { return }
    let texts = reasons.map { reason in
      let ids = objects[reason] ?? []
      return ids.isEmpty ? reason : "\(reason): " + PersistenceError.listed(ids.map { "\($0)" })
    }
    throw PersistenceError(
      .undoRefused,
      "save \(number) was not undone: \(texts.joined(separator: "; ")); nothing was changed: make the "
        + "changes by hand, or restore a backup",
      objectIDs: reasons.flatMap { objects[$0] ?? [] })
  }
}
