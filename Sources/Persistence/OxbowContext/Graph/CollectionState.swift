internal import OxbowStore

/// The objects of a to-many relationship: what the store has, if loaded, and what was changed
/// since.
///
/// Most collections have no changes, and every cell of an overlay is as large as this: the changes
/// are a part of their own, allocated with the first.
struct CollectionState {
  /// The members with changes applied, or `nil` while they have not been read from the store.
  var members: MemberList?

  /// The state of the context (`Inverses.confirmation`) in which all members were found
  /// to lead back.
  var confirmation = -1

  fileprivate var changes: Changes?

  fileprivate final class Changes {
    var added = MemberList()
    var removed = MemberList()
    /// In an ordered relationship, what came and what came back, in the order in which it did.
    var arrivals = MemberList()
    var isReordered = false
    /// The members before all this, in their order, where an ordered relationship was set as a
    /// whole.
    var base: MemberList?

    /// The unsaved order with the places of what went from it since, or `nil` while nothing did.
    ///
    /// It is that of all members where they were given another one, else that of the arrivals.
    var former: MemberList?
    /// What came since, or came back without its place, one after the other.
    var late = MemberList()

    init() {}

    init(copying other: Changes) {
      added = other.added
      removed = other.removed
      arrivals = other.arrivals
      isReordered = other.isReordered
      base = other.base
      former = other.former
      late = other.late
    }

    var isEmpty: Bool { added.isEmpty && removed.isEmpty && arrivals.isEmpty && !isReordered }
  }

  init(members: MemberList? = nil) { self.members = members }

  /// What came and what went since the last save.
  var added: MemberList { changes?.added ?? MemberList() }
  var removed: MemberList { changes?.removed ?? MemberList() }

  /// In an ordered relationship, what is the last in its order, as it came: what was added, and
  /// what went and came back, of whose links nothing changed.
  var arrivals: MemberList { changes?.arrivals ?? MemberList() }

  /// Whether something went and came back in an ordered relationship.
  var hasReturned: Bool { changes.map { $0.arrivals.count > $0.added.count } ?? false }

  /// The members of an ordered relationship before all changes, where they are known.
  var base: MemberList? { changes?.base }

  /// Whether the order of an ordered relationship was changed.
  var isReordered: Bool { changes?.isReordered == true }

  var hasChanges: Bool { changes.map { !$0.isEmpty } ?? false }

  fileprivate mutating func change<R>(_ body: (Changes) -> R) -> R {
    if isKnownUniquelyReferenced(&changes), let changes { return body(changes) }
    let made = changes.map { Changes(copying: $0) } ?? Changes()
    changes = made
    return body(made)
  }

  /// Takes over what the store has, and applies the changes to it.
  mutating func load(_ stored: ContiguousArray<ObjectReference>) {
    guard let changes else { return members = MemberList(unique: stored) }
    var members = MemberList()
    for member in stored
    where !changes.removed.contains(member) && !changes.arrivals.contains(member) {
      members.append(member)
    }
    for member in changes.arrivals.isEmpty ? changes.added : changes.arrivals {
      members.append(member)
    }
    self.members = members
  }

  /// Adds a member as a change; one that comes back was never gone, but in the order.
  mutating func add(_ member: ObjectReference, isOrdered: Bool) {
    members?.append(member)
    change { changes in
      if !changes.removed.remove(member) { changes.added.append(member) }
      if isOrdered { changes.arrivals.append(member) }
      if changes.former != nil { changes.late.append(member) }
    }
  }

  /// Removes a member as a change; its place in an order that was not saved is kept.
  mutating func remove(_ member: ObjectReference) {
    keepPlace(of: member)
    members?.remove(member)
    change { changes in
      changes.arrivals.remove(member)
      if !changes.added.remove(member) { changes.removed.append(member) }
    }
  }

  /// Keeps the members of an ordered relationship that is about to change, so that setting them
  /// again is not a change.
  mutating func keepBase() {
    guard !hasChanges, let members else { return }
    change { $0.base = members }
  }

  /// Takes an ordered relationship that is as it was for one that never changed.
  mutating func forgetIfAsBefore() {
    guard let changes, let base = changes.base, let members else { return }
    if changes.added.isEmpty, changes.removed.isEmpty, members.elementsEqual(base) {
      self.changes = nil
    }
  }

