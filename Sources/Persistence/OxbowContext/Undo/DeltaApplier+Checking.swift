internal import OxbowModel
internal import OxbowStore

// Before a reversal changes anything, everything that its delta names is read and checked.

extension DeltaApplier {
  mutating func read() throws(PersistenceError) {
    begun = Set(delta.links.lazy.filter(\.isAdded).map(\.link))
    ended = Set(delta.links.lazy.filter { !$0.isAdded }.map(\.link))
    leaving = delta.vanished.map(\.object).filter { !$0.isOrphan && !$0._state.contains(.deleted) }
    var named = Set(delta.attributes.map(\.object)).union(delta.orders.map(\.end.object))
    for change in delta.links { named.formUnion([change.link.owner, change.link.member]) }
    named.formUnion(delta.increments.map(\.object))
    named.subtract(returning)
    let faults = named.union(leaving.map(\.reference)).map { context.object(at: $0) }
      .filter { $0._state.contains(.fault) }
    if !faults.isEmpty {
      context.statistics.fetches += 1
      missing = Set(try context.read(faults).map(\.reference))
    }
    leaving.removeAll { missing.contains($0.reference) }
    try readCollections()
    try readPartners()
    for change in delta.increments { try checkSum(change) }
  }

  /// Reads the objects that a one-to-one link takes an end from: they have keys too, which change
  /// with their rows.
  private func readPartners() throws(PersistenceError) {
    var partners: Set<ManagedObject> = []
    for link in begun {
      let property = context.model.property(link.relationship)
      guard property.relationship?.isOneToOne == true,
        let back = context.model.inverse(of: property)
      else { continue }
      for (end, property) in [(link.owner, property), (link.member, back)] {
        guard let object = object(end), let partner = context.toOne(object, property) else {
          continue
        }
        if partner._state.contains(.fault) { partners.insert(partner) }
      }
    }
    guard !partners.isEmpty else { return }
    context.statistics.fetches += 1
    _ = try context.read(Array(partners))
  }

  /// Refuses an increment that cannot be added.
  private func checkSum(_ change: GraphDelta.Increment) throws(PersistenceError) {
    guard !returning.contains(change.object), let object = object(change.object) else { return }
    let property = object.entity.properties[change.property]
    if isAsBefore(change, object, property) { return }
    _ = try object.incremented(property, by: change.by)
  }

  /// Reads the collections that show whether a link exists, and those of objects that go, each
  /// relationship at once.
  private func readCollections() throws(PersistenceError) {
    var unread: [RelationshipID: (property: CompiledProperty, owners: [ManagedObject])] = [:]
    func note(_ property: CompiledProperty, _ owner: ManagedObject?) {
      guard let owner, property.slot < 0, let id = property.relationship?.id,
        owner.loadedMembers(of: property) == nil
      else { return }
      unread[id, default: (property, [])].owners.append(owner)
    }
    for change in delta.links {
      let property = context.model.property(change.link.relationship)
      let isInRow = context.model.inverse(of: property).map { $0.slot >= 0 } ?? false
      if !isInRow { note(property, object(change.link.owner)) }
    }
    for order in delta.orders {
      let entity = context.model.entities[order.end.object.entity]
      note(entity.properties[order.end.property], object(order.end.object))
    }
    let saved = leaving.filter { !$0._state.contains(.inserted) }
    for object in saved { for property in object.entity.relationships { note(property, object) } }
    for (property, owners) in unread.values {
      try context.readMembers(of: property, Array(Set(owners)))
    }
    let others = saved.flatMap { object in
      object.entity.relationships.flatMap { context.readObjects(of: $0, object) }
    }
    let faults = Set(others.filter { $0._state.contains(.fault) })
    if !faults.isEmpty { _ = try context.read(Array(faults)) }
  }
}

// MARK: - Checks

