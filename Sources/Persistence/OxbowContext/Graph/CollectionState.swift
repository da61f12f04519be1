internal import OxbowStore

/// The objects of a to-many relationship: the stored members, if loaded, and the changes since.
///
/// Most collections have no changes, and every cell of an overlay is as large as this: the changes
/// are a part of their own, allocated with the first.
struct CollectionState {
  /// The members with changes applied, or `nil` while they have not been read from the store.
  var members: MemberList?

  /// The context's `Inverses.confirmation` when all members were last found to lead back.
  var confirmation = -1

  fileprivate var changes: Changes?

  fileprivate final class Changes {
    var added = MemberList()
    var removed = MemberList()
    /// In an ordered relationship, the members that came or came back, in that order.
    var arrivals = MemberList()
    var isReordered = false
    /// The members before these changes, in their order, if an ordered relationship was set as a
    /// whole.
    var base: MemberList?

    /// The unsaved order with the places of members that left it since, or `nil` while none did.
    ///
    /// Of a reordered relationship it has all members, otherwise the arrivals.
    var former: MemberList?
    /// The members that came since, or came back without a place.
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

  /// The members that came and those that went since the last save.
  var added: MemberList { changes?.added ?? MemberList() }
  var removed: MemberList { changes?.removed ?? MemberList() }

  /// In an ordered relationship, the last members in the order in which they came: new ones, and
  /// those that went and came back, whose links have not changed.
  var arrivals: MemberList { changes?.arrivals ?? MemberList() }

  /// Whether a member of an ordered relationship went and came back.
  var hasReturned: Bool { changes.map { $0.arrivals.count > $0.added.count } ?? false }

  /// The members of an ordered relationship before all changes, if known.
  var base: MemberList? { changes?.base }
  var isReordered: Bool { changes?.isReordered == true }

  var hasChanges: Bool { changes.map { !$0.isEmpty } ?? false }

  fileprivate mutating func change<R>(_ body: (Changes) -> R) -> R {
    if isKnownUniquelyReferenced(&changes), let changes { return body(changes) }
    let made = changes.map { Changes(copying: $0) } ?? Changes()
    changes = made
    return body(made)
  }

  /// Takes over the stored members and applies the changes.
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

  /// Adds a member as a change; one that comes back never left, except in the order.
  mutating func add(_ member: ObjectReference, isOrdered: Bool) {
    members?.append(member)
    change { changes in
      if !changes.removed.remove(member) { changes.added.append(member) }
      if isOrdered { changes.arrivals.append(member) }
      if changes.former != nil { changes.late.append(member) }
    }
  }

  /// Removes a member as a change, and keeps its place in an unsaved order.
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

  /// Forgets the changes of an ordered relationship that is as it was.
  mutating func forgetIfAsBefore() {
    guard let changes, let base = changes.base, let members else { return }
    if changes.added.isEmpty, changes.removed.isEmpty, members.elementsEqual(base) {
      self.changes = nil
    }
  }

  /// Takes in a member that the store now has, unless it was removed.
  ///
  /// Only the store knows its position in an order, so an ordered relationship is read again.
  mutating func adopt(_ member: ObjectReference, isOrdered: Bool) {
    guard members?.contains(member) == false, changes?.removed.contains(member) != true else {
      return
    }
    if isOrdered && !hasChanges { members = nil } else { members?.append(member) }
  }

  /// Drops a member that the store no longer has, and every change of it.
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

  /// Gives the members another order as a change; members that left an earlier order keep their
  /// places among them.
  mutating func reorder(_ order: MemberList) {
    members = order
    let wasReordered = isReordered
    change { changes in
      changes.settleFormer()
      changes.former = wasReordered ? changes.former?.arranged(as: order) : nil
      changes.isReordered = true
    }
  }

  /// Forgets the loaded members and their order, and keeps which came and went.
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

  /// Whether the relationship leads to an object; also `true` while that is unknown.
  func mayLead(to member: ObjectReference) -> Bool {
    members?.contains(member) ?? (changes?.removed.contains(member) != true)
  }
  mutating func forgetChanges() { changes = nil }
}

// MARK: - Places of what went and comes back

extension CollectionState {
  /// The order that the next save writes.
  private var unsavedOrder: MemberList? { isReordered ? members : changes?.arrivals }

  /// Keeps the place that a member has in an unsaved order before it leaves: the store does not
  /// know it.
  private mutating func keepPlace(of member: ObjectReference) {
    // The changes are not held here, because holding them would copy them.
    guard changes != nil, unsavedOrder?.contains(member) == true else { return }
    let order = changes?.former == nil ? unsavedOrder : nil
    change { changes in
      if let order { changes.former = order }
      changes.settleFormer()
    }
  }

  /// Treats a member that came back as one that never left: it has its place in the store, or its
  /// place in an unsaved order once ``takePlaces()`` has arranged the returned members.
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

  /// Puts members that came back where they were in an unsaved order.
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
  /// Completes the order with the members that came since, at its end.
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
