internal import OxbowModel
internal import OxbowStore

// The two ends of a relationship are read at different times, so one of them can be out of date. What
// was read last says what a link is:
//
// - A row or a collection that arrives adds itself at the other end at once (`align`, `adopt`).
// - What the other end no longer says is dropped when an end is read (`toOne`, `members`): where it was
//   is not known when it arrives, because objects that nobody holds were swept meanwhile.
//
// An unsaved change is never touched by this: the save finds the conflict by the version.

extension ManagedObjectContext {
  /// The object that a to-one end leads to, if the other end says so too.
  func toOne(_ object: ManagedObject, _ property: CompiledProperty) -> ManagedObject? {
    guard let reference = object.reference(of: property) else { return nil }
    guard let relationship = property.relationship, let inverse = relationship.inverse else {
      if !departed.isEmpty && departed.contains(reference) { return nil }
      return self.object(at: reference, walking: property, from: object)
    }
    let other = self.object(at: reference, walking: property, from: object)
    // A to-many end without an overlay was not read.
    if other.overlay == nil && !relationship.isOneToOne { return other }
    let back = other.entity.properties[inverse]
    if other.mayLead(back, to: object.reference) || object.isEdited(property) { return other }
    // An unsaved change hides the link: taken back, it shows it again.
    if other.isEdited(back) { return nil }
    if overtaken[other.reference] != nil {
      adopt(object.reference, at: other, back)
      return other
    }
    amend(object, property, to: nil)
    return nil
  }

  /// The members of a collection that was loaded, without those whose other end leads elsewhere and
  /// those that are to be deleted.
  func confirmedMembers(of property: CompiledProperty, _ object: ManagedObject) -> MemberList? {
    guard let state = object.collection(property), let members = state.members else { return nil }
    if state.confirmation == confirmation { return members }
    var stale: [ObjectReference] = []
    var hidesDeleted = false
    for member in members {
      switch standing(of: member, in: property, object) {
      case .member: break
      case .stale: stale.append(member)
      case .deleted: hidesDeleted = true
      }
    }
    object.updateCollection(property) { state in
      for member in stale { state.drop(member) }
      if !hidesDeleted { state.confirmation = confirmation }
    }
    let confirmed = object.collection(property)?.members
    guard hidesDeleted, let confirmed else { return confirmed }
    // A rollback brings them back, so they stay in the collection until the save.
    return MemberList(confirmed.filter { standing(of: $0, in: property, object) == .member })
  }

  private enum Standing { case member, stale, deleted }

  /// Whether the other end of a member, if it is known, leads to `object`.
  private func standing(
    of member: ObjectReference, in property: CompiledProperty, _ object: ManagedObject
  ) -> Standing {
    if !departed.isEmpty && departed.contains(member) { return .deleted }
    guard let other = registered(member) else { return .member }
    if other.isDeleted { return .deleted }
    guard let inverse = property.relationship?.inverse else { return .member }
    let leadsBack = other.mayLead(other.entity.properties[inverse], to: object.reference)
    return leadsBack ? .member : .stale
  }

  /// Brings the other ends in line with a row that has just arrived.
  ///
  /// `old` is the row that the object had before, if any.
  func align(_ object: ManagedObject, replacing old: (slab: RowSlab, row: Int)?) {
    for property in watched[object.entityIndex] where !object.isEdited(property) {
      guard let relationship = property.relationship, let inverse = relationship.inverse else {
        continue
      }
      let new = object._slab.reference(Int(object._row), property)
      let before = old.flatMap { $0.slab.reference($0.row, property) }
      // Where a fault led before is not known.
      if before == new, old?.slab.isFault == false { continue }
      doubtCollections()
      if let before, let other = registered(before) {
        drop(object.reference, from: other, other.entity.properties[inverse])
      }
      if let new, let other = registered(new) {
        adopt(object.reference, at: other, other.entity.properties[inverse])
      }
    }
  }

