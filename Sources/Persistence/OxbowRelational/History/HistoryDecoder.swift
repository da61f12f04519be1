internal import OxbowFoundation
package import OxbowModel
package import OxbowStore

/// Makes values of the rows of a history.
package struct HistoryDecoder {
  private let names: HistoryNames
  private let mapping: StoreMapping
  private let path: String

  package init(_ names: HistoryNames, _ mapping: StoreMapping, _ path: String) {
    (self.names, self.mapping, self.path) = (names, mapping, path)
  }

  /// A save in its parts.
  ///
  /// - Throws: ``PersistenceError``: `invalidStoredValue` for a row that is damaged.
  package func save(
    _ row: [SQLValue], at origin: HistoryPlace, parts: [[UInt8]]
  ) throws(PersistenceError) -> (saves: [HistoryTransaction], byteCount: Int) {
    let number = row[0].integerValue ?? 0
    guard let time = row[1].integerValue, let inserted = row[6].integerValue,
      let updated = row[7].integerValue, let deleted = row[8].integerValue
    else { throw damaged(number, "a column has a value of another type") }
    var blobs: [[UInt8]] = []
    switch row[9] {
    case .null: break
    case .blob(let bytes): blobs = [bytes] + parts
    default: throw damaged(number, "'changes' has \(row[9].typeName)")
    }
    let counts = (Int(clamping: inserted), Int(clamping: updated), Int(clamping: deleted))
    let kind = HistoryRecord.kind(of: row[5].integerValue ?? 0)
    let place = origin.at(number)
    var saves: [HistoryTransaction] = []
    var settled: Set<CollectedChanges.Key> = []
    for (index, blob) in (blobs.isEmpty ? [[]] : blobs).enumerated() {
      let isContinued = index + 1 < blobs.count
      var collected = CollectedChanges(names, mapping, place.store, settled)
      let notes = try collect(blob, number, &collected)
      if isContinued { settled.formUnion(collected.settledHere) }
      saves.append(
        HistoryTransaction(
          place: place, token: HistoryToken([isContinued ? origin.at(number - 1) : place]),
          date: Date(timeIntervalSince1970: Double(time) / 1000), author: row[2].textValue,
          contextName: row[3].textValue, session: session(row[4]), kind: kind, counts: counts,
          changes: collected.changes, metadataKeys: notes.metadata, notes: notes.other,
          isContinued: isContinued, links: collected.links))
    }
    return (saves, blobs.reduce(0) { $0 + $1.count })
  }

  private func session(_ value: SQLValue) -> UUID {
    guard case .blob(let bytes) = value, bytes.count == 16 else {
      return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  package func damaged(_ number: Int64, _ reason: String) -> PersistenceError {
    PersistenceError(
      .invalidStoredValue,
      "save \(number) in the history of the store '\(path)' cannot be read: \(reason); another program "
        + "changed '\(HistoryTables.saves.name)': restore a backup, or remove the history up to that "
        + "save with 'deleteHistory(before:)' and read the store as a whole")
  }

  /// Collects the changes of a part.
  ///
  /// - Returns: What it has beside changes of objects.
  private func collect(
    _ bytes: [UInt8], _ number: Int64, _ collected: inout CollectedChanges
  ) throws(PersistenceError) -> (metadata: [String], other: [String]) {
    guard !bytes.isEmpty else { return ([], []) }
    let runs: [HistoryRun]
    do { runs = try HistoryBlobReader.runs(bytes) } catch { throw damaged(number, "\(error)") }
    var (metadata, notes): ([String], [String]) = ([], [])
    for run in runs {
      switch run.kind {
      case .metadata: metadata += run.rows.map(\.text)
      case .note: notes += run.rows.map(\.text)
      default:
        for name in run.names + run.properties where names.names[name] == nil {
          throw damaged(
            number, "'\(HistoryTables.names.name)' has no number \(name), which it names")
        }
        collected.add(run)
      }
    }
    return (metadata, notes)
  }
}

/// The changes of a part of a save, one for each object.
private struct CollectedChanges {
  private struct Entry {
    let object: Key
    let entity: Int64
    let key: Int64
    var kind = HistoryChange.Kind.update
    var properties: [String] = []
    var before: [String: PropertyValue]?
    var omitted: [String] = []
    var version: Int64 = 0
    var renamed: [String: String?] = [:]
  }

  /// An object, by its root: links may name an end by an entity above its own.
  struct Key: Hashable {
    let root: Int64
    let key: Int64
  }

  private let names: HistoryNames
  private let mapping: StoreMapping
  private let store: UUID
  private var roots: [Int64: Int64] = [:]
  private var entries: [Entry] = []
  private var places: [Key: Int] = [:]
  private(set) var links: [HistoryLink] = []

  /// The objects that an earlier part has as inserted or deleted: what later ones say of their
  /// links is not another change.
  private let settled: Set<Key>

  init(_ names: HistoryNames, _ mapping: StoreMapping, _ store: UUID, _ settled: Set<Key>) {
    (self.names, self.mapping, self.store, self.settled) = (names, mapping, store, settled)
  }

  /// The objects that this part has as inserted or deleted.
  var settledHere: [Key] {
    entries.lazy.filter { $0.kind != .update }.map(\.object)
  }

  private mutating func object(_ entity: Int64, _ key: Int64) -> Key {
    if let root = roots[entity] { return Key(root: root, key: key) }
    let known = names.names[entity]?.nowEntity.flatMap { mapping.model.entity(named: $0) }
    // What the model no longer has is by itself.
    let root = known.map { -1 - Int64($0.root) } ?? entity
    roots[entity] = root
    return Key(root: root, key: key)
  }

  private mutating func place(_ entity: Int64, _ key: Int64) -> Int {
    let object = object(entity, key)
    if let place = places[object] { return place }
    places[object] = entries.count
    entries.append(Entry(object: object, entity: entity, key: key))
    return entries.count - 1
  }

  mutating func add(_ run: HistoryRun) {
    switch run.kind {
    case .insert:
      for row in run.rows { entries[place(run.names[0], row.key)].kind = .insert }
    case .update, .delete: addRows(run)
    case .link, .unlink, .place: addLinks(run)
    case .derived:
      for row in run.rows {
        name(run.names[1], run.names[0], row.key)
      }
    case .metadata, .note: break
    }
  }

  private mutating func name(_ property: Int64, _ entity: Int64, _ key: Int64) {
    guard let name = names.names[property]?.property else { return }
    self.name(name, entity, key)
  }

  private mutating func name(_ property: String, _ entity: Int64, _ key: Int64) {
    guard !settled.contains(object(entity, key)) else { return }
    let place = place(entity, key)
    guard entries[place].kind == .update, !entries[place].properties.contains(property) else {
      return
    }
    entries[place].properties.append(property)
  }

  private mutating func addRows(_ run: HistoryRun) {
    let renamed = run.properties.compactMap { names.names[$0] }.filter { !$0.isCurrent }
    for row in run.rows {
      let place = place(run.names[0], row.key)
      if run.kind == .delete { entries[place].kind = .delete }
      entries[place].version = row.number
      for name in renamed { noteName(name, place) }
      for property in run.properties where run.kind == .update {
        name(property, run.names[0], row.key)
      }
      guard run.flag, run.kind == .update || !run.properties.isEmpty else { continue }
      var before = entries[place].before ?? [:]
      for (property, cell) in zip(run.properties, row.cells) {
        guard let name = names.names[property]?.property else { continue }
        switch cell {
        case .inFile, .large: entries[place].omitted.append(name)
        case .value(let value): before[name] = self.value(value, of: property)
        }
      }
      entries[place].before = before
    }
  }

  /// Notes what a property is called now.
  private mutating func noteName(_ name: HistoryNames.Name, _ place: Int) {
    guard let then = name.property else { return }
    entries[place].renamed.updateValue(
      name.nowEntity == nil ? nil : name.nowProperty, forKey: then)
  }

  private mutating func addLinks(_ run: HistoryRun) {
    let inverse = inverse(of: run.names[0])
    for row in run.rows {
      links.append(link(run, row))
      name(run.names[0], run.names[1], row.key)
      if let inverse { name(inverse, run.names[2], row.member) }
    }
  }

  private func link(_ run: HistoryRun, _ row: HistoryRun.Row) -> HistoryLink {
    let kind: HistoryLink.Kind =
      switch run.kind {
      case .link: .begun
      case .unlink: .ended
      default: .placed
      }
    func reference(_ entity: Int64, _ key: Int64) -> ObjectReference? {
      names.names[entity]?.nowEntity.flatMap { mapping.model.entity(named: $0) }
        .map { ObjectReference(entity: $0.index, key: key) }
    }
    // A place is that of the member in the order of the owner, or the other way round.
    let isTurned = run.kind == .place && !run.flag
    let name = names.names[run.names[0]]?.property ?? ""
    guard let relationship = property(run.names[0])?.relationship,
      let owner = reference(run.names[1], row.key),
      let member = reference(run.names[2], row.member),
      let end = isTurned ? mapping.model.inverse(of: relationship)?.id : relationship.id
    else { return HistoryLink(kind, name, nil) }
    return HistoryLink(
      kind, name,
      ChangeSet.Link(
        relationship: end, owner: isTurned ? member : owner, member: isTurned ? owner : member))
  }

  /// The name of the relationship at the other end, as the model has it.
  private func inverse(of relationship: Int64) -> String? {
    guard let property = property(relationship), let found = property.relationship,
      let inverse = mapping.model.inverse(of: found)
    else { return nil }
    return mapping.model.entities[inverse.entity].properties[inverse.property].name
  }

  private func property(_ number: Int64) -> CompiledProperty? {
    guard let name = names.names[number], let entity = name.nowEntity,
      let property = name.nowProperty
    else { return nil }
    return mapping.model.entity(named: entity)?.property(named: property)
  }

  /// The value of a cell, as the model knows it, or as the cell has it if the model no longer has
  /// the property.
  private func value(_ cell: SQLValue, of number: Int64) -> PropertyValue {
    guard cell != .null else { return .null }
    if let property = property(number), let entity = names.names[number]?.nowEntity,
      let compiled = mapping.model.entity(named: entity)
    {
      let table = mapping.entities[compiled.index]
      if let relationship = property.relationship, case .integer(let key) = cell {
        return .object(id(of: mapping.model.entities[relationship.destination], key))
      }
      if let column = table.column(ofProperty: property.index),
        let value = table.columns[column].codec.decode(cell)
      {
        return .attribute(value)
      }
    }
    switch cell {
    case .null: return .null
    case .integer(let number): return .attribute(.integer(number))
    case .real(let number): return .attribute(.double(number))
    case .text(let text): return .attribute(.string(text))
    case .blob(let bytes): return .attribute(.data(Data(bytes)))
    }
  }

  private func id(of entity: CompiledEntity, _ key: Int64) -> ManagedObjectID {
    ManagedObjectID(
      store: store, rootEntityName: mapping.model.entities[entity.root].name,
      entityName: entity.name, key: key)
  }

  var changes: [HistoryChange] {
    entries.map { entry in
      let name = names.names[entry.entity]
      let entity = name?.nowEntity.flatMap { mapping.model.entity(named: $0) }
      let isDeleted = entry.kind == .delete
      return HistoryChange(
        objectID: entity.map { id(of: $0, entry.key) }, entityName: name?.entity ?? "",
        key: entry.key, kind: entry.kind,
        changedProperties: isDeleted ? [] : entry.properties.sorted(), before: entry.before,
        tombstone: isDeleted ? tombstone(entry, entity) : [:],
        omittedProperties: entry.omitted.sorted(), version: entry.version,
        renamed: entry.renamed)
    }
  }

  /// Of what was kept of a deleted object, the attributes that ask for it.
  private func tombstone(
    _ entry: Entry, _ entity: CompiledEntity?
  ) -> [String: PropertyValue] {
    guard let before = entry.before, let entity else { return entry.before ?? [:] }
    return before.filter { name, _ in
      entity.property(named: name)?.attribute?.preservesValueInHistoryOnDeletion ?? true
    }
  }
}
