public import OxbowModel
internal import OxbowStore

extension ManagedObjectContext {
  /// Reads a relationship of `objects` ahead.
  ///
  /// Names that are joined by dots are a path, which is read as by ``prefetch(_:_:)``.
  ///
  /// - Throws: ``PersistenceError``: `unknownProperty`, or why the store could not be read.
  /// - Complexity: One request to the store for each step.
  public func load(_ relationship: String, of objects: [ManagedObject])
    throws(PersistenceError)
  {
    try begin("load")
    try requireOwn(objects, "load '\(relationship)' of")
    if relationship.contains(".") { return try prefetch(objects, .named(relationship)) }
    for entity in Set(objects.lazy.map(\.entityIndex)).sorted() {
      _ = try model.entities[entity].requireProperty(named: relationship)
    }
    for (property, holders) in holders(of: relationship, among: objects) {
      if property.relationship?.isToMany == true {
        statistics.fetches += 1
        try readMembers(of: property, holders.filter { $0.loadedMembers(of: property) == nil })
      } else {
        try load(holders.compactMap { $0.relatedObject(of: property) })
      }
    }
  }

  /// The members of a to-many relationship, read for the whole cohort if necessary; `nil` if they
  /// could not be read, which was recorded.
  func members(of property: CompiledProperty, _ object: ManagedObject) -> MemberList? {
    if let members = confirmedMembers(of: property, object) { return members }
    guard permit("'\(property.name)' of '\(object)'", "reading '\(property.name)'", object) else {
      return nil
    }
    do throws(PersistenceError) {
      try readMembers(of: property, cohort(of: object, property))
      return confirmedMembers(of: property, object)
    } catch {
      faults.recordStandIn(error, for: object)
      return nil
    }
  }

  /// The objects that came together with `object` and whose members were not read yet.
  private func cohort(of object: ManagedObject, _ property: CompiledProperty) -> [ManagedObject] {
    var cohort = [object]
    let slab = object._slab
    guard slab.isCohort else { return cohort }
    let holders = model.entities[property.declaringEntity].subtree
    for row in 0..<slab.count where row != Int(object._row) {
      guard let other = identity.object(slab, row), !other._state.contains(.inserted),
        holders.contains(other.entityIndex), other.loadedMembers(of: property) == nil
      else { continue }
      cohort.append(other)
    }
    return cohort
  }

  func readMembers(of property: CompiledProperty, _ objects: [ManagedObject])
    throws(PersistenceError)
  {
    guard let relationship = property.relationship, !objects.isEmpty else { return }
    let related = try store.rows(
      related: relationship.id, to: objects.map(\.key))
    let arrivals = try registerMembers(in: related.slabs, of: property)
    watchRows(behind: property)
    inverses.doubt()
    for object in objects {
      take(related.members[object.key] ?? [], of: arrivals, as: property, of: object)
    }
  }

  /// Rows that came as the members of a relationship.
  private struct Arrival {
    let slab: RowSlab
    /// The objects of the rows; `nil` if all were made of these very rows, and each row has the key
    /// of its owner, so that no object need be asked.
    let objects: [ManagedObject]?
  }

  private func registerMembers(
    in slabs: [RowSlab], of property: CompiledProperty
  ) throws(PersistenceError) -> [Arrival] {
    guard let relationship = property.relationship else { return [] }
    let map = identity.maps[identity.roots[relationship.destination]]
    let haveKeys = model.inverse(of: property).map { $0.slot >= 0 } ?? false
    var arrivals: [Arrival] = []
    var count = 0
    for slab in slabs {
      // As in `fetchFromStore`: while the context has only this request's objects, whose rows are
      // all different, it has met none of the slab's.
      let isNew = map.count == count
      if isNew && haveKeys { makeObjects(of: slab) }
      let objects = isNew && haveKeys ? nil : try register(slab, isNew: isNew)
      arrivals.append(Arrival(slab: slab, objects: objects))
      count += slab.count
    }
    return arrivals
  }