  /// Takes in a member that the store has by now, unless it was removed.
  ///
  /// Its position in an order is known to the store alone, which is asked again.
  mutating func adopt(_ member: ObjectReference, isOrdered: Bool) {
    guard members?.contains(member) == false, changes?.removed.contains(member) != true else {
      return
    }
    if isOrdered && !hasChanges { members = nil } else { members?.append(member) }
  }

  /// Drops a member that the store no longer has, and every change about it.
  mutating func drop(_ member: ObjectReference) {
    members?.remove(member)
    guard changes != nil else { return }
    change { changes in
      changes.added.remove(member)
      changes.arrivals.remove(member)
      changes.removed.remove(member)
      changes.base?.remove(member)
      changes.former?.remove(member)
      changes.late.remove(member)
    }
  }

  /// Gives the members another order, as a change; what went from an order before keeps its place
  /// among them.
  mutating func reorder(_ order: MemberList) {
    members = order
    let wasReordered = isReordered
    change { changes in
      changes.settleFormer()
      changes.former = wasReordered ? changes.former?.arranged(as: order) : nil
      changes.isReordered = true
    }
  }

  /// Forgets what was loaded and how it was ordered, and keeps what came and what went.
  mutating func forgetMembers() {
    members = nil
    if isReordered || base != nil {
      change { changes in
        if changes.isReordered { changes.forgetFormer() }
        changes.isReordered = false
        changes.base = nil
      }
    }
  }

  /// Whether the relationship leads to an object; `true` as well while it cannot be known.
  func mayLead(to member: ObjectReference) -> Bool {
    members?.contains(member) ?? (changes?.removed.contains(member) != true)
  }

  /// Forgets the changes after a save: the store has them now.
  mutating func forgetChanges() { changes = nil }
}

// MARK: - Places of what went and comes back

extension CollectionState {
  /// The order that the next save writes.
  private var unsavedOrder: MemberList? { isReordered ? members : changes?.arrivals }

  /// Keeps the place that a member has in an order that was not saved, before it goes: the store
  /// would not know it.
  private mutating func keepPlace(of member: ObjectReference) {
    // The changes are not held here, which would copy them.
    guard changes != nil, unsavedOrder?.contains(member) == true else { return }
    let order = changes?.former == nil ? unsavedOrder : nil
    change { changes in
      if let order { changes.former = order }
      changes.settleFormer()
    }
  }

  /// Takes a member that came back for one that never went: its place is the one that the store
  /// has, or the one that it had in an order that was not saved, once ``takePlaces()`` has arranged
  /// those that came back.
  mutating func forgetReturn(of member: ObjectReference) {
    guard changes?.arrivals.contains(member) == true else { return }
    let hasPlace = changes?.former?.contains(member) == true
    let isOfStore = changes?.added.contains(member) == false && (isReordered || !hasPlace)
    change { changes in
      if isOfStore { changes.arrivals.remove(member) }
      if hasPlace { changes.late.remove(member) }
    }
    if isOfStore, !isReordered { members = nil }
  }

  /// Puts what came back where it was in an order that was not saved.
  ///
  /// - Complexity: O(members), however many came back.
  mutating func takePlaces() {
    guard let former = changes?.former, let late = changes?.late, let order = unsavedOrder else {
      return
    }
    var places = MemberList(former.filter { order.contains($0) && !late.contains($0) })
    for member in order { places.append(member) }
    guard !places.elementsEqual(order) else { return }
    if isReordered {
      members = places
      return forgetIfAsBefore()
    }
    change { changes in
      changes.arrivals = places
      // Links are made in this order, so that they need not be moved.
      let added = changes.added
      changes.added = MemberList(places.filter { added.contains($0) })
    }
    if let members { self.members = members.arranged(as: places) }
  }
}

extension CollectionState.Changes {
  /// Makes the order one of all that is there, what came since at its end.
  fileprivate func settleFormer() {
    guard former != nil else { return }
    for member in late {
      former?.remove(member)
      former?.append(member)
    }
    late = MemberList()
  }

  fileprivate func forgetFormer() { (former, late) = (nil, MemberList()) }
}
