internal import OxbowModel
internal import OrderedCollections
internal import OxbowStore

/// Turns the changed objects of a context into a change set.
struct ChangeSetBuilder {
  let context: ManagedObjectContext
  private var changes = ChangeSet()

  init(context: ManagedObjectContext) { self.context = context }

  func build() -> ChangeSet {
    var builder = self
    builder.collect()
    return builder.changes
  }

  private mutating func collect() {
    changes.inserts.reserveCapacity(context.insertedObjects.count)
    for object in context.insertedObjects where !object.isDeleted {
      insert(object)
      collectLinks(of: object)
    }
    for object in context.updatedObjects
    where !object.isDeleted && !object.isInserted && object._state.contains(.updated) {
      update(object)
      collectLinks(of: object)
    }
    for object in context.deletedObjects {
      changes.deletes.append(
        ChangeSet.Delete(
          entity: object.entityIndex, key: object.key,
          version: object.isFault ? nil : object.version))
      collectLinks(of: object)
    }
  }

  private mutating func insert(_ object: ManagedObject) {
    guard let overlay = object.overlay else { return }
    let values = ContiguousArray((0..<overlay.count).lazy.map { overlay[$0].attribute })
    changes.inserts.append(
      ChangeSet.Insert(entity: object.entityIndex, key: object.key, values: values))
  }

  private mutating func update(_ object: ManagedObject) {
    guard let overlay = object.overlay, !object.isFault else { return }
    var values: [(property: Int, value: AttributeValue?)] = []
    var changesLink = false
    for property in object.entity.properties where property.slot >= 0 {
      let cell = overlay[property.index]
      guard cell.isEdit else { continue }
      if property.relationship == nil {
        values.append((property.index, cell.attribute))
      } else {
        changesLink = true
      }
    }
    guard changesLink || !values.isEmpty else { return }
    changes.updates.append(
      ChangeSet.Update(
        entity: object.entityIndex, key: object.key, version: object.version, values: values))
  }

  private mutating func collectLinks(of object: ManagedObject) {
    guard let overlay = object.overlay else { return }
    for property in object.entity.relationships {
      guard let relationship = property.relationship else { continue }
      switch (relationship.storage, overlay[property.index]) {
      case (.ownKey, .object(let member)):
        relink(object, relationship, property, to: member)
      case (.ownKey, .null):
        relink(object, relationship, property, to: nil)
      case (.joinRows, .collection(let state)):
        collectJoins(of: object, relationship, state)
      case (.inverseKey, .collection(let state)), (.joinRowsOfInverse, .collection(let state)):
        collectPositions(of: object, relationship, state)
      default: break
      }
    }
  }

  /// A to-one end.
  ///
  /// What a link replaces need not be told, but where the other end has a key of its own as well.
  private mutating func relink(
    _ owner: ManagedObject, _ relationship: RelationshipSchema, _ property: PropertySchema,
    to member: ObjectReference?
  ) {
    let inverse = context.schema.inverse(of: relationship)
    let old = owner.isInserted ? nil : owner._slab.reference(Int(owner._row), property)
    guard old != member else { return }
    let isOneToOne = inverse?.isToMany == false
    if let old, member == nil || isOneToOne, isOneToOne || !owner.isDeleted {
      changes.unlinks.append(
        ChangeSet.Link(relationship: relationship.id, owner: owner.reference, member: old))
    }
    if let member, !owner.isDeleted, !isNumbered(member, inverse) {
      changes.links.append(
        ChangeSet.Link(relationship: relationship.id, owner: owner.reference, member: member))
    }
  }

  /// Whether the ordered collection at the other end tells of its members itself.
  private func isNumbered(_ reference: ObjectReference, _ inverse: RelationshipSchema?) -> Bool {
    guard let inverse, inverse.isOrdered,
      let object = context.maps[context.roots[reference.entity]][reference.key]
    else { return false }
    return object.collection(object.entity.properties[inverse.property])?.members != nil
  }

  private mutating func collectJoins(
    of owner: ManagedObject, _ relationship: RelationshipSchema, _ state: CollectionState
  ) {
    for member in state.removed {
      changes.unlinks.append(
        ChangeSet.Link(relationship: relationship.id, owner: owner.reference, member: member))
    }
    let inverse = context.schema.inverse(of: relationship)
    let isRenumbered = relationship.isOrdered && state.hasChanges && state.members != nil
    let told = isRenumbered ? state.members ?? [] : state.added
    for (index, member) in told.enumerated()
    where isRenumbered || !isNumbered(member, inverse) {
      changes.links.append(
        ChangeSet.Link(
          relationship: relationship.id, owner: owner.reference, member: member,
          memberPosition: isRenumbered ? position(index) : nil))
    }
  }

  /// An ordered to-many that is not canonical: each member's link is told with its place.
  private mutating func collectPositions(
    of owner: ManagedObject, _ relationship: RelationshipSchema, _ state: CollectionState
  ) {
    guard relationship.isOrdered, state.hasChanges, !owner.isDeleted, let members = state.members,
      let inverse = context.schema.inverse(of: relationship)
    else { return }
    for (index, member) in members.enumerated() {
      changes.links.append(
        ChangeSet.Link(
          relationship: inverse.id, owner: member, member: owner.reference,
          ownerPosition: position(index)))
    }
  }

  private func position(_ index: Int) -> Int64 {
    ChangeSet.firstPosition + Int64(index) * ChangeSet.positionStep
  }
}

extension Overlay.Cell {
  /// The value of an edited attribute.
  var attribute: AttributeValue? {
    if case .value(let value) = self { value } else { nil }
  }
}
