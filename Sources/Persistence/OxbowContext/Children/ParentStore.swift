internal import OxbowFoundation
internal import OxbowModel
internal import OxbowStore

/// A context as the store of a child: its objects, with their unsaved changes, as rows.
///
/// Rows have versions of this store's own, which rise when the child asks for an object that the
/// parent has changed since the child last saw it.
final class ParentStore: PersistentStore, @unchecked Sendable {
  // Sendable by argument: the child context has the only reference; it belongs to the same owner as
  // the parent and is not Sendable. The stream of a child reads where the child is.

  let parent: ManagedObjectContext

  /// The row of each object as the child last saw it.
  private var seen: [ObjectReference: Seen] = [:]

  private struct Seen {
    let slab: RowSlab
    let row: Int
    let version: Int64
    /// The parent's row, if that had no edits: while it is the object's, nothing has changed.
    let source: RowSlab?
    let sourceRow: Int32
  }

  init(of parent: ManagedObjectContext) { self.parent = parent }

  var identifier: UUID { parent.store.identifier }
  var model: CompiledModel { parent.model }
  var isReadOnly: Bool { parent.store.isReadOnly }

  func identifier(of entity: Int) -> UUID { parent.store.identifier(of: entity) }

  func close() {}

  /// Lets the parent read what was saved until now.
  func reading(at place: ReadPlace) -> any PersistentStore {
    _ = parent.store.reading(at: place)
    return self
  }

  func reserveKeys(root: Int, count: Int) throws(PersistenceError) -> Range<Int64> {
    try parent.store.reserveKeys(root: root, count: count)
  }

  func save(
    _ changes: ChangeSet, beforeCommit: () throws(PersistenceError) -> Void
  ) throws(PersistenceError) -> SaveResult {
    try parent.begin("save")
    var found = Found()
    try ChangeAdoption(of: changes, in: parent, self).make { () throws(PersistenceError) in
      found = self.found(changes)
      try beforeCommit()
    }
    note(changes, found.versions)
    return SaveResult(found: found.slabs)
  }

  func appliesIncrements(to entity: Int) -> Bool { parent.store.appliesIncrements(to: entity) }

  /// The parent's objects before a save that updates them whatever their versions are.
  private struct Found {
    var slabs: [RowSlab] = []
    var versions: [ObjectReference: Int64] = [:]
  }

  private func found(_ changes: ChangeSet) -> Found {
    var found = Found()
    let objects = changes.updates.filter { !$0.checksVersion }
      .compactMap { parent.registered($0.reference) }
    guard !objects.isEmpty else { return found }
    for object in objects { found.versions[object.reference] = version(of: object) }
    found.slabs = rows(of: objects, count: objects.count).slabs
    return found
  }
}

// MARK: - Versions

extension ParentStore {
  /// The version that the child would read now.
  func version(of object: ManagedObject) -> Int64 {
    guard let known = seen[object.reference] else { return RowVersion.first }
    return isUnchanged(object, known) ? known.version : RowVersion.next(after: known.version)
  }

  private func isUnchanged(_ object: ManagedObject, _ known: Seen) -> Bool {
    if let source = known.source, source === object._slab, known.sourceRow == object._row,
      object.overlay?.hasEdits != true
    {
      return true
    }
    return object.entity.properties.allSatisfy { property in
      // A derived value is not a change of an object, as in the store.
      guard property.slot >= 0, property.attribute?.derivation == nil else { return true }
      guard property.relationship == nil else {
        return known.slab.reference(known.row, property) == object.destination(of: property)
      }
      guard let value = object.valueInMemory(of: property) else { return false }
      return AttributeValue.areIdentical(known.slab.storedValue(known.row, property), value)
    }
  }

  /// Writes rows of objects, and returns all slabs that the writer filled, in order.
  private func rows(of objects: some Sequence<ManagedObject>, count: Int) -> Rows {
    var rows = Rows()
    var writer = RowWriter(model: model, owner: parent.token, capacity: max(1, min(count, 256)))
    for object in objects {
      rows.append(write(object, version: version(of: object), &writer))
    }
    return rows
  }