  /// Takes over the stored members of an object.
  private func take(
    _ rows: [RelatedRows.Position], of arrivals: [Arrival], as property: CompiledProperty,
    of object: ManagedObject
  ) {
    let before = inverses.confirmation
    let owner = object.reference
    let back = model.inverse(of: property)
    var hasDeleted = !inverses.deletedTargets.isEmpty
    var members: ContiguousArray<ObjectReference> = []
    members.reserveCapacity(rows.count)
    for row in rows {
      // Objects that were just made are not looked at (docs/performance.md, T).
      if let other = arrivals[row.slab].objects?[row.row] {
        if back != nil, other._state.contains(.deleted) {
          hasDeleted = true
        } else if let back, !isLinked(other, back, to: owner) {
          continue
        }
      }
      members.append(arrivals[row.slab].slab.reference(at: row.row))
    }
    object.updateCollection(property) { state in
      let isUnchanged = !state.hasChanges
      state.load(members)
      if isUnchanged, !hasDeleted, before == inverses.confirmation { state.confirmation = before }
    }
  }

  /// Whether a stored member is still one.
  ///
  /// An unsaved change may have led its end elsewhere. If it is a member, its own end leads back
  /// from now on.
  private func isLinked(
    _ object: ManagedObject, _ property: CompiledProperty, to owner: ObjectReference
  ) -> Bool {
    if property.slot >= 0 {
      if object._state.rawValue == 0, object.storedReference(property) == owner { return true }
      if object.isEdited(property) { return object.destination(of: property) == owner }
    }
    adopt(owner, at: object, property)
    return true
  }

  /// The objects of references; those that the context has not met become faults of one cohort.
  func objects(at references: some Sequence<ObjectReference>) -> [ManagedObject] {
    heldObjects(at: references).map { $0.takeUnretainedValue() }
  }

  /// The same objects, which the identity map holds until something is swept or forgotten.
  func heldObjects(
    at references: some Sequence<ObjectReference>
  ) -> ContiguousArray<Unmanaged<ManagedObject>> {
    var objects: ContiguousArray<Unmanaged<ManagedObject>> = []
    objects.reserveCapacity(references.underestimatedCount)
    for reference in references {
      guard let object = registered(reference) else { return heldWithFaults(at: references) }
      objects.append(.passUnretained(object))
    }
    return objects
  }

  private func heldWithFaults(
    at references: some Sequence<ObjectReference>
  ) -> ContiguousArray<Unmanaged<ManagedObject>> {
    makeFaults(references.filter { registered($0) == nil })
    return ContiguousArray(references.map { .passUnretained(object(at: $0)) })
  }

  /// The object of a to-one relationship.
  ///
  /// If the context has not met it, the faults of the whole cohort are made, so that firing one
  /// reads them all.
  func object(
    at reference: ObjectReference, of property: CompiledProperty, from object: ManagedObject
  ) -> ManagedObject {
    if let known = registered(reference) { return known }
    let slab = object._slab
    guard !slab.isFault, slab.count > 1 else { return self.object(at: reference) }
    var wanted = [reference]
    let holders = Set(model.entities[property.declaringEntity].subtree)
    // Of a row that the context had, the slab may have the header alone.
    for row in 0..<slab.count where slab.hasValues(row) && holders.contains(slab._entity(row)) {
      if let other = slab.reference(row, property), registered(other) == nil {
        wanted.append(other)
      }
    }
    return makeFaults(wanted.uniqued())[0]
  }
}

// MARK: - Comparing both ends

// Reading one end of a relationship, compared with the other; see
// `ManagedObjectContext+Ends.swift`.

