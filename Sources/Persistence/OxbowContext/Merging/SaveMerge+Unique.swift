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
    var referrers = Referrers()
    for object in Array(context.unsaved.inserted) {
      let values = uniqueValues(of: object)
      guard let holder = try holder(of: values, besides: object, among: seen) else {
        for value in values { seen[value] = object }
        continue
      }
      if !isMerged { referrers = Referrers(in: context) }
      try merge(object, into: holder, error, &referrers)
      isMerged = true
    }
    if !isMerged { try giveUpValues(after: error, &seen) }
  }

  /// The ends without an inverse that lead to new objects: only their owners know of the links.
  private struct Referrers {
    typealias End = (owner: ManagedObject, property: CompiledProperty)

    private var ends: [ObjectReference: [End]] = [:]

    init() {}

    init(in context: ManagedObjectContext) {
      for owner in Array(context.unsaved.inserted) + Array(context.unsaved.updated) {
        for property in owner.entity.relationships
        where property.relationship?.inverse == nil && owner.isEdited(property) {
          let members =
            owner.collection(property).map { Array($0.added) }
            ?? owner.destination(of: property).map { [$0] } ?? []
          for member in members where context.registered(member)?.isInserted == true {
            note(owner, property, member)
          }
        }
      }
    }

    mutating func note(
      _ owner: ManagedObject, _ property: CompiledProperty, _ member: ObjectReference
    ) {
      ends[member, default: []].append((owner, property))
    }

    mutating func take(_ member: ObjectReference) -> [End] {
      ends.removeValue(forKey: member) ?? []
    }
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
      if let other = seen[value], uniqueValues(of: other).contains(value) { return other }
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
    _ object: ManagedObject, into holder: ManagedObject, _ error: PersistenceError,
    _ referrers: inout Referrers
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
    for (owner, property) in referrers.take(object.reference) where policy != .rollback {
      lead(owner, property, from: object, to: holder)
    }
    try context.withdraw(object)
    object.lead(to: holder.objectID)
    for (property, value) in values where property.relationship == nil {
      try context.throwing { holder.setAttribute(property.index, to: value) }
    }
    for (property, member) in links {
      guard let relationship = property.relationship else { continue }
      // The object that the holder loses has a key too, which changes with its row.
      if relationship.isOneToOne, let former = context.toOne(holder, property), former.isFault {
        _ = try context.read([former])
      }
      context.link(holder, relationship, member)
      if relationship.inverse == nil { referrers.note(holder, property, member.reference) }
    }
  }

  /// Leads an end without an inverse from a new object to its holder, which takes its place.
  private func lead(
    _ owner: ManagedObject, _ property: CompiledProperty, from object: ManagedObject,
    to holder: ManagedObject
  ) {
    guard let relationship = property.relationship, owner !== object, owner !== holder,
      !owner.isOrphan, context.isKnownAsLinked(owner, relationship, object)
    else { return }
    let members = owner.loadedMembers(of: property)
    context.unlink(owner, relationship, object)
    if !context.isKnownAsLinked(owner, relationship, holder) {
      context.link(owner, relationship, holder)
    }
    guard relationship.isOrdered, let members, !members.contains(holder.reference) else { return }
    let order = members.map { $0 == object.reference ? holder.reference : $0 }
    context.reorder(owner, property, MemberList(order))
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
  ) -> [(CompiledProperty, ManagedObject)] {
    guard policy != .rollback else { return [] }
    return object.entity.relationships.filter { hasSame($0, holder.entity) }.flatMap { property in
      guard let relationship = property.relationship,
        relationship.isToMany || policy.prevails || context.toOne(holder, property) == nil
      else { return [(CompiledProperty, ManagedObject)]() }
      return context.readObjects(of: property, object).filter { $0 !== holder }.map {
        (property, $0 === object ? holder : $0)
      }
    }
  }
}

// MARK: - Changed objects

extension SaveMerge {
  /// Takes back the edits of unique values that others have, if the policy gives them up, of all
  /// objects; `seen` are the objects with the values that were looked at.
  private mutating func giveUpValues(
    after error: PersistenceError, _ seen: inout [UniqueValues: ManagedObject]
  ) throws(PersistenceError) {
    guard policy.takesDeletionsBack else { throw error }
    let known = conflicts.count
    for object in Array(context.unsaved.updated) where object._state.isUpdated {
      let values = uniqueValues(of: object)
      let names = Set(values.flatMap(\.names))
      let unique = object.entity.properties.filter { names.contains($0.name) }
      guard unique.contains(where: { object.isEdited($0) }) else { continue }
      if let holder = try holder(of: values, besides: object, among: seen) {
        giveUpValues(of: object, to: holder.objectID, &seen)
      } else {
        for value in values { seen[value] = object }
      }
    }
    guard conflicts.count == known else { return }
    // The store alone knows why.
    let object = conflictingObjects(error).first { $0._state.isUpdated }
    let holder = error.objectIDs.first { $0 != object?.objectID }
    if let object { giveUpValues(of: object, to: holder, &seen) }
    if conflicts.count == known { throw error }
  }

  /// Takes back the edits of an object, and of those that have taken the values that it then has
  /// again.
  private mutating func giveUpValues(
    of object: ManagedObject, to holder: ManagedObjectID?,
    _ seen: inout [UniqueValues: ManagedObject]
  ) {
    var pending = [(object: object, holder: holder)]
    while let (object, holder) = pending.popLast() {
      let names = Set(uniqueValues(of: object).flatMap(\.names))
      let properties = object.entity.properties.filter {
        object.isEdited($0) && $0.slot >= 0 && (policy == .rollback || names.contains($0.name))
      }
      if properties.isEmpty { continue }
      conflicts.append(
        MergeConflict(
          objectID: object.objectID, kind: .uniqueness,
          base: snapshot(of: object.entity, (object._slab, Int(object._row))),
          mine: currentSnapshot(of: object), theirs: nil, holderID: holder))
      for property in properties { takeBackEdit(of: object, property) }
      for value in uniqueValues(of: object) {
        guard let other = seen.updateValue(object, forKey: value), other !== object,
          other._state.isUpdated, uniqueValues(of: other).contains(value)
        else { continue }
        pending.append((other, object.objectID))
      }
    }
  }
}

extension ManagedObject {
  fileprivate final func isNull(_ property: CompiledProperty) -> Bool {
    links?[property.index].isNull ?? true
  }
}
