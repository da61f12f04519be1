internal import OxbowModel
internal import OxbowStore

/// What a group of changes did in the end: each property, link and object once.
///
/// Objects are named by references, which outlive a sweep; those that went are held, so that they
/// can come back as the same objects.
struct UndoRecord {
  /// What programs call the group.
  var name: String?

  var attributes: [AttributeChange] = []
  var increments: [IncrementChange] = []
  var links: [LinkChange] = []
  var orders: [OrderChange] = []

  /// Links that the group began and whose objects it then deleted: what comes back with its edits
  /// may still have them.
  var passing: [UndoLink] = []

  /// The objects that the group made, and those that it deleted.
  var appeared: [ManagedObject] = []
  var vanished: [Vanished] = []

  /// An attribute's value before and after.
  struct AttributeChange {
    let object: ObjectReference
    let property: Int
    let before: AttributeValue?
    let after: AttributeValue?

    /// Whether a transient attribute's value was an edit, before and after.
    var wasEdit = true
    var isEdit = true

    /// What was to be added to the store's value, before and after.
    var incrementBefore: AttributeValue?
    var incrementAfter: AttributeValue?
  }

  /// What was added to an attribute, whatever others add or set; and what was to be added to the
  /// store's value in all, before and after.
  struct IncrementChange {
    let object: ObjectReference
    let property: Int
    let by: AttributeValue
    let before: AttributeValue?
    let after: AttributeValue?

    var inverted: Self {
      Self(
        object: object, property: property, by: by.negated ?? by, before: after, after: before)
    }
  }

  /// A link that began or ended.
  struct LinkChange {
    let link: UndoLink
    let isAdded: Bool
  }

  /// The members of an ordered relationship before and after.
  struct OrderChange {
    let end: UndoEnd
    let before: MemberList
    let after: MemberList
  }

  /// An object that was deleted, and its attributes by property index.
  struct Vanished {
    let object: ManagedObject
    let values: [(property: Int, value: AttributeValue?)]
  }

  /// Adds the end of a link without inverse, whose member the group deleted; `members` are those of
  /// an ordered relationship before.
  mutating func loseMember(_ link: UndoLink, _ members: MemberList?) {
    if let index = links.firstIndex(where: { $0.isAdded && $0.link == link }) {
      links.remove(at: index)
    } else {
      links.append(LinkChange(link: link, isAdded: false))
    }
    let end = UndoEnd(object: link.owner, property: link.relationship.property)
    guard let members, !orders.contains(where: { $0.end == end }) else { return }
    var after = members
    after.remove(link.member)
    orders.append(OrderChange(end: end, before: members, after: after))
  }

  var isEmpty: Bool {
    attributes.isEmpty && increments.isEmpty && links.isEmpty && orders.isEmpty && appeared.isEmpty
      && vanished.isEmpty
  }

  /// What takes the record back, once it is known what the objects that go had.
  func inverted(vanished: [Vanished]) -> UndoRecord {
    UndoRecord(
      name: name,
      attributes: attributes.map {
        AttributeChange(
          object: $0.object, property: $0.property, before: $0.after, after: $0.before,
          wasEdit: $0.isEdit, isEdit: $0.wasEdit, incrementBefore: $0.incrementAfter,
          incrementAfter: $0.incrementBefore)
      },
      increments: increments.map(\.inverted),
      links: links.reversed().map { LinkChange(link: $0.link, isAdded: !$0.isAdded) },
      orders: orders.map { OrderChange(end: $0.end, before: $0.after, after: $0.before) },
      passing: passing,
      appeared: self.vanished.map(\.object), vanished: vanished)
  }
}

/// A link, named by one of its two relationships.
struct UndoLink: Hashable {
  let relationship: RelationshipID
  let owner: ObjectReference
  let member: ObjectReference
}

/// A relationship of an object.
struct UndoEnd: Hashable {
  let object: ObjectReference
  let property: Int
}

/// A group of changes that is being recorded.
final class UndoGroup {
  var name: String?

  /// The value or the order that each property had first, and the objects that have them.
  private var values: [UndoEnd: AttributeValue?] = [:]

  /// The value that the program gave each attribute last; what came from elsewhere since is not the
  /// group's, and an undo does not overwrite it.
  private var newValues: [UndoEnd: AttributeValue?] = [:]
  private var orders: [UndoEnd: MemberList] = [:]

  /// What was to be added to a value that was set since.
  private var swallowed: [UndoEnd: AttributeValue] = [:]

  /// The attributes that were incremented and not set since.
  private var increments: [UndoEnd: Increment] = [:]

