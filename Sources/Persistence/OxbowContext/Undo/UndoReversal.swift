internal import OxbowModel
internal import OxbowStore

/// Takes back what a record says: everything is read and looked at first, so that what changes
/// something cannot fail.
struct UndoReversal {
  let record: UndoRecord
  let context: ManagedObjectContext

  /// What is done, for messages.
  let action: String

  /// The objects that come back.
  let returning: Set<ObjectReference>

  /// The links that go.
  private let added: Set<UndoLink>

  /// The links that come.
  private let begun: Set<UndoLink>

  /// The objects that go, as far as they are there.
  var leaving: [ManagedObject] = []

  /// The objects that the record names and that are gone from the store.
  var missing: Set<ObjectReference> = []

  init(of record: UndoRecord, in context: ManagedObjectContext, _ action: String) {
    self.record = record
    self.context = context
    self.action = action
    returning = Set(record.vanished.map(\.object.reference))
    added = Set(record.links.lazy.filter(\.isAdded).map(\.link))
    begun = Set(record.links.lazy.filter { !$0.isAdded }.map(\.link))
  }

  /// Reads what the record names.
  mutating func prepare() throws(PersistenceError) {
    leaving = record.appeared.filter { !$0.isOrphan && !$0._state.contains(.deleted) }
    var named = Set(record.attributes.map(\.object)).union(record.orders.map(\.end.object))
    for change in record.links { named.formUnion([change.link.owner, change.link.member]) }
    named.formUnion(record.increments.map(\.object))
    named.subtract(returning)
    let faults = named.union(leaving.map(\.reference)).map { context.object(at: $0) }
      .filter { $0._state.contains(.fault) }
    if !faults.isEmpty {
      context.statistics.fetches += 1
      missing = Set(try context.read(faults).map(\.reference))
    }
    leaving.removeAll { missing.contains($0.reference) }
    try readCollections()
    for change in record.increments { try checkSum(change) }
  }

  /// Refuses where nothing can be added.
  private func checkSum(_ change: UndoRecord.IncrementChange) throws(PersistenceError) {
    guard !returning.contains(change.object), let object = object(change.object) else { return }
    let property = object.entity.properties[change.property]
    if isAsLeft(change, object, property) { return }
    _ = try object.incremented(property, by: change.inverted.by)
  }

  /// Whether what is to be added is what the group has left.
  func isAsLeft(
    _ change: UndoRecord.IncrementChange, _ object: ManagedObject, _ property: CompiledProperty
  ) -> Bool {
    let pending = object.increment(of: property)
    guard pending != nil || !object.isEdited(property), !object._state.contains(.inserted) else {
      return false
    }
    return AttributeValue.areIdentical(pending, change.after)
  }

  /// Reads the collections that say whether a link is there, and those of objects that go.
  private func readCollections() throws(PersistenceError) {
    for change in record.links {
      let property = property(change.link.relationship)
      guard property.slot < 0, let owner = object(change.link.owner),
        context.model.inverse(of: property).map({ $0.slot < 0 }) ?? true,
        owner.loadedMembers(of: property) == nil
      else { continue }
      try context.readMembers(of: property, [owner])
    }
    for order in record.orders {
      let property = context.model.entities[order.end.object.entity].properties[order.end.property]
      guard let owner = object(order.end.object), owner.loadedMembers(of: property) == nil else {
        continue
      }
      try context.readMembers(of: property, [owner])
    }
    for object in leaving where !object._state.contains(.inserted) {
      for property in object.entity.relationships
      where property.slot < 0 && object.loadedMembers(of: property) == nil {
        try context.readMembers(of: property, [object])
      }
      let others = object.entity.relationships.flatMap { context.readObjects(of: $0, object) }
      let faults = others.filter { $0._state.contains(.fault) }
      if !faults.isEmpty { _ = try context.read(faults) }
    }
  }

  /// The object of a reference that is there now, not to be deleted.
  func object(_ reference: ObjectReference) -> ManagedObject? {
    guard !missing.contains(reference) else { return nil }
    if returning.contains(reference) {
      return context.registered(reference).flatMap { $0._state.contains(.fault) ? nil : $0 }
    }
    let object = context.object(at: reference)
    return object._state.contains(.deleted) ? nil : object
  }

  /// A property of the entity that declares it; entities below have it at the same index.
  func property(_ id: RelationshipID) -> CompiledProperty {
    context.model.entities[id.entity].properties[id.property]
  }
}

// MARK: - Checks

