internal import OxbowModel
internal import OxbowStore

/// Turns the changed objects of a context into a change set.
struct ChangeSetBuilder {
  private var context: ManagedObjectContext { merge.context }
  private var model: CompiledModel { context.model }

  /// The result of a merge: missing objects, and those of them that are written again.
  private let merge: SaveMerge
  private var changes = ChangeSet()

  /// The conditions of all objects, taken out of the context once.
  private let conditions: [ObjectReference: [EditCondition]]

  init(_ merge: SaveMerge) {
    self.merge = merge
    conditions = merge.context.unsaved.conditions
  }

  /// Collects the changes; getters record what they cannot throw.
  mutating func build() -> ChangeSet {
    for object in context.unsaved.inserted {
      insert(object)
      collectLinks(of: object)
    }
    for object in context.unsaved.updated {
      if merge.rewritten.contains(object.reference) { rewrite(object) } else { update(object) }
      collectLinks(of: object)
    }
    for object in context.unsaved.deleted where !merge.gone.contains(object.reference) {
      delete(object)
      collectLinks(of: object)
    }
    changes.metadata = context.unsaved.metadata.values.sorted { $0.key < $1.key }
    changes.acknowledgments = context.unsaved.acknowledgments.values.sorted {
      $0.consumer < $1.consumer
    }
    (changes.author, changes.contextName) = (context.work.author, context.name)
    if context.parent == nil { changes.announcement = context.coordinator.newAnnouncement() }
    return changes
  }

  private mutating func insert(_ object: ManagedObject) {
    guard !object._state.contains(.draft) else {
      return changes.insert(object._slab, row: Int(object._row))
    }
    guard let overlay = object.overlay else { return }
    let values = ContiguousArray((0..<overlay.count).lazy.map { overlay[$0].attributeValue })
    changes.inserts.append(
      ChangeSet.Insert(
        entity: object.entityIndex, key: object.key, values: values,
        version: object.insertionVersion))
  }

  /// Inserts an object again that the store no longer has, with a version that it never had there.
  private mutating func rewrite(_ object: ManagedObject) {
    let values = ContiguousArray(
      object.entity.properties.map { property in
        property.slot >= 0 && property.relationship == nil
          ? object.attributeValue(of: property) : nil
      })
    changes.inserts.append(
      ChangeSet.Insert(
        entity: object.entityIndex, key: object.key, values: values,
        version: RowVersion.again(after: object.version)))
    for property in object.entity.relationships {
      if let relationship = property.relationship { relinkUnedited(object, property, relationship) }
    }
  }

  /// Adds the links that vanished with an object's row; edited ones are collected as usual.
  private mutating func relinkUnedited(
    _ object: ManagedObject, _ property: CompiledProperty, _ relationship: CompiledRelationship
  ) {
    let state = object.collection(property)
    switch relationship.storage {
    case _ where property.slot >= 0:
      guard !object.isEdited(property), let member = object.storedReference(property),
        relationship.storage == .ownKey || !merge.rewritten.contains(member)
      else { return }
      changes.links.append(model.link(relationship, from: object.reference, to: member))
    case .joinRows, .joinRowsOfInverse:
      for member in state?.members ?? MemberList() where state?.added.contains(member) == false {
        changes.links.append(model.link(relationship, from: object.reference, to: member))
      }
    default: break
    }
  }

  private mutating func update(_ object: ManagedObject) {
    guard let overlay = object.overlay else { return }
    let known = conditions.isEmpty ? [] : conditions[object.reference] ?? []
    var values: [(property: Int, value: AttributeValue?)] = []
    var increments: [(property: Int, by: AttributeValue)] = []
    var changesLink = false
    var checksVersion = false
    for property in object.entity.properties where property.slot >= 0 {
      let cell = overlay[property.index]
      guard cell.isEdit else { continue }
      if let increment = cell.increment {
        increments.append((property.index, increment))
        continue
      }
      if property.relationship == nil {
        values.append((property.index, cell.attributeValue))
      } else {
        changesLink = true
      }
      let isConditional = known.contains { $0.properties.contains(property.index) }
      checksVersion = checksVersion || !isConditional
    }
    let isOfRow = changesLink || !values.isEmpty || !increments.isEmpty
    let transients = transients(of: object, overlay)
    guard isOfRow || !transients.isEmpty else { return }
    // The version and the keys that the save compares are in the row.
    precondition(
      !isOfRow || !object.isFault, "'\(object)' has edits of its row, which was not read")
    var update = ChangeSet.Update(
      entity: object.entityIndex, key: object.key,
      version: isOfRow ? object.version : RowVersion.first, values: values)
    update.checksVersion = checksVersion
    update.transients = transients
    update.increments = increments
    update.condition = known.predicate(of: overlay)
    changes.updates.append(update)
  }

  /// The changed transient attributes of a child, for its parent.
  private func transients(
    of object: ManagedObject, _ overlay: Overlay
  ) -> [(property: Int, value: AttributeValue?)] {
    guard context.parent != nil else { return [] }
    return object.entity.properties.compactMap { property in
      guard property.slot < 0, property.attribute != nil, overlay.isEdit(at: property.index) else {
        return nil
      }
      return (property.index, overlay[property.index].attributeValue)
    }
  }