extension DeltaApplier {
  /// Refuses to take back what others have changed since.
  ///
  /// - Throws: ``PersistenceError`` with code `conflict`.
  func check(_ action: String) throws(PersistenceError) {
    let problems = problems()
    guard !problems.isEmpty else { return }
    let name = delta.name.map { " '\($0)'" } ?? ""
    throw PersistenceError(
      .conflict,
      "the \(action)\(name) was not made, because others have changed the same since, or the "
        + "program where nothing was recorded: "
        + PersistenceError.listed(problems.map(\.text))
        + "; call \(action)(overwriting: true) to overwrite that, or removeAllUndoActions()",
      objectIDs: problems.map { context.coordinator.id(of: $0.object) })
  }

  /// A change since, and its object.
  typealias Problem = (text: String, object: ObjectReference)

  /// What others have changed since.
  func problems() -> [Problem] {
    var problems = delta.attributes.compactMap { problem(with: $0) }
    for change in delta.increments
    where !returning.contains(change.object) && object(change.object) == nil {
      problems.append(("\(name(change.object)) is gone", change.object))
    }
    problems += delta.links.filter(\.isAdded).flatMap { self.problems(with: $0.link) }
    problems += delta.orders.compactMap { problem(with: $0) }
    problems += leaving.compactMap { problem(with: $0) }
    for object in delta.vanished.map(\.object) where object.successor != nil {
      problems.append(("'\(object)', which a save has merged into another", object.reference))
    }
    return problems
  }

  private func problem(with change: GraphDelta.Attribute) -> Problem? {
    if returning.contains(change.object) { return nil }
    guard let object = object(change.object) else {
      return ("\(name(change.object)) is gone", change.object)
    }
    let property = object.entity.properties[change.property]
    guard property.slot >= 0, let value = object.valueInMemory(of: property),
      !AttributeValue.areIdentical(value, change.after.value),
      !AttributeValue.areIdentical(value, change.before.value)
    else { return nil }
    return ("'\(property.name)' of \(name(change.object))", change.object)
  }

  /// An order must still be the one before or after, for the members that are in all three.
  private func problem(with change: GraphDelta.Order) -> Problem? {
    guard !returning.contains(change.end.object), let owner = object(change.end.object) else {
      return nil
    }
    let property = owner.entity.properties[change.end.property]
    guard let current = owner.loadedMembers(of: property) else { return nil }
    let common = Set(current).intersection(change.before).intersection(change.after)
    let now = current.filter(common.contains)
    guard now != change.after.filter(common.contains), now != change.before.filter(common.contains)
    else { return nil }
    return ("the order of '\(property.name)' of \(name(change.end.object))", change.end.object)
  }

  /// Both objects of a link that comes back must exist, and a to-one end must lead nowhere else.
  private func problems(with link: GraphDelta.Link) -> [Problem] {
    let property = context.model.property(link.relationship)
    let back = context.model.inverse(of: property)
    for (end, property) in [(link.owner, property), (link.member, back)]
    where !returning.contains(end) && object(end) == nil {
      if property?.relationship?.isLeftByDeletion == true { return [] }
      // An object that an earlier group has deleted, although a rule denied it, gets the link with
      // that group.
      if context.undoLog?.hasDeleted(end) == true { return [] }
      return [("\(name(end)) is gone", end)]
    }
    return [
      problem(at: link.owner, property, leadingTo: link.member),
      back.flatMap { problem(at: link.member, $0, leadingTo: link.owner) },
    ].compactMap(\.self)
  }

  private func problem(
    at reference: ObjectReference, _ property: CompiledProperty, leadingTo other: ObjectReference
  ) -> Problem? {
    guard property.relationship?.isToMany == false, !returning.contains(reference),
      let object = object(reference), let current = context.toOne(object, property)?.reference,
      current != other, !contains(ended, reference, property, current)
    else { return nil }
    return ("'\(property.name)' of \(name(reference))", reference)
  }

  /// An object that goes must not have a link that the delta does not know.
  private func problem(with object: ManagedObject) -> Problem? {
    let property = object.entity.relationships.first { property in
      property.relationship?.isLeftByDeletion == false
        && context.readObjects(of: property, object).contains {
          !contains(ended, object.reference, property, $0.reference)
        }
    }
    return property.map { ("'\($0.name)' of \(name(object.reference))", object.reference) }
  }

  private func name(_ reference: ObjectReference) -> String {
    "'\(context.coordinator.id(of: reference))'"
  }
}
