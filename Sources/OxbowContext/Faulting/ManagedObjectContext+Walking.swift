internal import OrderedCollections
public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Reads to-many relationships of `objects` ahead.
  ///
  /// - Parameters:
  ///   - relationship: The name of a to-many relationship.
  ///   - objects: Objects of one entity that has it.
  /// - Throws: ``PersistenceError``: `unknownProperty`, or why the store could not be read.
  /// - Complexity: One request to the store.
  public func load(_ relationship: String, of objects: [ManagedObject])
    throws(PersistenceError)
  {
    try begin("load")
    try requireOwn(objects, "load '\(relationship)' of")
    guard let first = objects.first else { return }
    let property = try first.entity.requireProperty(named: relationship)
    guard property.relationship?.isToMany == true else {
      return try load(objects.compactMap { $0.relatedObject(of: property) })
    }
    statistics.fetches += 1
    try readMembers(of: property, objects.filter { $0.collection(property)?.members == nil })
  }

  /// The members of a to-many relationship, read from the store for the whole cohort if they have to
  /// be; `nil` when they could not be read, which was recorded.
  func members(of property: CompiledProperty, _ object: ManagedObject) -> MemberList? {
    if let members = confirmedMembers(of: property, object) { return members }
    guard permit("'\(property.name)' of '\(object)'", "reading '\(property.name)'", object) else {
      return nil
    }
    do throws(PersistenceError) {
      try readMembers(of: property, cohort(of: object, property))
      return confirmedMembers(of: property, object)
    } catch {
      recordStandIn(error, for: object)
      return nil
    }
  }

  /// The objects that came together with `object` and whose members were not read yet.
  private func cohort(of object: ManagedObject, _ property: CompiledProperty) -> [ManagedObject] {
    var cohort = [object]
    let slab = object._slab
    for row in 0..<slab.count where row != Int(object._row) {
      guard let other = maps[roots[slab._entity(row)]][slab._key(row)], other._slab === slab,
        !other.isInserted,
        model.entities[property.declaringEntity].subtree.contains(other.entityIndex),
        other.collection(property)?.members == nil
      else { continue }
      cohort.append(other)
    }
    return cohort
  }

  /// Reads the members of a to-many relationship for several objects in one request.
  func readMembers(of property: CompiledProperty, _ objects: [ManagedObject])
    throws(PersistenceError)
  {
    guard let relationship = property.relationship, !objects.isEmpty else { return }
    let related = try coordinator.store.rows(
      related: relationship.id, to: objects.map(\.key))
    for slab in related.slabs { try register(slab) }
    watchRows(behind: property)
    doubtCollections()
    for object in objects {
      let stored = (related.members[object.key] ?? [])
        .map { related.slabs[$0.slab].reference(at: $0.row) }
        .filter { self.isLinked($0, to: object, through: relationship) }
      object.updateCollection(property) { $0.load(stored) }
    }
  }

  /// Whether a row that the store has as a member is still one.
  ///
  /// An unsaved change may have led its end elsewhere. If it is one, its own end says so from now on.
  private func isLinked(
    _ member: ObjectReference, to owner: ManagedObject,
    through relationship: CompiledRelationship
  ) -> Bool {
    guard let object = registered(member) else { return true }
    if object.isDeleted { return true }
    guard let inverse = relationship.inverse else { return true }
    let property = object.entity.properties[inverse]
    if relationship.storage == .inverseKey, object.isEdited(property) {
      return object.reference(of: property) == owner.reference
    }
    adopt(owner.reference, at: object, property)
    return true
  }

  func objects(at references: some Sequence<ObjectReference>) -> [ManagedObject] {
    let unknown = references.filter { maps[roots[$0.entity]][$0.key] == nil }
    if !unknown.isEmpty { makeFaults(unknown) }
    return references.map { object(at: $0) }
  }

  /// The object that a to-one relationship leads to.
  ///
  /// When the context has not met it, it makes the faults of the whole cohort, so that firing one
  /// reads them all.
  func object(
    at reference: ObjectReference, walking property: CompiledProperty, from object: ManagedObject
  ) -> ManagedObject {
    if let known = maps[roots[reference.entity]][reference.key] { return known }
    let slab = object._slab
    guard !slab.isFault, slab.count > 1 else { return self.object(at: reference) }
    var wanted: OrderedSet = [reference]
    let holders = Set(model.entities[property.declaringEntity].subtree)
    for row in 0..<slab.count where holders.contains(slab._entity(row)) {
      if let other = slab.reference(row, property),
        maps[roots[other.entity]][other.key] == nil
      {
        wanted.append(other)
      }
    }
    return makeFaults(wanted.elements)[0]
  }
}

extension RowSlab {
  func reference(at row: Int) -> ObjectReference {
    ObjectReference(entity: _entity(row), key: _key(row))
  }
}
