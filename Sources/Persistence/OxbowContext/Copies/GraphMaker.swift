internal import OxbowModel
internal import OxbowStore

/// Makes the objects of a document that was read: first all objects, then values, then links.
struct GraphMaker {
  private let items: [GraphReader.Item]
  private let context: ManagedObjectContext

  init(_ items: [GraphReader.Item], in context: ManagedObjectContext) {
    self.items = items
    self.context = context
  }

  /// Makes the objects.
  ///
  /// - Returns: The object of each item.
  /// - Throws: ``PersistenceError``: why a key could not be reserved or a row not be read. Nothing
  ///   has changed then.
  func make() throws(PersistenceError) -> [ManagedObject] {
    var made: [ManagedObject] = []
    var memento: GraphMemento?
    let recorded = context.undoLog?.mark()
    do throws(PersistenceError) {
      let objects = try self.objects(&made)
      try readAhead(objects)
      // The rest reads the store only if a fault policy refuses even that.
      if hasExistingObjects { memento = GraphMemento(of: context) }
      try fill(objects)
      return objects
    } catch {
      memento?.restore(context)
      for object in made { try? context.withdraw(object) }
      if let recorded { context.undoLog?.restore(recorded) }
      throw error
    }
  }

  /// Whether items are existing objects, or lead to some, which others may lead to now.
  private var hasExistingObjects: Bool {
    items.contains { item in
      item.object != nil
        || item.links.contains { $0.ends.contains { if case .object = $0 { true } else { false } } }
    }
  }

  private func fill(_ objects: [ManagedObject]) throws(PersistenceError) {
    for (item, object) in zip(items, objects) {
      for (property, value) in item.values {
        try context.throwing { object.setAttribute(property.index, to: value) }
      }
    }
    for (item, object) in zip(items, objects) {
      for (property, ends) in item.links { try set(property, of: object, ends, objects) }
    }
  }

  /// Reads the existing objects, the objects that they lead to now, and those that they will lead
  /// to.
  private func readAhead(_ objects: [ManagedObject]) throws(PersistenceError) {
    var needed = objects
    for item in items { needed += item.links.flatMap(\.ends).compactMap { target($0, objects) } }
    try context.load(Array(Set(needed.filter(\.isFault))))
    var owners: [ObjectIdentifier: (property: CompiledProperty, objects: [ManagedObject])] = [:]
    for (item, object) in zip(items, objects) where item.object != nil {
      for (property, _) in item.links {
        owners[ObjectIdentifier(property), default: (property, [])].objects.append(object)
      }
    }
    for (property, owners) in owners.values {
      if property.relationship?.isToMany == true {
        try context.load(property.name, of: owners)
      }
      let members = try context.throwing { owners.flatMap { $0.objects(of: property) } }
      _ = try context.read(members.filter { $0._state.contains(.fault) })
    }
  }

  private func objects(_ made: inout [ManagedObject]) throws(PersistenceError) -> [ManagedObject] {
    var objects: [ManagedObject] = []
    for item in items {
      if let object = item.object ?? item.twin.map({ objects[$0] }) {
        objects.append(object)
      } else {
        let object = try context.insert(entityNamed: item.entity.name)
        made.append(object)
        objects.append(object)
      }
    }
    return objects
  }

  private func set(
    _ property: CompiledProperty, of object: ManagedObject, _ ends: [GraphReader.End],
    _ objects: [ManagedObject]
  ) throws(PersistenceError) {
    let targets = ends.compactMap { target($0, objects) }.uniqued()
    try context.throwing { object.setObjects(of: property, to: targets) }
  }

  func target(_ end: GraphReader.End, _ objects: [ManagedObject]) -> ManagedObject? {
    switch end {
    case .item(let index): objects[index]
    case .object(let object): object
    case .reference: nil
    }
  }
}
