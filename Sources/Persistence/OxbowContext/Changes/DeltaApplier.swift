internal import OxbowModel
internal import OxbowStore

/// Makes the changes of a delta in a context, with the functions that edit: objects come back,
/// links end and begin, attributes change, objects go, members take their places.
///
/// Whatever can fail is done before by the caller, who reads and checks what the delta names.
struct DeltaApplier {
  let context: ManagedObjectContext
  private(set) var delta: GraphDelta

  /// The objects that come back.
  let returning: Set<ObjectReference>

  /// The links that begin and those that end, if objects go.
  var begun: Set<GraphDelta.Link> = []
  var ended: Set<GraphDelta.Link> = []

  /// The objects that go, if they still exist.
  var leaving: [ManagedObject] = []

  /// The objects that the delta names but the store no longer has.
  var missing: Set<ObjectReference> = []

  /// Whether links end that are not known to exist, in collections that were not read.
  private let endsUnread: Bool

  /// Prepares a delta; objects that are `returning` are made again by the caller.
  init(
    _ delta: GraphDelta, in context: ManagedObjectContext, endsUnread: Bool = false,
    returning: Set<ObjectReference> = []
  ) {
    self.delta = delta
    self.context = context
    self.endsUnread = endsUnread
    self.returning = returning.union(delta.appeared.lazy.map(\.object.reference))
  }

  /// Makes the changes.
  ///
  /// - Returns: The delta as it was made, with the values of the objects that went.
  /// - Throws: ``PersistenceError`` that a setter has recorded.
  mutating func apply() throws(PersistenceError) -> GraphDelta {
    if !delta.appeared.isEmpty { bringBack() }
    for link in delta.passing where isInMemory(link) { end(link) }
    for change in delta.links where !change.isAdded { end(change.link) }
    for change in delta.links where change.isAdded { begin(change.link) }
    for change in delta.attributes { set(change) }
    for change in delta.increments { try add(change) }
    delta.vanished = leaving.map { takeAway($0) }
    context.noteVisibility(of: leaving)
    for order in delta.orders { arrange(order) }
    context.inverses.doubt()
    context.token.unsavedWork.isPresent = !context.unsaved.isEmpty
    try context.throwPendingFault()
    return delta
  }

  /// The object of a reference, if it exists and the next save does not delete it.
  func object(_ reference: ObjectReference) -> ManagedObject? {
    guard !missing.contains(reference) else { return nil }
    if returning.contains(reference) {
      return context.registered(reference).flatMap { $0._state.contains(.fault) ? nil : $0 }
    }
    let object = context.object(at: reference)
    return object._state.contains(.deleted) ? nil : object
  }

  /// Whether links contain one, which is named by one of its two relationships.
  func contains(
    _ links: Set<GraphDelta.Link>, _ reference: ObjectReference, _ property: CompiledProperty,
    _ other: ObjectReference
  ) -> Bool {
    guard let relationship = property.relationship else { return false }
    if links.contains(.init(relationship: relationship.id, owner: reference, member: other)) {
      return true
    }
    guard let inverse = context.model.inverse(of: relationship) else { return false }
    return links.contains(.init(relationship: inverse.id, owner: other, member: reference))
  }
}

// MARK: - Objects

extension DeltaApplier {
  private func bringBack() {
    context.unsaved.compact()
    for item in delta.appeared { bringBack(item) }
    context.unsaved.compact()
    context.noteVisibility(of: delta.appeared.map(\.object))
    takeInMembers(of: delta.appeared.map(\.object).filter(\.isInserted))
  }

  private func bringBack(_ item: GraphDelta.Object) {
    let object = item.object
    context.inverses.takeBackDeletion(of: object.reference)
    context.unsaved.forgetDeletion(of: object)
    // The delta has the links that it knows.
    context.inverses.untiedLinks[object.reference] = nil
    if object._state.contains(.deleted) {
      object._state.remove(.deleted)
      return markUpdatedIfEdited(object)
    }
    guard object._state.contains(.detached) else { return }
    // Another program may have written the row again, and a fault of the key was made since.
    if let other = context.registered(object.reference) {
      guard other._state.contains(.fault) else { return }
      context.identity.remove(other)
      other._state.insert(.detached)
    }
    revive(item)
  }

