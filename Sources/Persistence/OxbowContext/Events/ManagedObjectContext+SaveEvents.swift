public import OxbowModel
public import OxbowStore

// Saves of other contexts. They are merged only where a call can throw, so that two getters in a
// row agree.

extension ManagedObjectContext {
  /// Whether the context brings its objects up to date with the saves of others.
  ///
  /// It does so at the beginning of each throwing call: a fetch, a save.
  /// Between two such calls nothing changes by itself. Objects with unsaved changes stay as they
  /// are: their save finds the conflict, and the merge policy decides. Saves of other processes are
  /// merged too if the store follows them.
  ///
  /// A child follows its parent: it shows the saves of the parent and of other children as the
  /// parent has them, and merges what others save into the parent and what the parent rolls back.
  /// If a parent does not merge the saves of others, its children do not see them either.
  ///
  /// Off the owner `false`, and the use is reported. Always `false` for a context that reads one
  /// moment (``isPinned``).
  public var automaticallyMergesChangesFromParent: Bool {
    get { isOwned("automaticallyMergesChangesFromParent") && relatives.news != nil }
    set {
      guard isOwned("automaticallyMergesChangesFromParent"), newValue != (relatives.news != nil)
      else {
        return
      }
      relatives.news = newValue && !isPinned ? News(of: self) : nil
      relatives.merge = { context throws(PersistenceError) in try context.mergeNews() }
    }
  }

  /// Brings the objects up to date with a save of another context; a context that reads one moment
  /// (``isPinned``) stays as it is.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner`, and why the rows could not be read; the merge
  ///   can be repeated then.
  /// - Complexity: One request to the store for each root entity whose rows this context has, or
  ///   whose objects may be in its collections.
  public func mergeChanges(from event: SaveEvent) throws(PersistenceError) {
    try begin("mergeChanges(from:)")
    guard !isPinned else { return }
    try merge([event])
  }
}

// MARK: - Merging them

// The effect of another context's save on the objects of this one. Unsaved changes are never
// touched.

extension ManagedObjectContext {
  /// Merges the saves in the mailbox; if that fails, the next merge looks at all objects.
  func mergeNews() throws(PersistenceError) {
    guard let mailbox = relatives.news?.mailbox else { return }
    // A child reads what its parent has.
    if let parent, parent.relatives.news?.mailbox.hasNews == true, parent.work.hook == nil {
      try parent.mergeNews()
    }
    let taken = mailbox.take()
    do throws(PersistenceError) {
      if taken.isComplete { try merge(taken.events) } else { try mergeAll() }
    } catch {
      mailbox.forget()
      throw error
    }
  }

  /// Merges saves whose changes are known.
  func merge(_ events: [SaveEvent]) throws(PersistenceError) {
    let deleted = try gone(among: Set(events.flatMap(\.deleted)))
    var arrived = arrivals(of: events).filter { concerns($0) }
    if !deleted.isEmpty { arrived.removeAll { deleted.contains($0) } }
    try readAgain(arrived)
    for reference in Set(events.flatMap(\.relinked)) {
      if let object = registered(reference) { forgetMembers(of: object) }
    }
    drop(deleted)
    confirmObserved()
  }

  /// The deleted objects, without those that exist again: a deletion may arrive after a save that
  /// has written the object again, and a parent may not merge the saves of others, or has changed
  /// the object.
  private func gone(
    among deleted: Set<ObjectReference>
  ) throws(PersistenceError) -> Set<ObjectReference> {
    deleted.isEmpty ? [] : deleted.subtracting(try storedReferences(among: deleted))
  }

  /// The objects that a merge may bring up to date, and those that only changed collections name.
  private func knownReferences() -> Set<ObjectReference> {
    var known: Set<ObjectReference> = []
    identity.forEach {
      if $0._state.isDisjoint(with: .changed) || $0.hasOnlyIncrements { known.insert($0.reference) }
    }
    for holder in objectsWithOverlay() {
      for property in holder.entity.relationships {
        guard let state = holder.collection(property), state.hasChanges else { continue }
        known.formUnion((state.members ?? MemberList()).filter { registered($0) == nil })
      }
    }
    return known
  }

  /// Looks at all objects, because the changes are not known.
  private func mergeAll() throws(PersistenceError) {
    let known = knownReferences()
    let found = try storedReferences(among: known)
    for object in objectsWithOverlay() { forgetMembers(of: object) }
    drop(known.subtracting(found))
    confirmObserved()
  }

  /// Whether a saved row must be read: that of a clean object or one with increments only, and that
  /// of one that may have joined or left a collection in memory.
  private func concerns(_ reference: ObjectReference) -> Bool {
    if !inverses.watched[reference.entity].isEmpty { return true }
    guard let object = registered(reference) else { return false }
    return object._state.isDisjoint(with: [.fault, .inserted, .updated, .deleted])
      || object.hasOnlyIncrements
  }

  /// The objects whose rows saves have written, each once.
  ///
  /// One save already names each object once, in the order of its changes, which is mostly that of
  /// the keys (docs/performance.md, D).
  private func arrivals(of events: [SaveEvent]) -> [ObjectReference] {
    if events.count == 1, events[0].derived.isEmpty {
      return events[0].inserted + events[0].updated
    }
    var arrived = Set(events.flatMap(\.inserted))
    for event in events { arrived = arrived.union(event.updated).union(event.derived) }
    return Array(arrived)
  }

  /// Reads rows, which brings their objects and the other ends of their links up to date.
  private func readAgain(_ references: [ObjectReference]) throws(PersistenceError) {
    for slab in try storedSlabs(of: references) { try registerObjects(of: slab) }
  }

  /// Reads rows likewise.
  ///
  /// - Returns: Those that exist.
  func storedReferences(
    among references: Set<ObjectReference>
  ) throws(PersistenceError) -> Set<ObjectReference> {
    var found: Set<ObjectReference> = []
    for slab in try storedSlabs(of: references) {
      for object in try register(slab) { found.insert(object.reference) }
    }
    return found
  }

  /// Forgets unchanged collections, whose links are not part of rows, so that they are read again.
  func forgetMembers(
    of object: ManagedObject, where isMeant: (CompiledRelationship) -> Bool = { _ in true }
  ) {
    for property in object.entity.relationships {
      guard let relationship = property.relationship, isMeant(relationship),
        let state = object.collection(property), !state.hasChanges, state.members != nil,
        !object._state.contains(.inserted)
      else { continue }
      object.updateCollection(property) { $0.forgetMembers() }
    }
  }

  /// Drops objects that the store no longer has, unless they have unsaved changes.
  private func drop(_ deleted: Set<ObjectReference>) {
    guard !deleted.isEmpty else { return }
    dropDeleted(deleted, from: objectsWithOverlay())
    for reference in deleted {
      guard let object = registered(reference), object._state.isDisjoint(with: .changed) else {
        continue
      }
      expel(object)
    }
  }
}