  private mutating func delete(_ object: ManagedObject) {
    changes.deletes.append(
      ChangeSet.Delete(
        entity: object.entityIndex, key: object.key,
        version: object._state.contains(.fault) ? nil : object.version))
  }

  private mutating func collectLinks(of object: ManagedObject) {
    guard let links = object.links else { return }
    for property in object.entity.relationships {
      guard let relationship = property.relationship else { continue }
      switch (relationship.storage, links[property.index]) {
      case (.ownKey, .object(let member)):
        relink(object, relationship, property, to: member)
      case (.ownKey, .null):
        relink(object, relationship, property, to: nil)
      case (.joinRows, .collection(let state)):
        collectJoins(of: object, relationship, state)
        collectOrder(of: object, relationship, state)
      case (.inverseKey, .collection(let state)), (.joinRowsOfInverse, .collection(let state)):
        collectOrderedLinks(of: object, relationship, state)
        collectOrder(of: object, relationship, state)
      default: break
      }
    }
  }

  /// Changes a to-one end.
  ///
  /// A link replaces the former one, which must be ended only if the other end has a key too.
  private mutating func relink(
    _ owner: ManagedObject, _ relationship: CompiledRelationship, _ property: CompiledProperty,
    to member: ObjectReference?
  ) {
    let inverse = model.inverse(of: relationship)
    let isNew = owner.isInserted || merge.rewritten.contains(owner.reference)
    let old = isNew ? nil : owner.storedReference(property)
    guard old != member else { return }
    let isOneToOne = inverse?.isToMany == false
    if let old, member == nil || isOneToOne, isOneToOne || !owner.isDeleted {
      changes.unlinks.append(model.link(relationship, from: owner.reference, to: old))
    }
    if let member, !owner.isDeleted, !isAddedByOrder(owner, inverse, member) {
      changes.links.append(model.link(relationship, from: owner.reference, to: member))
    }
  }

  private mutating func collectJoins(
    of owner: ManagedObject, _ relationship: CompiledRelationship, _ state: CollectionState
  ) {
    for member in state.removed {
      changes.unlinks.append(model.link(relationship, from: owner.reference, to: member))
    }
    guard !owner.isDeleted else { return }
    let inverse = relationship.isOrdered ? nil : model.inverse(of: relationship)
    for member in state.added where !isAddedByOrder(owner, inverse, member) {
      changes.links.append(model.link(relationship, from: owner.reference, to: member))
    }
  }

  /// Whether an ordered collection at the other end adds the link: it adds its links in its own
  /// order, because each comes last.
  ///
  /// A deleted object's collection adds none.
  private func isAddedByOrder(
    _ owner: ManagedObject, _ inverse: CompiledRelationship?, _ member: ObjectReference
  ) -> Bool {
    guard let inverse, inverse.isOrdered, let other = context.registered(member),
      !other.isDeleted, let state = other.collection(other.entity.properties[inverse.property])
    else { return false }
    return state.added.contains(owner.reference)
  }

  /// Adds the new links of an ordered relationship whose inverse is canonical and unordered.
  private mutating func collectOrderedLinks(
    of owner: ManagedObject, _ relationship: CompiledRelationship, _ state: CollectionState
  ) {
    guard relationship.isOrdered, !owner.isDeleted,
      model.inverse(of: relationship)?.isOrdered == false
    else { return }
    for member in state.added {
      changes.links.append(model.link(relationship, from: owner.reference, to: member))
    }
  }

  /// Adds the order of a to-many relationship: all members if it was reordered, otherwise those
  /// that move to the end.
  private mutating func collectOrder(
    of owner: ManagedObject, _ relationship: CompiledRelationship, _ state: CollectionState
  ) {
    guard relationship.isOrdered, !owner.isDeleted else { return }
    guard state.isReordered, let members = state.members else {
      for member in moved(relationship, state) {
        addPlacement(member, of: owner, relationship, at: nil)
      }
      return
    }
    for (index, member) in members.enumerated() {
      let position = ChangeSet.firstPosition + Int64(index) * ChangeSet.positionStep
      addPlacement(member, of: owner, relationship, at: position)
    }
  }

  /// The members that move to the end, one after the other.
  ///
  /// A new link comes last by itself, unless the links came in the order of the other end, or a
  /// member came back before it, which comes last only once all links exist.
  private func moved(_ relationship: CompiledRelationship, _ state: CollectionState) -> MemberList {
    let isInOrderOfInverse =
      !relationship.storage.isCanonical
      && model.inverse(of: relationship)?.isOrdered == true
    return state.hasReturned || isInOrderOfInverse ? state.arrivals : MemberList()
  }

  private mutating func addPlacement(
    _ member: ObjectReference, of owner: ManagedObject, _ relationship: CompiledRelationship,
    at position: Int64?
  ) {
    let link = model.link(relationship, from: owner.reference, to: member)
    changes.placements.append(
      ChangeSet.Placement(
        relationship: link.relationship, owner: link.owner, member: link.member,
        isOfOwner: relationship.storage.isCanonical, position: position))
  }
}