  private func write(
    _ object: ManagedObject, version: Int64, _ writer: inout RowWriter
  ) -> SlabRow {
    let overlay = object.overlay
    let row = writer.write(version: version, replacing: (object._slab, Int(object._row))) {
      overlay?.written($0, of: object) ?? .unchanged
    }
    let isClean = overlay?.hasEdits != true && !object._slab.isFault
    seen[object.reference] = Seen(
      slab: row.slab, row: row.row, version: version, source: isClean ? object._slab : nil,
      sourceRow: object._row)
    return row
  }

  /// Notes that the child has seen what it saved.
  private func note(_ changes: ChangeSet, _ found: [ObjectReference: Int64]) {
    var writer = RowWriter(model: model, owner: parent.token, capacity: 64)
    func write(_ reference: ObjectReference, _ version: Int64) {
      guard let object = parent.registered(reference), !object._state.contains(.deleted) else {
        return
      }
      _ = self.write(object, version: version, &writer)
    }
    for item in changes.inserts { write(item.reference, item.version) }
    for item in changes.updates {
      write(item.reference, RowVersion.next(after: found[item.reference] ?? item.version))
    }
    for item in changes.deletes { seen[item.reference] = nil }
  }

  /// Slabs that were filled one after the other.
  private struct Rows {
    var slabs: [RowSlab] = []

    mutating func append(_ row: SlabRow) { if slabs.last !== row.slab { slabs.append(row.slab) } }
  }
}

// MARK: - Reading

extension ParentStore {
  func rows(of fetch: StoreFetch, unless known: RowFilter?) throws(PersistenceError) -> [RowSlab] {
    parent.noteLookup(fetch.entity)
    let objects = try objects(of: fetch)
    return rows(of: objects, count: objects.count).slabs
  }

  func count(of fetch: StoreFetch) throws(PersistenceError) -> Int {
    try parent.begin("count")
    parent.noteLookup(fetch.entity)
    guard fetch.keys == nil, fetch.afterKey == nil else { return try objects(of: fetch).count }
    return try parent.isDisturbed(fetch)
      ? try parent.mergedCount(fetch) : try parent.store.count(of: fetch)
  }

  func metadata(
    _ key: String, _ type: AttributeType
  ) throws(PersistenceError) -> AttributeValue? {
    try parent.keptValue(key, type)
  }

  func metadatum(
    _ value: AttributeValue, _ key: String, as type: AttributeType
  ) throws(PersistenceError) -> AttributeValue {
    try parent.store.metadatum(value, key, as: type)
  }

  func metadataKeys() throws(PersistenceError) -> [String] {
    let changed = parent.unsaved.metadata
    let kept = try parent.store.metadataKeys().filter { changed[$0] == nil }
    return (kept + changed.values.filter { $0.value != nil }.map(\.key)).sorted()
  }

  func keys(of fetch: StoreFetch) throws(PersistenceError) -> [RowSlab] {
    let objects = try objects(of: fetch)
    guard !objects.isEmpty else { return [] }
    let slab = RowSlab(referencesOf: model, capacity: objects.count)
    for object in objects { slab.append(object.reference) }
    return [slab]
  }

  /// The parent's objects that a fetch finds, in its order, with their rows.
  private func objects(of fetch: StoreFetch) throws(PersistenceError) -> [ManagedObject] {
    try beginFetch()
    if let keys = fetch.keys { return try objects(of: fetch.entity, keys) }
    if try parent.isDisturbed(fetch) {
      if let key = fetch.afterKey { return try objects(of: fetch, after: key) }
      return try parent.mergedObjects(fetch)
    }
    var objects: [ManagedObject] = []
    for slab in try parent.store.rows(of: fetch, unless: parent.knownRows(of: fetch.entity)) {
      objects += try parent.register(slab)
    }
    return objects
  }

  /// A part of a fetch without an order of its own.
  private func objects(
    of fetch: StoreFetch, after key: Int64
  ) throws(PersistenceError) -> [ManagedObject] {
    var all = fetch
    all.afterKey = nil
    all.limit = nil
    let rest = try objects(of: all).filter { $0.key > key }.sorted { $0.key < $1.key }
    return Array(rest.prefix(fetch.limit ?? .max))
  }