  /// Makes an end lead to an object whose own end says so.
  func adopt(_ reference: ObjectReference, at object: ManagedObject, _ property: CompiledProperty) {
    if let state = object.collection(property) {
      guard let members = state.members, !members.contains(reference),
        !state.removed.contains(reference)
      else { return }
      // Its place in an order is known to the store alone.
      let isReadAgain = property.relationship?.isOrdered == true && !state.hasChanges
      object.updateCollection(property) { state in
        if isReadAgain { state.members = nil } else { state.members?.append(reference) }
      }
    } else if property.slot >= 0, object.isEdited(property) {
      overtaken[object.reference, default: []].append((property, reference))
    } else if property.slot >= 0, !object.isFault {
      let old = object._slab.reference(Int(object._row), property)
      if old == reference { return }
      amend(object, property, to: reference)
      guard let old, let former = registered(old), let inverse = property.relationship?.inverse
      else { return }
      drop(object.reference, from: former, former.entity.properties[inverse])
    }
  }

  /// Brings the ends of an object in line with rows that arrived at the other ends while these were
  /// edited, after a rollback.
  func adoptOvertaking(at object: ManagedObject) {
    guard !object.isFault, let arrivals = overtaken[object.reference] else { return }
    let remaining = arrivals.filter { object.isEdited($0.property) }
    overtaken[object.reference] = remaining.isEmpty ? nil : remaining
    for (property, reference) in arrivals where !object.isEdited(property) {
      guard let other = registered(reference), let inverse = property.relationship?.inverse,
        !other.isFault
      else { continue }
      let back = other.entity.properties[inverse]
      guard !other.isEdited(back), other.mayLead(back, to: object.reference) else { continue }
      adopt(reference, at: object, property)
    }
  }

  /// Makes an end no longer lead to an object whose own end leads elsewhere.
  func drop(
    _ reference: ObjectReference, from object: ManagedObject, _ property: CompiledProperty
  ) {
    if object.collection(property) != nil {
      object.updateCollection(property) { $0.drop(reference) }
      object.forgetUpdateWithoutEdits()
    } else if property.slot >= 0, !object.isFault, !object.isEdited(property),
      object._slab.reference(Int(object._row), property) == reference
    {
      amend(object, property, to: nil)
    }
  }

  /// Corrects a key of an object in memory.
  ///
  /// The row keeps its version: should the object be changed, its save conflicts, as that of any row
  /// that is out of date.
  private func amend(
    _ object: ManagedObject, _ property: CompiledProperty, to reference: ObjectReference?
  ) {
    doubtCollections()
    var writer = RowWriter(model: model, owner: token, capacity: 1)
    writer.write(object, version: object.version) {
      $0 === property ? reference.map { .object($0) } ?? .null : .unchanged
    }
  }

  /// From now on, a collection asks the other ends of its members when it is next read: one of them may
  /// lead elsewhere.
  func doubtCollections() { confirmation += 1 }

  /// From now on, rows at the other end of a to-many relationship are looked at when they arrive: a
  /// collection of it is loaded.
  func watchRows(behind property: CompiledProperty) {
    guard let relationship = property.relationship, let inverse = model.inverse(of: relationship),
      !inverse.isToMany
    else { return }
    let back = model.entities[inverse.entity].properties[inverse.property]
    guard !watched[inverse.entity].contains(where: { $0.index == back.index }) else { return }
    for entity in model.entities[inverse.entity].subtree { watched[entity].append(back) }
  }
}

extension ManagedObject {
  /// Whether a property has an unsaved change.
  final func isEdited(_ property: CompiledProperty) -> Bool {
    overlay?.isEdit(at: property.index) == true
  }

  /// Whether an end leads to an object; `true` as well while that was not read.
  final func mayLead(_ property: CompiledProperty, to reference: ObjectReference) -> Bool {
    if let known = overlay?.mayLead(property.index, to: reference) { return known }
    return property.slot < 0 || isFault
      || _slab.reference(Int(_row), property) == reference
  }
}
