internal import OxbowModel
internal import OxbowStore

// Objects that others have linked to one that is deleted here, after the deletion has looked for
// links. The store refuses the save because of them, and no row of it is in conflict. A parent does
// not refuse it: its own delete rules apply to them (decision 0223).

/// Objects that lead, in the store, to a deleted one.
struct Latecomers {
  let owner: ManagedObject
  let relationship: CompiledRelationship
  let members: [ManagedObject]
}

extension SaveMerge {
  /// Applies the policy to what others have linked to deleted objects: if the store wins the
  /// deletions are taken back, and if the context wins their rules apply to it too.
  ///
  /// - Returns: Whether there was any.
  /// - Throws: ``PersistenceError``: `conflict` if the policy has no answer; why it could not be
  ///   read.
  mutating func mergeLatecomers() throws(PersistenceError) -> Bool {
    let found = try latecomers()
    guard !found.isEmpty else { return false }
    guard policy.takesDeletionsBack || policy.prevails else {
      throw try refusal(of: found)
    }
    self.conflicts += try conflicts(of: found)
    for latecomers in found {
      if policy.takesDeletionsBack {
        try takeBackDeletion(of: latecomers.owner)
      } else {
        try applyRule(to: latecomers)
      }
    }
    return true
  }

  /// The error of a save that was refused because of such objects, or `nil` if it was refused for
  /// another reason.
  func refusalByLatecomers() -> PersistenceError? {
    let memento = GraphMemento(of: context)
    defer { memento.restore(context) }
    guard let found = try? latecomers(), !found.isEmpty else { return nil }
    return try? refusal(of: found)
  }

  /// Reads the objects that lead to deleted ones.
  private func latecomers() throws(PersistenceError) -> [Latecomers] {
    guard context.parent == nil else { return [] }
    var found: [Latecomers] = []
    for (property, relationship, owners) in keyedEndsOfDeleted() {
      try readAgain(property, owners)
      for owner in owners {
        let members = context.readObjects(of: property, owner).filter {
          !$0._state.contains(.deleted)
        }
        if members.isEmpty { continue }
        found.append(Latecomers(owner: owner, relationship: relationship, members: members))
      }
    }
    return found
  }

  /// Reads the objects of a relationship; for a one-to-one, whose key is in both rows, the owner's
  /// row was in conflict and is up to date.
  private func readAgain(
    _ property: CompiledProperty, _ owners: [ManagedObject]
  ) throws(PersistenceError) {
    context.statistics.fetches += 1
    guard property.slot < 0 else {
      _ = try context.read(owners.flatMap { context.faults(of: property, $0) })
      return
    }
    for owner in owners where owner.collection(property) != nil {
      owner.updateCollection(property) { $0.forgetMembers() }
    }
    try context.readMembers(of: property, owners)
  }

  /// The relationships of deleted objects for which others have keys in their rows.
  private func keyedEndsOfDeleted() -> [(CompiledProperty, CompiledRelationship, [ManagedObject])] {
    var ends: [(CompiledProperty, CompiledRelationship, [ManagedObject])] = []
    let owners = Dictionary(grouping: context.unsaved.deleted, by: \.entityIndex)
    for (entity, owners) in owners.sorted(by: { $0.key < $1.key }) {
      for property in context.model.entities[entity].relationships {
        guard let relationship = property.relationship, relationship.deleteRule != .noAction,
          relationship.storage == .inverseKey || relationship.isOneToOne
        else { continue }
        ends.append((property, relationship, owners))
      }
    }
    return ends
  }

  /// Applies a delete rule to objects; the next attempt to save checks the rule deny.
  private func applyRule(to latecomers: Latecomers) throws(PersistenceError) {
    switch latecomers.relationship.deleteRule {
    case .nullify:
      for member in latecomers.members {
        context.unlink(latecomers.owner, latecomers.relationship, member)
      }
    case .cascade:
      for member in latecomers.members where !member._state.contains(.deleted) {
        try context.applyDeletion(of: member)
      }
    case .deny, .noAction: break
    }
  }

  private func conflicts(of found: [Latecomers]) throws(PersistenceError) -> [MergeConflict] {
    var seen: Set<ManagedObject> = []
    let owners = found.map(\.owner).filter { seen.insert($0).inserted }
    let rows = try context.storedRows(of: owners.map(\.reference))
    return owners.map { conflict(of: $0, rows[context.identity.root($0.reference)]) }
  }

  private func refusal(of found: [Latecomers]) throws(PersistenceError) -> PersistenceError {
    let links = found.map { latecomers in
      "'\(latecomers.relationship.name)' of '\(latecomers.owner)' has "
        + PersistenceError.listed(latecomers.members.map(\.description))
    }
    let conflicts = try conflicts(of: found)
    return PersistenceError(
      .conflict,
      "others have led objects to what is deleted here: \(links.joined(separator: "; ")); nothing "
        + "was saved: roll back and delete again, or set a merge policy",
      objectIDs: conflicts.map(\.objectID)
    ).adding(conflicts)
  }
}