  /// The parent's objects of an entity and those below it, with their rows, without those that are
  /// gone or that the next save deletes.
  private func objects(
    of entity: Int, _ keys: [Int64]
  ) throws(PersistenceError) -> [ManagedObject] {
    func object(_ key: Int64) -> ManagedObject? {
      parent.registered(ObjectReference(entity: entity, key: key))
    }
    let unread = keys.filter { object($0)?._state.contains(.fault) ?? true }
    if !unread.isEmpty {
      for slab in try parent.store.rows(of: entity, keys: unread) { try parent.register(slab) }
    }
    let entity = model.entities[entity]
    return keys.compactMap { key in
      object(key).flatMap {
        $0._state.isDisjoint(with: [.fault, .deleted]) && $0.entity.isKind(of: entity) ? $0 : nil
      }
    }
  }

  /// Ends links to deleted objects of the parent before rows with them are returned.
  private func beginFetch() throws(PersistenceError) {
    try parent.begin("fetch")
    parent.untieDeleted()
  }

  func rows(of entity: Int, keys: [Int64]) throws(PersistenceError) -> [RowSlab] {
    try beginFetch()
    let objects = try objects(of: entity, keys)
    return rows(of: objects, count: objects.count).slabs
  }

  func rows(
    related relationship: RelationshipID, to owners: [Int64]
  ) throws(PersistenceError) -> RelatedRows {
    try beginFetch()
    let property = model.property(relationship)
    let owners = try objects(of: relationship.entity, owners)
    let unread = owners.filter { $0.loadedMembers(of: property) == nil }
    if !unread.isEmpty { try parent.readMembers(of: property, unread) }
    let members = owners.map { ($0.key, parent.readObjects(of: property, $0)) }
    let all = members.flatMap(\.1).uniqued()
    let faults = all.filter { $0._state.contains(.fault) }
    if !faults.isEmpty { _ = try parent.read(faults) }
    return related(members, all)
  }

  private func related(
    _ members: [(owner: Int64, objects: [ManagedObject])], _ all: [ManagedObject]
  ) -> RelatedRows {
    var positions: [ObjectIdentifier: RelatedRows.Position] = [:]
    var rows = Rows()
    var writer = RowWriter(
      model: model, owner: parent.token, capacity: max(1, min(all.count, 256)))
    for object in all where object._state.isDisjoint(with: [.fault, .deleted]) {
      let row = write(object, version: version(of: object), &writer)
      rows.append(row)
      positions[ObjectIdentifier(object)] = .init(slab: rows.slabs.count - 1, row: row.row)
    }
    var found: [Int64: [RelatedRows.Position]] = [:]
    for (owner, objects) in members {
      found[owner] = objects.compactMap { positions[ObjectIdentifier($0)] }
    }
    return RelatedRows(slabs: rows.slabs, members: found)
  }

  func places(of fetch: StoreFetch) throws(PersistenceError) -> [SortPlace] {
    try beginFetch()
    parent.noteLookup(fetch.entity)
    return try parent.places(of: fetch)
  }

  func rows(of query: ColumnQuery) throws(PersistenceError) -> ColumnRows {
    try parent.begin("fetchRows")
    return try parent.rows(of: query)
  }

  func wordStatistics(
    of search: RankedSearch, in entity: Int
  ) throws(PersistenceError) -> WordStatistics {
    try parent.store.wordStatistics(of: search, in: entity)
  }

  func check(_ query: ColumnQuery) throws(PersistenceError) -> [AttributeType] {
    try parent.store.check(query)
  }

  func rows(of sql: SQLText) throws(PersistenceError) -> [SQLRow] {
    try parent.begin("fetchRows(sql:)")
    parent.noteLookupOfAll()
    return try parent.store.rows(of: sql)
  }

  func rows(of entity: Int, keysFrom sql: SQLText) throws(PersistenceError) -> KeyedRows {
    try parent.begin("fetch(_:sql:)")
    parent.noteLookup(entity)
    let found = try parent.store.rows(of: entity, keysFrom: sql)
    return KeyedRows(slabs: try rows(of: entity, keys: found.keys), keys: found.keys)
  }
}
