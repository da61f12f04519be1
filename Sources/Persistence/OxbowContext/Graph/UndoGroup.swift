internal import OxbowModel
internal import OxbowStore

/// A group of changes that is being recorded.
final class UndoGroup {
  var name: String?

  /// The attributes that were set, each with what it was first and what the program gave it last;
  /// what came from elsewhere since is not the group's, and an undo does not overwrite it.
  private var values: [GraphDelta.End: GraphDelta.Attribute] = [:]

  /// The order that each ordered relationship had first.
  private var orders: [GraphDelta.End: MemberList] = [:]

  /// The attributes that were incremented and not set since.
  private var increments: [GraphDelta.End: Increment] = [:]

  private struct Increment {
    /// What was added in the group; `nil` when that is not a number any more.
    var by: AttributeValue?
    let valueBefore: AttributeValue?
    let before: AttributeValue?
    var after: AttributeValue?
  }

  /// The objects and properties of all these.
  private var changed: [(object: ManagedObject, property: CompiledProperty)] = []

  /// The links that began or ended: whether each was there before, and is now.
  private var links: [GraphDelta.Link: (before: Bool, now: Bool)] = [:]
  private var linkOrder: [GraphDelta.Link] = []

  private var appeared: Set<ManagedObject> = []
  private var appearedOrder: [ManagedObject] = []
  private var vanished: [GraphDelta.Object] = []

  /// The objects that were deleted, those that the group had made as well.
  private var deleted: Set<ObjectReference> = []

  /// Notes that an attribute is about to get a value.
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

  /// Whether an object was deleted in the group.
  func hasDeleted(_ reference: ObjectReference) -> Bool { deleted.contains(reference) }

  /// What the group did, now that it ends.
  func delta() -> GraphDelta {
    var delta = GraphDelta(name: name)
    for (object, property) in changed {
      let end = GraphDelta.End(object: object.reference, property: property.index)
      if let before = orders[end] {
        // A collection that was forgotten since is as the store has it.
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
