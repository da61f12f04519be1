internal import OxbowModel
internal import OxbowStore

// What a save of another context means for the objects of this one. Unsaved changes are never
// touched.

extension ManagedObjectContext {
  /// Merges the saves in the mailbox; when that fails, all objects are looked at the next time.
  func mergeNews() throws(PersistenceError) {
    guard let mailbox = news?.mailbox else { return }
    let taken = mailbox.take()
    do throws(PersistenceError) {
      if taken.isComplete { try merge(taken.events) } else { try mergeAll() }
    } catch {
      mailbox.forget()
      throw error
    }
  }

  /// Merges saves of which it is known what they changed.
  func merge(_ events: [SaveEvent]) throws(PersistenceError) {
    let deleted = Set(events.flatMap(\.deleted))
    let arrived = Set(events.flatMap(\.inserted) + events.flatMap(\.updated)).subtracting(deleted)
    let derived = Set(events.flatMap(\.derived)).subtracting(deleted)
    try readAgain(arrived.union(derived).filter { concerns($0) })
    for reference in Set(events.flatMap(\.relinked)) {
      if let object = registered(reference) { forgetMembers(of: object) }
    }
    drop(deleted)
    confirmObserved()
  }

  /// Looks at all objects, because nobody knows what was changed.
  private func mergeAll() throws(PersistenceError) {
    var known: Set<ObjectReference> = []
    for map in maps {
      map.forEach {
        if $0._state.isDisjoint(with: .changed) || $0.hasOnlyIncrements {
          known.insert($0.reference)
        }
      }
    }
    let found = try readAgain(known)
    for reference in known { if let object = registered(reference) { forgetMembers(of: object) } }
    drop(known.subtracting(found))
    confirmObserved()
  }

  /// Whether a row that was saved has to be read: that of a clean object or one that has increments
  /// only, and one that may have joined or left a collection in memory.
  private func concerns(_ reference: ObjectReference) -> Bool {
    if !watched[reference.entity].isEmpty { return true }
    guard let object = registered(reference) else { return false }
    return object._state.isDisjoint(with: [.fault, .inserted, .updated, .deleted])
      || object.hasOnlyIncrements
  }

  /// Reads rows, which brings their objects and the other ends of their links up to date.
  ///
  /// - Returns: Those that are there.
  @discardableResult
  func readAgain(
    _ references: Set<ObjectReference>
  ) throws(PersistenceError) -> Set<ObjectReference> {
    var found: Set<ObjectReference> = []
    for slab in try storedSlabs(of: references) {
      for object in try register(slab) { found.insert(object.reference) }
    }
    return found
  }

  /// Makes unchanged collections, whose links are no part of rows, be read again.
  private func forgetMembers(of object: ManagedObject) {
    for property in object.entity.relationships {
      guard let state = object.collection(property), !state.hasChanges, state.members != nil,
        !object._state.contains(.inserted)
      else { continue }
      object.updateCollection(property) { $0.forgetMembers() }
    }
  }

  /// Drops objects that are gone from the store, unless they have unsaved changes.
  private func drop(_ deleted: Set<ObjectReference>) {
    dropDeleted(deleted)
    for reference in deleted {
      guard let object = registered(reference), object._state.isDisjoint(with: .changed) else {
        continue
      }
      expel(object)
    }
  }
}