  private struct Increment {
    /// What was added in the group; `nil` when that is not a number any more.
    var by: AttributeValue?
    let valueBefore: AttributeValue?
    let before: AttributeValue?
    var after: AttributeValue?
  }
  private var wereNoEdits: Set<UndoEnd> = []
  private var changed: [(object: ManagedObject, property: CompiledProperty)] = []

  /// The links that began or ended: whether each was there before, and is now.
  private var links: [UndoLink: (before: Bool, now: Bool)] = [:]
  private var linkOrder: [UndoLink] = []

  private var appeared: Set<ManagedObject> = []
  private var appearedOrder: [ManagedObject] = []
  private var vanished: [UndoRecord.Vanished] = []

  /// The objects that were deleted, those that the group had made as well.
  private var deleted: Set<ObjectReference> = []

  func noteAttribute(
    _ object: ManagedObject, _ property: CompiledProperty, _ new: AttributeValue?
  ) {
    // A new object comes and goes with all its values.
    if object._state.contains(.inserted), appeared.contains(object) { return }
    let end = UndoEnd(object: object.reference, property: property.index)
    newValues[end] = .some(new)
    guard values[end] == nil, let value = object.valueInMemory(of: property) else { return }
    if let increment = increments.removeValue(forKey: end) {
      values[end] = .some(increment.valueBefore)
      swallowed[end] = increment.before
      return
    }
    values[end] = .some(value)
    swallowed[end] = object.increment(of: property)
    if property.slot < 0, !object.isEdited(property) { wereNoEdits.insert(end) }
    changed.append((object, property))
  }

  func noteIncrement(
    _ object: ManagedObject, _ property: CompiledProperty, _ difference: AttributeValue,
    _ total: AttributeValue?
  ) {
    let end = UndoEnd(object: object.reference, property: property.index)
    guard let type = property.attribute?.type, let numbers = type.incrementType else { return }
    if values[end] != nil {
      let value = (object.valueInMemory(of: property) ?? nil)?.adding(difference, as: type)
      newValues[end] = .some(value)
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
    let end = UndoEnd(object: object.reference, property: property.index)
    guard orders[end] == nil, let members = object.loadedMembers(of: property) else { return }
    orders[end] = members
    changed.append((object, property))
  }

  func noteLink(_ link: UndoLink, isAdded: Bool) {
    if links[link] == nil { linkOrder.append(link) }
    links[link, default: (!isAdded, isAdded)].now = isAdded
  }

  func noteInsertion(_ object: ManagedObject) {
    if appeared.insert(object).inserted { appearedOrder.append(object) }
  }

  func noteDeletion(_ object: ManagedObject, _ values: UndoRecord.Vanished) {
    deleted.insert(object.reference)
    if appeared.remove(object) == nil { vanished.append(values) }
  }

  /// Whether an object was deleted in the group.
  func hasDeleted(_ reference: ObjectReference) -> Bool { deleted.contains(reference) }

  /// What the group did, now that it ends.
  func record() -> UndoRecord {
    var record = UndoRecord(name: name)
    for (object, property) in changed {
      let end = UndoEnd(object: object.reference, property: property.index)
      if let before = orders[end] {
        // A collection that was forgotten since is as the store has it.
        let isGone = object.isOrphan || object._state.contains(.deleted)
        guard let after = isGone ? MemberList() : object.loadedMembers(of: property),
          !after.elementsEqual(before)
        else { continue }
        record.orders.append(.init(end: end, before: before, after: after))
      } else if let increment = increments[end] {
        guard let by = increment.by, !by.isZero else { continue }
        record.increments.append(
          .init(
            object: end.object, property: end.property, by: by, before: increment.before,
            after: increment.after))
      } else if let before = values[end], let after = newValues[end],
        !AttributeValue.areIdentical(before, after)
      {
        record.attributes.append(
          .init(
            object: end.object, property: end.property, before: before, after: after,
            wasEdit: !wereNoEdits.contains(end), incrementBefore: swallowed[end]))
      }
    }
    record.appeared = appearedOrder.filter { appeared.contains($0) }
    record.vanished = vanished
    recordLinks(in: &record)
    return record
  }

  private func recordLinks(in record: inout UndoRecord) {
    let gone = Set(vanished.map(\.object.reference))
    for link in linkOrder {
      guard let state = links[link] else { continue }
      if state.before != state.now {
        record.links.append(.init(link: link, isAdded: state.now))
      } else if !state.now, gone.contains(link.owner) || gone.contains(link.member) {
        record.passing.append(link)
      }
    }
  }
}
