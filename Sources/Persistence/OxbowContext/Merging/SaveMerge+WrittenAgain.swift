internal import OxbowModel
internal import OxbowStore

// Objects that are inserted although the store had them: a policy writes what others have deleted,
// and an undo brings back what this context has deleted. Others may have done the same.

extension SaveMerge {
  /// Makes an object that came back one of the store, which others have written again: all that it
  /// has are changes.
  func becomeUpdated(_ object: ManagedObject) {
    object._state.subtract([.inserted, .updated])
    context.markUpdated(object)
    let overlay = object.makeOverlay()
    for property in object.entity.properties where property.slot < 0 {
      if let attribute = property.attribute {
        overlay[property.index] = overlay[property.index]
          .withoutEdit(default: attribute.defaultValue)
      } else if object.collection(property) != nil {
        object.updateCollection(property) { $0.forgetMembers() }
      }
    }
  }

  /// A link in the row of an object, which the object has not edited.
  typealias OneToOne = (
    object: ManagedObject, property: CompiledProperty, member: ObjectReference
  )

  func oneToOneLinks(of objects: [ManagedObject]) -> [OneToOne] {
    guard policy.prevails else { return [] }
    return objects.filter { $0._state.isUpdated }.flatMap { object in
      object.entity.relationships.compactMap { property in
        guard property.relationship?.isOneToOne == true, !object.isEdited(property) else {
          return nil
        }
        return object.storedReference(property).map { (object, property, $0) }
      }
    }
  }

  /// Makes a link a change at both ends, because the deletion of the object that is written again
  /// has ended it in the row at the other end.
  ///
  /// One that others have taken since stays with them, unless whole objects are written.
  func tieAgain(_ link: OneToOne) throws(PersistenceError) {
    guard !rewritten.contains(link.member), let back = context.model.inverse(of: link.property)
    else { return }
    for slab in try context.storedSlabs(of: [link.member]) { try context.register(slab) }
    let member = context.object(at: link.member)
    guard member._state.isDisjoint(with: [.fault, .deleted]) else { return }
    let holder = member.destination(of: back)
    guard holder == nil || holder == link.object.reference || policy == .overwrite else {
      return context.drop(link.member, from: link.object, link.property)
    }
    try context.throwing { link.object.setRelatedObject(of: link.property, to: member) }
  }
}
