internal import OxbowModel
internal import OxbowStore

// New objects with unique values of other objects: the policy decides what the object with the
// values takes over (upsert).

extension SaveMerge {
  /// Merges all new objects whose unique values others have.
  ///
  /// - Throws: ``PersistenceError``: the error itself, if no new object is the cause or the policy
  ///   does not resolve it; why the others could not be read.
  mutating func mergeUnique(
    after error: PersistenceError
  ) throws(PersistenceError) {
    var isMerged = false
    var seen: [UniqueValues: ManagedObject] = [:]
    for object in Array(context.unsaved.inserted) {
      let values = uniqueValues(of: object)
      guard let holder = try holder(of: values, besides: object, among: seen) else {
        for value in values { seen[value] = object }
        continue
      }
      try merge(object, into: holder, error)
      isMerged = true
    }
    if !isMerged { try giveUpValues(after: error) }
  }

  private func uniqueValues(of object: ManagedObject) -> [UniqueValues] {
    let snapshot = currentSnapshot(of: object)
    return object.entity.uniqueValues(in: context.model) { snapshot[$0] }
  }

  /// The object with some of the values: another new one, or one in the store that keeps them.
  private func holder(
    of values: [UniqueValues], besides object: ManagedObject,
    among seen: [UniqueValues: ManagedObject]
  ) throws(PersistenceError) -> ManagedObject? {
    for value in values {
      if let other = seen[value] { return other }
      var fetch = StoreFetch(entity: value.entity)
      fetch.predicate = value.predicate
      for slab in try context.store.rows(of: fetch) {
        for holder in try context.register(slab) where holder !== object {
          if !holder._state.contains(.deleted), uniqueValues(of: holder).contains(value) {
            return holder
          }
        }
      }
    }
    return nil
  }

  /// Gives a holder of unique values what the policy keeps of a new object, which is gone then.
  private mutating func merge(
    _ object: ManagedObject, into holder: ManagedObject, _ error: PersistenceError
  ) throws(PersistenceError) {
    let mine = currentSnapshot(of: object)
    let theirs = currentSnapshot(of: holder)
    let conflict = MergeConflict(
      objectID: object.objectID, kind: .uniqueness, base: nil, mine: mine, theirs: theirs,
      holderID: holder.objectID)
    let set = object.entity.properties.filter { isSet($0, object) && hasSame($0, holder.entity) }
    if policy == .mergeByProperty,
      set.contains(where: { theirs[$0.name] != .null && theirs[$0.name] != mine[$0.name] })
    {
      throw error.adding([conflict])
    }
    conflicts.append(conflict)
    let values = set.filter { keepsMine($0, theirs) }.map { ($0, object.attributeValue(of: $0)) }
    let links = links(of: object, keptAt: holder)
    context.withdraw(object)
    object.lead(to: holder.objectID)
    for (property, value) in values where property.relationship == nil {
      try context.throwing { holder.setAttribute(property.index, to: value) }
    }
    for (relationship, member) in links { context.link(holder, relationship, member) }
  }

  /// Whether a stored property of a new object differs from the model's default; for a policy that
  /// writes whole objects, whatever its value.
  private func isSet(_ property: CompiledProperty, _ object: ManagedObject) -> Bool {
    guard property.slot >= 0, property.attribute?.derivation == nil else { return false }
    guard let attribute = property.attribute else { return !object.isNull(property) }
    return policy == .overwrite
      || !AttributeValue.areIdentical(
        object.attributeValue(of: property), attribute.defaultValue)
  }

  private func hasSame(_ property: CompiledProperty, _ entity: CompiledEntity) -> Bool {
    property.index < entity.properties.count && entity.properties[property.index] === property
  }

  private func keepsMine(_ property: CompiledProperty, _ theirs: [String: PropertyValue]) -> Bool {
    policy.prevails || policy == .mergeByProperty && theirs[property.name] == .null
  }

  /// The links of a new object that its holder takes over, including those by which others lead to
  /// it.
  private func links(
    of object: ManagedObject, keptAt holder: ManagedObject
  ) -> [(CompiledRelationship, ManagedObject)] {
    guard policy != .rollback else { return [] }
    return object.entity.relationships.filter { hasSame($0, holder.entity) }.flatMap { property in
      guard let relationship = property.relationship,
        relationship.isToMany || policy.prevails || context.toOne(holder, property) == nil
      else { return [(CompiledRelationship, ManagedObject)]() }
      return context.readObjects(of: property, object).filter { $0 !== holder }.map {
        (relationship, $0)
      }
    }
  }

  /// Takes back the edits of unique values that others have, if the policy gives them up.
  private mutating func giveUpValues(
    after error: PersistenceError
  ) throws(PersistenceError) {
    guard policy.takesDeletionsBack,
      let object = conflictingObjects(error).first(where: { $0._state.isUpdated })
    else { throw error }
    let names = Set(uniqueValues(of: object).flatMap(\.names))
    let properties = object.entity.properties.filter {
      object.isEdited($0) && $0.slot >= 0 && (policy == .rollback || names.contains($0.name))
    }
    guard !properties.isEmpty else { throw error }
    let holder = error.objectIDs.first { $0 != object.objectID }
    conflicts.append(
      MergeConflict(
        objectID: object.objectID, kind: .uniqueness,
        base: snapshot(of: object.entity, (object._slab, Int(object._row))),
        mine: currentSnapshot(of: object), theirs: nil, holderID: holder))
    for property in properties { takeBackEdit(of: object, property) }
  }
}

extension ManagedObject {
  fileprivate final func isNull(_ property: CompiledProperty) -> Bool {
    links?[property.index].isNull ?? true
  }
}