extension UndoReversal {
  /// Refuses to take back what others have changed since.
  ///
  /// - Throws: ``PersistenceError`` with code `conflict`.
  func check() throws(PersistenceError) {
    var problems: [(text: String, object: ObjectReference)] = []
    for change in record.attributes { checkAttribute(change, &problems) }
    for change in record.increments
    where !returning.contains(change.object) && object(change.object) == nil {
      problems.append(("\(name(change.object)) is gone", change.object))
    }
    for change in record.links where !change.isAdded { checkLink(change.link, &problems) }
    for change in record.orders { checkOrder(change, &problems) }
    for object in leaving { checkLinks(of: object, &problems) }
    for object in record.appeared where object.successor != nil {
      problems.append(("'\(object)', which a save has merged into another", object.reference))
    }
    guard !problems.isEmpty else { return }
    let name = record.name.map { " '\($0)'" } ?? ""
    throw PersistenceError(
      .conflict,
      "the \(action)\(name) was not made, because others have changed the same since, or the "
        + "program where nothing was recorded: "
        + PersistenceError.listed(problems.map(\.text))
        + "; call \(action)(overwriting: true) to overwrite that, or removeAllUndoActions()",
      objectIDs: problems.map { context.coordinator.id(of: $0.object) })
  }

  private func checkAttribute(
    _ change: UndoRecord.AttributeChange,
    _ problems: inout [(text: String, object: ObjectReference)]
  ) {
    if returning.contains(change.object) { return }
    guard let object = object(change.object) else {
      return problems.append(("\(name(change.object)) is gone", change.object))
    }
    let property = object.entity.properties[change.property]
    guard property.slot >= 0, let value = object.valueInMemory(of: property) else { return }
    guard !AttributeValue.areIdentical(value, change.after),
      !AttributeValue.areIdentical(value, change.before)
    else { return }
    problems.append(("'\(property.name)' of \(name(change.object))", change.object))
  }

  /// An order that is taken back: what the group left, or what is to come, of those that are in all
  /// three.
  private func checkOrder(
    _ change: UndoRecord.OrderChange,
    _ problems: inout [(text: String, object: ObjectReference)]
  ) {
    guard !returning.contains(change.end.object), let owner = object(change.end.object) else {
      return
    }
    let property = owner.entity.properties[change.end.property]
    guard let current = owner.loadedMembers(of: property) else { return }
    let common = Set(current).intersection(change.before).intersection(change.after)
    let now = current.filter(common.contains)
    guard now != change.after.filter(common.contains), now != change.before.filter(common.contains)
    else { return }
    problems.append(
      ("the order of '\(property.name)' of \(name(change.end.object))", change.end.object))
  }

  /// A link that comes back: both objects have to be there, and a to-one end must lead nowhere
  /// else.
  private func checkLink(
    _ link: UndoLink, _ problems: inout [(text: String, object: ObjectReference)]
  ) {
    let property = property(link.relationship)
    let ends = [(link.owner, property), (link.member, context.model.inverse(of: property))]
    for (end, property) in ends where !returning.contains(end) && object(end) == nil {
      if property?.relationship?.isLeftByDeletion == true { return }
      // One that a group before has deleted, while a rule denied it, gets the link with that group.
      if context.undoLog?.hasDeleted(end) == true { return }
      return problems.append(("\(name(end)) is gone", end))
    }
    checkEnd(link.owner, property, leadsTo: link.member, &problems)
    if let back = context.model.inverse(of: property) {
      checkEnd(link.member, back, leadsTo: link.owner, &problems)
    }
  }

  private func checkEnd(
    _ reference: ObjectReference, _ property: CompiledProperty, leadsTo other: ObjectReference,
    _ problems: inout [(text: String, object: ObjectReference)]
  ) {
    guard property.relationship?.isToMany == false, !returning.contains(reference),
      let object = object(reference), let current = context.toOne(object, property)?.reference,
      current != other, !isAdded(reference, property, current)
    else { return }
    problems.append(("'\(property.name)' of \(name(reference))", reference))
  }

  /// Whether the record has added a link, so that it is taken back as well.
  private func isAdded(
    _ reference: ObjectReference, _ property: CompiledProperty, _ other: ObjectReference
  ) -> Bool { contains(added, reference, property, other) }

  /// Whether the record makes a link again: one that a deletion has left, where a rule denies it.
  func isBegun(
    _ reference: ObjectReference, _ property: CompiledProperty, _ other: ObjectReference
  ) -> Bool { contains(begun, reference, property, other) }

  /// Whether links have one, which is named by one of its two relationships.
  private func contains(
    _ links: Set<UndoLink>, _ reference: ObjectReference, _ property: CompiledProperty,
    _ other: ObjectReference
  ) -> Bool {
    guard let relationship = property.relationship else { return false }
    if links.contains(UndoLink(relationship: relationship.id, owner: reference, member: other)) {
      return true
    }
    guard let inverse = context.model.inverse(of: relationship) else { return false }
    return links.contains(UndoLink(relationship: inverse.id, owner: other, member: reference))
  }

  /// An object that goes must have no link that the record does not know.
  private func checkLinks(
    of object: ManagedObject, _ problems: inout [(text: String, object: ObjectReference)]
  ) {
    for property in object.entity.relationships
    where property.relationship?.isLeftByDeletion == false {
      for other in context.readObjects(of: property, object)
      where !isAdded(object.reference, property, other.reference) {
        return problems.append(
          ("'\(property.name)' of \(name(object.reference))", object.reference))
      }
    }
  }

  private func name(_ reference: ObjectReference) -> String {
    "'\(context.coordinator.id(of: reference))'"
  }
}
