internal import OxbowModel
internal import OxbowStore

// The objects of the store that a document refers to, found with few requests.

extension GraphReader {
  /// Finds the existing objects, and the ends of references.
  ///
  /// - Throws: ``PersistenceError`` with code `invalidJSON` and all mistakes of the document; why
  ///   the store could not be read.
  mutating func resolve() throws(PersistenceError) {
    try findByID()
    if matching.contains(.uniqueValues) { try findByUniqueValues() }
    if earlier != nil { for index in items.indices { postpone(index) } }
    for index in items.indices {
      for link in items[index].links.indices { resolve(index, link) }
    }
    top = top.compactMap { resolve($0, to: nil) }
    guard problems.isEmpty else {
      throw .collecting(
        .invalidJSON, "nothing was imported: the document has \(problems.count) problems", problems)
    }
  }

  // MARK: By ID

  /// Looks up the IDs of items, if they are matched, and those of references that no item has.
  private mutating func findByID() throws(PersistenceError) {
    var wanted: Set<String> = []
    wanted.formUnion(ids.keys.filter(isMatched))
    for case .reference(let id, _, _) in items.flatMap(\.links).flatMap(\.ends) + top
    where ids[id] == nil && (earlier == nil || isMatched(id)) {
      wanted.insert(id)
    }
    let found = try objects(withIDs: wanted)
    known = found
    for (id, index) in ids where isMatched(id) {
      guard let object = found[id] else { continue }
      guard object.entityIndex == items[index].entity.index else {
        note(
          "is of '\(items[index].entity.name)', and the object with its ID is one of "
            + "'\(object.entityName)'", items[index].path, at: items[index].location)
        continue
      }
      items[index].object = object
    }
  }

  /// Whether an ID of the document identifies an object.
  private func isMatched(_ id: String) -> Bool {
    matching.contains(.id) || earlier?[id] != nil
  }

  private func objects(
    withIDs texts: Set<String>
  ) throws(PersistenceError) -> [String: ManagedObject] {
    var ids: [String: ManagedObjectID] = [:]
    for text in texts { ids[text] = earlier?[text] ?? ManagedObjectID(text) }
    let found = try context.objects(withIDs: Set(ids.values))
    return ids.compactMapValues { found[$0] }
  }

  /// Postpones links to objects that neither this part of the document, nor an earlier one, nor the
  /// store has.
  private mutating func postpone(_ index: Int) {
    let unknown = items[index].links.filter { link in
      link.ends.contains { end in
        if case .reference(let id, _, _) = end { target(of: id) == nil } else { false }
      }
    }
    guard !unknown.isEmpty else { return }
    postponed += unknown.map { (index, $0.property, $0.ends) }
    items[index].links.removeAll { link in unknown.contains { $0.property === link.property } }
  }

  // MARK: By unique attributes

  /// The unique values of an item, for the constraints of attributes only.
  private func uniqueValues(of item: Item) -> [UniqueValues] {
    let values = Dictionary(
      item.values.map { ($0.property.name, PropertyValue($0.value)) },
      uniquingKeysWith: { _, last in last })
    return item.entity.uniqueValues(in: context.model) { values[$0] }
  }

  private mutating func findByUniqueValues() throws(PersistenceError) {
    let keys = items.map { $0.object == nil ? uniqueValues(of: $0) : [] }
    let found = try objects(with: Set(keys.joined()))
    var seen: [UniqueValues: Int] = [:]
    for index in items.indices where items[index].object == nil {
      for key in keys[index] {
        if let object = found[key] {
          take(object, for: index)
        } else if let twin = seen[key], twin != index, items[twin].entity === items[index].entity {
          items[index].twin = items[index].twin ?? twin
        } else {
          seen[key] = index
        }
      }
    }
  }

  private mutating func take(_ object: ManagedObject, for index: Int) {
    let item = items[index]
    if object.entityIndex == item.entity.index, item.object == nil || item.object === object {
      items[index].object = object
    } else {
      let other = item.object.map { " and of '\($0)'" } ?? ""
      note(
        "is of '\(item.entity.name)' and has the unique values of '\(object)'\(other)", item.path,
        at: item.location)
    }
  }

  private func objects(
    with keys: Set<UniqueValues>
  ) throws(PersistenceError) -> [UniqueValues: ManagedObject] {
    var found: [UniqueValues: ManagedObject] = [:]
    let groups = Dictionary(grouping: keys) { "\($0.entity) \($0.names)" }
    for (_, group) in groups.sorted(by: { $0.key < $1.key }) {
      guard let first = group.first else { continue }
      for part in group.parts(of: 100) {
        let request = FetchRequest<ManagedObject>(
          entityNamed: context.model.entities[first.entity].name,
          where: .or(part.map(\.predicate)))
        for object in try context.fetch(request) {
          guard let key = try key(like: first, of: object) else { continue }
          found[key] = object
        }
      }
    }
    return found
  }

  private func key(
    like key: UniqueValues, of object: ManagedObject
  ) throws(PersistenceError) -> UniqueValues? {
    var values: [PropertyValue] = []
    for name in key.names {
      guard let property = object.entity.property(named: name),
        let value = try context.throwing({ object.attributeValue(of: property) })
      else { return nil }
      values.append(.attribute(value))
    }
    return UniqueValues(entity: key.entity, names: key.names, values: values)
  }

  // MARK: References

  private mutating func resolve(_ index: Int, _ link: Int) {
    let destination = items[index].links[link].property.relationship.map {
      context.model.entities[$0.destination]
    }
    items[index].links[link].ends = items[index].links[link].ends.compactMap {
      resolve($0, to: destination)
    }
  }

  private mutating func resolve(_ end: End, to destination: CompiledEntity?) -> End? {
    guard case .reference(let id, let path, let location) = end else { return end }
    guard let (entity, found) = target(of: id) else {
      problems.append(
        .unknownReference(id, path, at: location, among: Array(ids.keys) + named.keys))
      return nil
    }
    if let destination, !entity.isKind(of: destination) {
      note(
        "refers to an object of '\(entity.name)', and '\(destination.name)' or an entity below is "
          + "needed", path, at: location)
      return nil
    }
    return found
  }

  private func target(of id: String) -> (CompiledEntity, End)? {
    if let item = ids[id] { return (items[item].entity, .item(item)) }
    return (known[id] ?? named[id]).map { ($0.entity, .object($0)) }
  }
}

extension Array {
  /// The elements in arrays of at most `count`.
  func parts(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map {
      Array(self[$0..<Swift.min($0 + count, self.count)])
    }
  }
}

extension ManagedObjectContext {
  /// The objects of IDs of this store, unsaved ones included, without those that are gone.
  func objects(
    withIDs ids: Set<ManagedObjectID>
  ) throws(PersistenceError) -> [ManagedObjectID: ManagedObject] {
    var references: [Int: [ManagedObjectID]] = [:]
    for id in ids {
      guard let reference = try? coordinator.reference(for: id) else { continue }
      references[identity.roots[reference.entity], default: []].append(id)
    }
    var found: [ManagedObjectID: ManagedObject] = [:]
    for (root, group) in references.sorted(by: { $0.key < $1.key }) {
      for part in group.sorted(by: { $0.key < $1.key }).parts(of: 500) {
        let request = FetchRequest<ManagedObject>(
          entityNamed: model.entities[root].name, where: .oneOf("", part))
        for object in try fetch(request) { found[object.objectID] = object }
      }
    }
    return found
  }
}