extension ManagedObjectContext {
  /// The object of a to-one end, if the other end agrees.
  func toOne(_ object: ManagedObject, _ property: CompiledProperty) -> ManagedObject? {
    // The edit that hid an arrived row may have been taken back since.
    if !inverses.overtaken.isEmpty { adoptOvertaking(at: object) }
    guard let reference = object.destination(of: property) else { return nil }
    guard let relationship = property.relationship, relationship.inverse != nil else {
      if !inverses.deletedTargets.isEmpty && inverses.deletedTargets.contains(reference) {
        return nil
      }
      return self.object(at: reference, of: property, from: object)
    }
    let other = self.object(at: reference, of: property, from: object)
    // A to-many end without an overlay was not read.
    if other.links == nil && !relationship.isOneToOne { return other }
    guard let back = model.inverse(of: property) else { return other }
    if other.mayLead(back, to: object.reference) || object.isEdited(property) { return other }
    // An unsaved change hides the link: once taken back, it shows it again.
    if other.isEdited(back) { return nil }
    if inverses.overtaken[other.reference] != nil {
      adopt(object.reference, at: other, back)
      return other
    }
    amend(object, property, to: nil)
    return nil
  }

  /// The objects of a relationship that was read, to-one or to-many.
  func readObjects(of property: CompiledProperty, _ object: ManagedObject) -> [ManagedObject] {
    guard property.relationship?.isToMany == true else {
      return toOne(object, property).map { [$0] } ?? []
    }
    return objects(at: confirmedMembers(of: property, object) ?? MemberList())
  }

  /// The members of a loaded collection, without deleted ones and those whose other end leads
  /// elsewhere.
  func confirmedMembers(of property: CompiledProperty, _ object: ManagedObject) -> MemberList? {
    guard let state = object.collection(property), let members = state.members else { return nil }
    if state.confirmation == inverses.confirmation { return members }
    let back = model.inverse(of: property)
    let owner = object.reference
    var stale: [ObjectReference] = []
    var hidesDeleted = false
    for member in members {
      switch membership(of: member, in: owner, back) {
      case .member: break
      case .stale: stale.append(member)
      case .deleted: hidesDeleted = true
      }
    }
    object.updateCollection(property) { state in
      for member in stale { state.drop(member) }
      if !hidesDeleted { state.confirmation = inverses.confirmation }
    }
    guard !stale.isEmpty || hidesDeleted else { return members }
    let confirmed = object.loadedMembers(of: property)
    guard hidesDeleted, let confirmed else { return confirmed }
    // A rollback brings them back, so they stay in the collection until the save.
    return MemberList(confirmed.filter { membership(of: $0, in: owner, back) == .member })
  }

  /// Whether a to-many relationship leads to an object, by its key or by the members, which are
  /// read if necessary.
  func isMember(
    _ object: ManagedObject, of property: CompiledProperty, _ owner: ManagedObject
  ) -> Bool {
    if let back = model.inverse(of: property), back.slot >= 0 {
      return toOne(object, back) === owner
    }
    return members(of: property, owner)?.contains(object.reference) == true
  }

  private enum Membership { case member, stale, deleted }

  /// Whether the other end of a member, if known, leads to `owner`.
  private func membership(
    of member: ObjectReference, in owner: ObjectReference, _ back: CompiledProperty?
  ) -> Membership {
    if !inverses.deletedTargets.isEmpty && inverses.deletedTargets.contains(member) {
      return .deleted
    }
    guard let other = registered(member) else { return .member }
    if other._state.contains(.deleted) { return .deleted }
    guard let back else { return .member }
    return other.mayLead(back, to: owner) ? .member : .stale
  }

  /// Looks at the loaded collections that may have lost members to arrived rows, so that their
  /// observers are notified.
  func confirmObserved() {
    guard let observers = audience.observers, observers.confirmation != inverses.confirmation else {
      return
    }
    observers.confirmation = inverses.confirmation
    for reference in observers.references {
      guard let object = registered(reference), object.links != nil else { continue }
      for property in object.entity.relationships where property.slot < 0 {
        _ = confirmedMembers(of: property, object)
      }
    }
  }
}
