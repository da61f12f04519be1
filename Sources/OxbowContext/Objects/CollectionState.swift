internal import OxbowStore

/// The objects of a to-many relationship: what the store has, if loaded, and what was changed since.
struct CollectionState {
  /// The members with changes applied, or `nil` while they have not been read from the store.
  var members: MemberList?

  /// What came and what went since the last save.
  private(set) var added = MemberList()
  private(set) var removed = MemberList()

  /// What went and came back: nothing of its links changed, but it is now the last in the order.
  private(set) var returned = MemberList()

  /// The state of the context (`ManagedObjectContext.confirmation`) in which all members were found to
  /// lead back.
  var confirmation = -1

  /// Whether the order of an ordered relationship was changed.
  var isReordered = false

  /// Whether the whole order has to be told: what is new comes before what came back otherwise.
  var tellsOrder: Bool { isReordered || (!added.isEmpty && !returned.isEmpty) }

  var hasChanges: Bool {
    !added.isEmpty || !removed.isEmpty || !returned.isEmpty || isReordered
  }

  /// Takes over what the store has, and applies the changes to it.
  mutating func load(_ stored: some Sequence<ObjectReference>) {
    var members = MemberList()
    for member in stored where !removed.contains(member) && !returned.contains(member) {
      members.append(member)
    }
    for member in added { members.append(member) }
    for member in returned { members.append(member) }
    self.members = members
  }

  /// Adds a member as a change; one that comes back was never gone, but in the order.
  mutating func add(_ member: ObjectReference, isOrdered: Bool) {
    members?.append(member)
    if !removed.remove(member) {
      added.append(member)
    } else if isOrdered {
      returned.append(member)
    }
  }

  /// Removes a member as a change.
  mutating func remove(_ member: ObjectReference) {
    members?.remove(member)
    returned.remove(member)
    if !added.remove(member) { removed.append(member) }
  }

  /// Drops a member that the store no longer has, and every change about it.
  mutating func drop(_ member: ObjectReference) {
    members?.remove(member)
    added.remove(member)
    returned.remove(member)
    removed.remove(member)
  }

  /// Takes a member that came back for one that never went.
  mutating func forgetReturn(of member: ObjectReference) {
    guard returned.remove(member), !isReordered else { return }
    members = nil
  }

  /// Whether the relationship leads to an object; `true` as well while nobody can know.
  func mayLead(to member: ObjectReference) -> Bool {
    members?.contains(member) ?? !removed.contains(member)
  }

  /// Forgets the changes after a save: the store has them now.
  mutating func settle() {
    added = MemberList()
    removed = MemberList()
    returned = MemberList()
    isReordered = false
  }
}
