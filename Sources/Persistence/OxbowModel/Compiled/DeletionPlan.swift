/// What the deletion of an object looks at.
///
/// It is computed once for each entity, as a cascade asks for every object (docs/performance.md,
/// T/cascade).
package final class DeletionPlan: Sendable {
  /// The relationships that the deletion changes; that of a new object changes all.
  package let changed: [CompiledProperty]

  /// Those that delete what they lead to.
  package let cascading: [CompiledProperty]

  /// Those that deny the deletion while they lead anywhere.
  package let denying: [CompiledProperty]

  /// Those that are changed and need more than the object's row: a collection, or a row at the
  /// other end that has a key.
  package let read: [CompiledProperty]

  /// Likewise those of a new object.
  package let readOfNew: [CompiledProperty]

  /// Whether rows of the entity have keys of others.
  package let hasKeys: Bool

  private init(of entity: CompiledEntity, in entities: [CompiledEntity]) {
    let all = entity.relationships
    let isRead = { (property: CompiledProperty) in
      property.slot < 0 || Self.hasKeyAtOtherEnd(property, entities)
    }
    changed = all.filter { $0.relationship?.isChangedByDeletion == true }
    cascading = all.filter { $0.relationship?.deleteRule == .cascade }
    denying = all.filter { $0.relationship?.deleteRule == .deny }
    read = changed.filter(isRead)
    readOfNew = all.filter(isRead)
    hasKeys = all.contains { $0.slot >= 0 }
  }

  private static func hasKeyAtOtherEnd(
    _ property: CompiledProperty, _ entities: [CompiledEntity]
  ) -> Bool {
    guard let relationship = property.relationship, let inverse = relationship.inverse else {
      return false
    }
    let other = entities[relationship.destination].properties[inverse]
    return other.relationship?.isToMany == false
  }

  static func all(of entities: [CompiledEntity]) -> ContiguousArray<DeletionPlan> {
    ContiguousArray(entities.map { DeletionPlan(of: $0, in: entities) })
  }
}
