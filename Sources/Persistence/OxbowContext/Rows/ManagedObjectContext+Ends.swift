internal import OxbowModel
internal import OxbowStore

// The two ends of a relationship are read at different times, so one of them can be out of date.
// The last read decides whether there is a link:
//
// - A row or a collection that arrives is added at the other end at once (`align`, `adopt`).
// - A member whose other end no longer leads back is dropped when the collection is read (`toOne`,
//   `confirmedMembers`): where an arriving row led before is unknown if its object was swept.
//
// Unsaved changes are never touched by this: the save finds the conflict by the version.

extension ManagedObjectContext {
  /// Brings the other ends in line with a row that has just arrived.
  ///
  /// `old` is the object's former row, if any.
  func align(_ object: ManagedObject, replacing old: (slab: RowSlab, row: Int)?) {
    for property in inverses.watched[object.entityIndex] where !object.isEdited(property) {
      guard let relationship = property.relationship, let inverse = relationship.inverse else {
        continue
      }
      let new = object.storedReference(property)
      let before = old.flatMap { $0.slab.reference($0.row, property) }
      // Where a fault led before is not known.
      if before == new, old?.slab.isFault == false { continue }
      inverses.doubt()
      if let before, let other = registered(before) {
        drop(object.reference, from: other, other.entity.properties[inverse])
      }
      if let new, let other = registered(new) {
        adopt(object.reference, at: other, other.entity.properties[inverse])
      }
    }
  }

  /// Makes an end lead to an object whose own end leads back.
  func adopt(_ reference: ObjectReference, at object: ManagedObject, _ property: CompiledProperty) {
    if object.collection(property) != nil {
      // Changed in place: a copy of the list for each arriving row would be quadratic.
      let isOrdered = property.relationship?.isOrdered == true
      object.updateCollection(property, about: reference) {
        $0.adopt(reference, isOrdered: isOrdered)
      }
    } else if property.slot >= 0, object.isEdited(property) {
      inverses.overtaken[object.reference, default: []].append((property, reference))
    } else if property.slot >= 0, !object.isFault {
      let old = object.storedReference(property)
      if old == reference { return }
      amend(object, property, to: reference)
      guard let old, let former = registered(old), let inverse = property.relationship?.inverse
      else { return }
      drop(object.reference, from: former, former.entity.properties[inverse])
    }
  }

  /// Brings the ends of an object in line with rows that arrived at the other ends while these were
  /// edited: after a rollback, and when an end is read whose edit was taken back.
  func adoptOvertaking(at object: ManagedObject) {
    guard !object.isFault, let arrivals = inverses.overtaken[object.reference] else { return }
    let remaining = arrivals.filter { object.isEdited($0.property) }
    inverses.overtaken[object.reference] = remaining.isEmpty ? nil : remaining
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
      object.updateCollection(property, about: reference) { $0.drop(reference) }
      object.forgetUpdateWithoutEdits()
    } else if property.slot >= 0, !object.isFault, !object.isEdited(property),
      object.storedReference(property) == reference
    {
      amend(object, property, to: nil)
    }
  }

  /// Corrects a key of an object in memory.
  ///
  /// The row keeps its version: if the object is changed, its save conflicts, like that of any row
  /// that is out of date.
  func amend(
    _ object: ManagedObject, _ property: CompiledProperty, to reference: ObjectReference?
  ) {
    inverses.doubt()
    var writer = RowWriter(model: model, owner: token, capacity: 1)
    object.write(to: &writer, version: object.version) {
      $0 === property ? reference.map { .object($0) } ?? .null : .unchanged
    }
  }

  /// Compares rows at the other end of a to-many relationship when they arrive, because a
  /// collection of it is loaded.
  func watchRows(behind property: CompiledProperty) {
    guard let back = model.inverse(of: property), let inverse = back.relationship,
      !inverse.isToMany,
      !inverses.watched[inverse.entity].contains(where: { $0.index == back.index })
    else { return }
    for entity in model.entities[inverse.entity].subtree { inverses.watched[entity].append(back) }
  }
}