  /// Makes an object whose row is gone new again, without links.
  private func revive(_ item: GraphDelta.Object) {
    let object = item.object
    let version = object.version
    let entity = object.entity
    let slab = context.drafts.slabForNewRow(context.token)
    slab.beginRow(key: object.key, version: version, entity: entity.index)
    object.point(to: slab, slab.count - 1)
    let overlay = Overlay.copying(context.drafts.cells(of: entity))
    for (property, value) in item.values {
      overlay[property] = value.map { .attribute($0) } ?? .null
    }
    for property in entity.relationships where property.relationship?.isLeftByDeletion == true {
      overlay[property.index] = .unchanged
    }
    object._state = context.audience.stateOfObjects.union(.inserted)
    object.noteObservableChange()
    object.overlay = overlay
    context.faults.errors[object.reference] = nil
    context.identity.insert(object)
    context.unsaved.insert(object)
  }

  /// Gives revived objects the members whose unsaved changes lead to them, which their deletion had
  /// left.
  private func takeInMembers(of revived: [ManagedObject]) {
    let owners = revived.filter { object in
      object.entity.relationships.contains { $0.relationship?.isLeftByDeletion == true }
    }
    if owners.isEmpty { return }
    let references = Set(owners.map(\.reference))
    for member in context.unsaved.objects where !member._state.contains(.deleted) {
      for key in member.entity.relationships where key.slot >= 0 && member.isEdited(key) {
        guard let property = context.model.inverse(of: key),
          property.relationship?.isLeftByDeletion == true,
          let reference = member.destination(of: key), references.contains(reference),
          let owner = context.registered(reference)
        else { continue }
        context.addLink(owner, property, member.reference)
      }
    }
  }

  /// Deletes an object, and ends its remaining links except those that its deletion leaves.
  private func takeAway(_ object: ManagedObject) -> GraphDelta.Object {
    for property in object.entity.relationships {
      guard let relationship = property.relationship, !relationship.isLeftByDeletion else {
        continue
      }
      for other in context.readObjects(of: property, object)
      where object.isInserted
        // A link that the delta begins was left by a deletion, because a rule denies it.
        || !contains(begun, object.reference, property, other.reference)
      {
        context.unlink(object, relationship, other)
      }
    }
    let vanished = GraphDelta.Object(of: object)
    if context.mergePolicy.takesDeletionsBack { context.unsaved.note(deletionOf: [object]) }
    context.markDeleted(object)
    return vanished
  }
}

// MARK: - Deletions that are taken back

extension DeltaApplier {
  /// Brings back what a deletion has deleted, and the links that it has removed.
  ///
  /// Each end has its place in the store again, or its place in an unsaved order. An object whose
  /// row others have deleted has no links, and an end that leads elsewhere since stays.
  ///
  /// - Throws: ``PersistenceError``: why the rows of linked objects could not be read.
  func takeBack() throws(PersistenceError) {
    undelete(delta.appeared.map(\.object))
    // A fault of the same key is another object.
    let owners = Dictionary(
      delta.appeared.map { ($0.object.reference, $0.object) },
      uniquingKeysWith: { first, _ in first })
    try readEnds(owners.values)
    var ends: Set<GraphDelta.End> = []
    for change in delta.links {
      guard let relationship = context.model.property(change.link.relationship).relationship,
        change.member?._state.contains(.detached) != true,
        let owner = owners[change.link.owner] ?? context.registered(change.link.owner),
        owner._state.isDisjoint(with: [.deleted, .detached, .fault]),
        let member = remaining(change.link.member), isOpen(owner, relationship, member)
      else { continue }
      context.link(owner, relationship, member)
      forgetReturn(of: member, at: owner, relationship, &ends)
      guard let inverse = context.model.inverse(of: relationship) else { continue }
      forgetReturn(of: owner, at: member, inverse, &ends)
    }
    for end in ends {
      guard let object = context.registered(end.object),
        let relationship = object.entity.properties[end.property].relationship
      else { continue }
      object.takePlaces(relationship)
    }
  }

