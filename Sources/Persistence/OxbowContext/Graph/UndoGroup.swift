internal import OxbowModel
internal import OxbowStore

/// A group of changes while it is recorded.
final class UndoGroup {
  var name: String?

  /// The attributes that were set, each with its first value and the last one that the program set.
  ///
  /// Values that came from elsewhere since are not the group's, and an undo does not overwrite
  /// them.
  private var values: [GraphDelta.End: GraphDelta.Attribute] = [:]

  /// The first order of each ordered relationship.
  private var orders: [GraphDelta.End: MemberList] = [:]

  /// The attributes that were incremented and not set since.
  private var increments: [GraphDelta.End: Increment] = [:]

  private struct Increment {
    /// The sum of the group's increments; `nil` if it is no longer a number.
    var by: AttributeValue?
    let valueBefore: AttributeValue?
    let before: AttributeValue?
    var after: AttributeValue?
  }

  /// The objects and properties of all these.
  private var changed: [(object: ManagedObject, property: CompiledProperty)] = []

  /// The links that began or ended: whether each existed before, and exists now.
  private var links: [GraphDelta.Link: (before: Bool, now: Bool)] = [:]
  private var linkOrder: [GraphDelta.Link] = []

  private var appeared: Set<ManagedObject> = []
  private var appearedOrder: [ManagedObject] = []
  private var vanished: [GraphDelta.Object] = []

  /// The deleted objects, including those that the group had made.
  private var deleted: Set<ObjectReference> = []

  /// A copy of what was recorded so far.
  func copy() -> UndoGroup {
    let copy = UndoGroup()
    copy.name = name
    (copy.values, copy.orders, copy.increments) = (values, orders, increments)
    (copy.changed, copy.links, copy.linkOrder) = (changed, links, linkOrder)
    (copy.appeared, copy.appearedOrder) = (appeared, appearedOrder)
    (copy.vanished, copy.deleted) = (vanished, deleted)
    return copy
  }

  func noteAttribute(
    _ object: ManagedObject, _ property: CompiledProperty, _ new: AttributeValue?
  ) {
    // A new object comes and goes with all its values.
    if object._state.contains(.inserted), appeared.contains(object) { return }
    let end = GraphDelta.End(object: object.reference, property: property.index)
    guard values[end] == nil else {
      values[end]?.after.value = new
      return
    }
    guard let value = object.valueInMemory(of: property) else { return }
    var before = GraphDelta.Attribute.Value(value: value, increment: object.increment(of: property))
    if let increment = increments.removeValue(forKey: end) {
      (before.value, before.increment) = (increment.valueBefore, increment.before)
    } else {
      before.isEdit = property.slot >= 0 || object.isEdited(property)
      changed.append((object, property))
    }
    values[end] = GraphDelta.Attribute(
      object: end.object, property: end.property, before: before, after: .init(value: new))
  }

  /// Notes that an attribute is about to be incremented by `difference`, to `total` in all.
  func noteIncrement(
    _ object: ManagedObject, _ property: CompiledProperty, _ difference: AttributeValue,
    _ total: AttributeValue?
  ) {
    let end = GraphDelta.End(object: object.reference, property: property.index)
    guard let type = property.attribute?.type, let numbers = type.incrementType else { return }
    if values[end] != nil {
      values[end]?.after.value = (object.valueInMemory(of: property) ?? nil)?
        .adding(difference, as: type)
    } else if let known = increments[end] {
      increments[end]?.by = known.by?.adding(difference, as: numbers)
      increments[end]?.after = total
    } else {
      increments[end] = Increment(
        by: difference, valueBefore: object.valueInMemory(of: property) ?? nil,
        before: object.increment(of: property), after: total)
      changed.append((object, property))
    }
  }

  func noteOrder(_ object: ManagedObject, _ property: CompiledProperty) {
    let end = GraphDelta.End(object: object.reference, property: property.index)
    guard orders[end] == nil, let members = object.loadedMembers(of: property) else { return }
    orders[end] = members
    changed.append((object, property))
  }

  func noteLink(_ link: GraphDelta.Link, isAdded: Bool) {
    if links[link] == nil { linkOrder.append(link) }
    links[link, default: (!isAdded, isAdded)].now = isAdded
  }

  func noteInsertion(_ object: ManagedObject) {
    if appeared.insert(object).inserted { appearedOrder.append(object) }
  }

  func noteDeletion(_ gone: GraphDelta.Object) {
    deleted.insert(gone.object.reference)
    if appeared.remove(gone.object) == nil { vanished.append(gone) }
  }
  func hasDeleted(_ reference: ObjectReference) -> Bool { deleted.contains(reference) }

  func delta() -> GraphDelta {
    var delta = GraphDelta(name: name)
    for (object, property) in changed {
      let end = GraphDelta.End(object: object.reference, property: property.index)
      if let before = orders[end] {
        // A collection that was forgotten since is as in the store.
        let isGone = object.isOrphan || object._state.contains(.deleted)
        guard let after = isGone ? MemberList() : object.loadedMembers(of: property),
          !after.elementsEqual(before)
        else { continue }
        delta.orders.append(.init(end: end, before: before, after: after))
      } else if let increment = increments[end] {
        guard let by = increment.by, !by.isZero else { continue }
        delta.increments.append(
          .init(
            object: end.object, property: end.property, by: by,
            totals: (increment.before, increment.after)))
      } else if let change = values[end],
        !AttributeValue.areIdentical(change.before.value, change.after.value)
      {
        delta.attributes.append(change)
      }
    }
    delta.appeared = appearedOrder.filter { appeared.contains($0) }.map { .init(object: $0) }
    delta.vanished = vanished
    addLinks(to: &delta)
    return delta
  }

  private func addLinks(to delta: inout GraphDelta) {
    let gone = Set(vanished.map(\.object.reference))
    for link in linkOrder {
      guard let state = links[link] else { continue }
      if state.before != state.now {
        delta.links.append(.init(link: link, isAdded: state.now))
      } else if !state.now, gone.contains(link.owner) || gone.contains(link.member) {
        delta.passing.append(link)
      }
    }
  }
}
