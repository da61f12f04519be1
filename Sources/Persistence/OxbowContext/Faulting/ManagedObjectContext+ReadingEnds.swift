internal import OxbowModel
internal import OxbowStore

// Reading one end of a relationship, compared with the other; see
// `ManagedObjectContext+Ends.swift`.

extension ManagedObjectContext {
  /// The object that a to-one end leads to, if the other end says so too.
  func toOne(_ object: ManagedObject, _ property: CompiledProperty) -> ManagedObject? {
    // An edit that hid what arrived meanwhile may have been taken back since.
    if !overtaken.isEmpty { adoptOvertaking(at: object) }
    guard let reference = object.destination(of: property) else { return nil }
    guard let relationship = property.relationship, relationship.inverse != nil else {
      if !deletedTargets.isEmpty && deletedTargets.contains(reference) { return nil }
      return self.object(at: reference, of: property, from: object)
    }
    let other = self.object(at: reference, of: property, from: object)
    // A to-many end without an overlay was not read.
    if other.links == nil && !relationship.isOneToOne { return other }
    guard let back = model.inverse(of: property) else { return other }
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

  /// The objects of a relationship that was read, to-one or to-many.
  func readObjects(of property: CompiledProperty, _ object: ManagedObject) -> [ManagedObject] {
    guard property.relationship?.isToMany == true else {
      return toOne(object, property).map { [$0] } ?? []
    }
    return objects(at: confirmedMembers(of: property, object) ?? MemberList())
  }

  /// The members of a collection that was loaded, without those whose other end leads elsewhere and
  /// those that are to be deleted.
  func confirmedMembers(of property: CompiledProperty, _ object: ManagedObject) -> MemberList? {
    guard let state = object.collection(property), let members = state.members else { return nil }
    if state.confirmation == confirmation { return members }
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
      if !hidesDeleted { state.confirmation = confirmation }
    }
    guard !stale.isEmpty || hidesDeleted else { return members }
    let confirmed = object.loadedMembers(of: property)
    guard hidesDeleted, let confirmed else { return confirmed }
    // A rollback brings them back, so they stay in the collection until the save.
    return MemberList(confirmed.filter { membership(of: $0, in: owner, back) == .member })
  }

  /// Whether a to-many relationship leads to an object: its key says so, or the members, which are
  /// read if they have to be.
  func isMember(
    _ object: ManagedObject, of property: CompiledProperty, _ owner: ManagedObject
  ) -> Bool {
    if let back = model.inverse(of: property), back.slot >= 0 {
      return toOne(object, back) === owner
    }
    return members(of: property, owner)?.contains(object.reference) == true
  }

  private enum Membership { case member, stale, deleted }

  /// Whether the other end of a member, if it is known, leads to `owner`.
  private func membership(
    of member: ObjectReference, in owner: ObjectReference, _ back: CompiledProperty?
  ) -> Membership {
    if !deletedTargets.isEmpty && deletedTargets.contains(member) { return .deleted }
    guard let other = registered(member) else { return .member }
    if other._state.contains(.deleted) { return .deleted }
    guard let back else { return .member }
    return other.mayLead(back, to: owner) ? .member : .stale
  }

  /// Looks at the collections that were read and may have lost members to rows that arrived, so
  /// that those who wait for them are notified.
  func confirmObserved() {
    guard let observers, observers.confirmation != confirmation else { return }
    observers.confirmation = confirmation
    for reference in observers.references {
      guard let object = registered(reference), object.links != nil else { continue }
      for property in object.entity.relationships where property.slot < 0 {
        _ = confirmedMembers(of: property, object)
      }
    }
  }
}