  /// Reads the rows of what was linked: objects that were let go since are faults, and a link is in
  /// the row of one of its ends.
  private func readEnds(_ owners: some Sequence<ManagedObject>) throws(PersistenceError) {
    let ends = Set(delta.links.lazy.flatMap { [$0.link.owner, $0.link.member] })
    let faults = (ends.compactMap { context.registered($0) } + owners).uniqued().filter {
      $0._state.contains(.fault) && $0._state.isDisjoint(with: [.deleted, .detached])
    }
    guard !faults.isEmpty else { return }
    context.statistics.fetches += 1
    _ = try context.read(faults)
  }

  /// Whether no to-one end of a link leads to another object.
  private func isOpen(
    _ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ManagedObject
  ) -> Bool {
    func leadsElsewhere(
      _ object: ManagedObject, _ relationship: CompiledRelationship?, than other: ManagedObject
    ) -> Bool {
      guard let relationship, !relationship.isToMany else { return false }
      let target = context.toOne(object, object.entity.properties[relationship.property])
      return target != nil && target !== other
    }
    return !leadsElsewhere(owner, relationship, than: member)
      && !leadsElsewhere(member, context.model.inverse(of: relationship), than: owner)
  }

  private func remaining(_ reference: ObjectReference) -> ManagedObject? {
    context.registered(reference).flatMap {
      $0._state.isDisjoint(with: [.deleted, .fault]) ? $0 : nil
    }
  }

  private func forgetReturn(
    of other: ManagedObject, at object: ManagedObject, _ relationship: CompiledRelationship,
    _ ends: inout Set<GraphDelta.End>
  ) {
    object.forgetReturn(of: other.reference, relationship)
    ends.insert(GraphDelta.End(object: object.reference, property: relationship.property))
  }

  func undelete(_ objects: [ManagedObject]) {
    let deleted = objects.filter { $0._state.contains(.deleted) }
    context.takeBackDeletions(of: deleted)
    for object in deleted { markUpdatedIfEdited(object) }
  }

  private func markUpdatedIfEdited(_ object: ManagedObject) {
    guard object.overlay?.hasEdits == true else { return }
    object._state.remove(.updated)
    context.markUpdated(object)
  }
}

// MARK: - Links and values

extension DeltaApplier {
  private func isInMemory(_ link: GraphDelta.Link) -> Bool {
    context.registered(link.owner) != nil && context.registered(link.member) != nil
  }

  private func end(_ link: GraphDelta.Link) {
    let property = context.model.property(link.relationship)
    guard let relationship = property.relationship else { return }
    let back = context.model.inverse(of: property)
    guard let owner = linkable(link.owner, property), let member = linkable(link.member, back)
    else {
      endDangling(link.owner, property, link.member)
      if let back { endDangling(link.member, back, link.owner) }
      return
    }
    guard isThere(owner, property, relationship, member) else { return }
    context.unlink(owner, relationship, member)
  }

  private func isThere(
    _ owner: ManagedObject, _ property: CompiledProperty, _ relationship: CompiledRelationship,
    _ member: ManagedObject
  ) -> Bool {
    if endsUnread, property.slot < 0, owner.loadedMembers(of: property) == nil {
      return owner.mayLead(property, to: member.reference)
    }
    return context.isKnownAsLinked(owner, relationship, member)
  }

  /// Ends the remaining end of a link to an object that is gone.
  private func endDangling(
    _ reference: ObjectReference, _ property: CompiledProperty, _ gone: ObjectReference
  ) {
    guard property.slot >= 0 else {
      // Memory alone has the collection of an object that is gone, or its place in another one.
      guard !missing.isDisjoint(with: [reference, gone]) else { return }
      return context.registered(reference).map { context.drop(gone, from: $0, property) } ?? ()
    }
    guard let object = object(reference), object.destination(of: property) == gone else { return }
    context.removeLink(object, property, gone)
  }

  private func begin(_ link: GraphDelta.Link) {
    let property = context.model.property(link.relationship)
    guard let relationship = property.relationship else { return }
    guard let owner = linkable(link.owner, property),
      let member = linkable(link.member, context.model.inverse(of: property))
    else { return beginDangling(link) }
    guard !context.isKnownAsLinked(owner, relationship, member) else { return }
    context.link(owner, relationship, member)
  }

  /// An object that a link can lead to, even one that the next save deletes if the deletion leaves
  /// the link.
  private func linkable(
    _ reference: ObjectReference, _ property: CompiledProperty?
  ) -> ManagedObject? {
    if let object = object(reference) { return object }
    guard let relationship = property?.relationship,
      relationship.isLeftByDeletion || relationship.deleteRule == .deny,
      let object = context.registered(reference), object._state.contains(.deleted)
    else { return nil }
    return object
  }

  /// Begins a link to an object that is gone and whose deletion had left it: one end is enough, or
  /// it begins when that deletion is taken back.
  private func beginDangling(_ link: GraphDelta.Link) {
    let property = context.model.property(link.relationship)
    guard let back = context.model.inverse(of: property) else { return }
    if back.relationship?.isLeftByDeletion == true, let owner = object(link.owner) {
      lead(owner, property, to: link.member, back)
    } else if property.relationship?.isLeftByDeletion == true, let member = object(link.member) {
      lead(member, back, to: link.owner, property)
    } else {
      context.undoLog?.handOver(link, of: object(link.owner) == nil ? link.owner : link.member)
    }
  }

  private func lead(
    _ object: ManagedObject, _ property: CompiledProperty, to gone: ObjectReference,
    _ back: CompiledProperty
  ) {
    object.setKey(property, gone)
    context.noteChange(of: object, property)
    guard let fault = context.registered(gone) else { return }
    context.drop(object.reference, from: fault, back)
  }

  /// Increments an attribute, which others may have incremented too.
  private func add(_ change: GraphDelta.Increment) throws(PersistenceError) {
    guard let object = object(change.object) else { return }
    let property = object.entity.properties[change.property]
    if let totals = change.totals, isAsBefore(change, object, property) {
      object.setIncrement(of: property, to: totals.after, by: change.by)
    } else {
      try object.increment(property, by: change.by)
    }
  }

  /// Whether an attribute's unsaved increment is the one before the change.
  func isAsBefore(
    _ change: GraphDelta.Increment, _ object: ManagedObject, _ property: CompiledProperty
  ) -> Bool {
    let pending = object.increment(of: property)
    guard let totals = change.totals, pending != nil || !object.isEdited(property),
      !object._state.contains(.inserted)
    else { return false }
    return AttributeValue.areIdentical(pending, totals.before)
  }

  private func set(_ change: GraphDelta.Attribute) {
    guard let object = object(change.object) else { return }
    let property = object.entity.properties[change.property]
    if let increment = increment(for: change.after, object, property) {
      return object.setIncrement(of: property, to: increment, by: increment)
    }
    object.setAttribute(change.property, to: change.after.value)
    guard property.slot < 0, !change.after.isEdit, let overlay = object.overlay else { return }
    overlay[change.property] = overlay[change.property]
      .withoutEdit(default: property.attribute?.defaultValue)
    object.forgetUpdateWithoutEdits()
  }

  /// The increment of the store's value, if the value is still the sum of both.
  private func increment(
    for value: GraphDelta.Attribute.Value, _ object: ManagedObject, _ property: CompiledProperty
  ) -> AttributeValue? {
    guard let increment = value.increment, !object._state.contains(.inserted),
      case .success(let sum?) = object.sum(property, increment),
      AttributeValue.areIdentical(sum, value.value)
    else { return nil }
    return increment
  }

  private func arrange(_ order: GraphDelta.Order) {
    guard let owner = object(order.end.object) else { return }
    let property = owner.entity.properties[order.end.property]
    guard let members = owner.loadedMembers(of: property) else { return }
    let named = order.after.filter { members.contains($0) }
    let others = members.filter { !order.after.contains($0) }
    context.reorder(
      owner, property, MemberList(order.othersAreFirst ? others + named : named + others))
  }
}

extension CompiledRelationship {
  /// Whether the deletion of an object leaves the other ends as they are, also in the store.
  var isLeftByDeletion: Bool { deleteRule == .noAction && isToMany && !isJoined }
}
