internal import OxbowModel
internal import OxbowStore

/// The objects that the next save writes, in the order of their changes.
///
/// Each list has exactly the objects in its state. An object that takes its changes back stays in
/// the storage, because removing it would cost as much as the storage is long; the lists skip it.
struct UnsavedChanges {
  private var insertions: ContiguousArray<ManagedObject> = []
  private var updates: ContiguousArray<ManagedObject> = []
  private var removals: ContiguousArray<ManagedObject> = []

  /// Whether a deletion was taken back whose object is still in the storage.
  private var hasReturned = false

  /// The values to keep with the store, by key.
  var metadata: [String: ChangeSet.Metadatum] = [:]

  /// How far consumers of the store's history have come, by name.
  private(set) var acknowledgments: [String: HistoryAcknowledgment] = [:]

  /// The deletions since the last save, if the policy may take them back, and the place of each
  /// object's; an object that came back in another way has none.
  private var deletions: [GraphDelta] = []
  private var places: [ObjectIdentifier: Int] = [:]

  /// The conditions under which objects were changed since the last save.
  var conditions: [ObjectReference: [EditCondition]] = [:]

  /// The objects that a save found to be out of date: a rollback reads them again.
  var conflicted: [ManagedObjectID] = []
  typealias List = LazyFilterSequence<ContiguousArray<ManagedObject>>
  var inserted: List { insertions.lazy.filter { $0._state.contains(.inserted) } }

  /// The changed objects that are neither new nor deleted.
  var updated: List { updates.lazy.filter { $0._state.isUpdated } }

  var deleted: List { removals.lazy.filter { $0._state.contains(.deleted) } }

  var isEmpty: Bool {
    deleted.isEmpty && inserted.isEmpty && updated.isEmpty && metadata.isEmpty
      && acknowledgments.isEmpty
  }

  var count: Int { objects.count }
  var objects: [ManagedObject] { Array(inserted) + Array(updated) + Array(deleted) }
  mutating func insert(_ object: ManagedObject) { insertions.append(object) }

  /// Removes the objects that are no longer new, before some become new again, and those that are
  /// no longer deleted.
  mutating func compact() {
    insertions.removeAll { !$0._state.contains(.inserted) }
    removals.removeAll { !$0._state.contains(.deleted) }
    hasReturned = false
  }

  /// Adds an object with changes, unless it is new.
  mutating func update(_ object: ManagedObject) {
    object._state.insert(.updated)
    guard object._state.isDisjoint(with: [.inserted, .listed]) else { return }
    object._state.insert(.listed)
    updates.append(object)
  }

  /// Removes the objects that have taken their changes back: what is restored knows nothing of
  /// them, and they may change again.
  mutating func forgetRevertedUpdates() {
    updates.removeAll { object in
      guard !object._state.contains(.updated) else { return false }
      object._state.remove(.listed)
      return true
    }
  }

  mutating func delete(_ object: ManagedObject) {
    if hasReturned { compact() }
    object._state.insert(.deleted)
    removals.append(object)
  }

  mutating func undelete(_ object: ManagedObject) {
    object._state.remove(.deleted)
    hasReturned = true
    forgetDeletion(of: object)
  }

  /// Removes and returns the new objects, for a caller that keeps no other reference to them.
  mutating func takeInserted() -> ContiguousArray<ManagedObject> {
    defer { insertions = [] }
    insertions.removeAll { !$0._state.contains(.inserted) }
    return insertions
  }

  mutating func takeDeleted() -> ContiguousArray<ManagedObject> {
    defer { removals = [] }
    removals.removeAll { !$0._state.contains(.deleted) }
    return removals
  }

  /// Notes a deletion that can be taken back as a whole.
  mutating func note(deletionOf objects: [ManagedObject]) {
    for object in objects { places[ObjectIdentifier(object)] = deletions.count }
    deletions.append(GraphDelta(vanished: objects.map { GraphDelta.Object(object: $0) }))
  }

  /// Notes a link that the last deletion has removed.
  mutating func noteLink(
    endedByDeletionOf owner: ManagedObject, _ relationship: CompiledRelationship,
    _ member: ManagedObject
  ) {
    guard !deletions.isEmpty else { return }
    let link = GraphDelta.Link(
      relationship: relationship.id, owner: owner.reference, member: member.reference)
    deletions[deletions.count - 1].links.append(.init(link: link, isAdded: false, member: member))
  }

  /// Removes and returns the deletion of an object.
  mutating func takeDeletion(of object: ManagedObject) -> GraphDelta? {
    guard let place = places[ObjectIdentifier(object)] else { return nil }
    var deletion = deletions[place]
    deletions[place] = GraphDelta()
    deletion.vanished.removeAll { places[ObjectIdentifier($0.object)] != place }
    for item in deletion.vanished { places[ObjectIdentifier(item.object)] = nil }
    return deletion
  }

  /// Leaves an object that came back in another way out of its deletion.
  mutating func forgetDeletion(of object: ManagedObject) {
    places[ObjectIdentifier(object)] = nil
  }

  /// Notes that a consumer has seen a batch; a save can acknowledge one of each consumer.
  mutating func acknowledge(_ batch: HistoryAcknowledgment) throws(PersistenceError) {
    guard acknowledgments[batch.consumer] == nil else {
      throw PersistenceError(
        .validation,
        "the next save already acknowledges a batch of the consumer '\(batch.consumer)'; save before "
          + "another one is read, because until then it begins at the same place")
    }
    acknowledgments[batch.consumer] = batch
  }

  mutating func forget() {
    for object in updates { object._state.remove(.listed) }
    self = UnsavedChanges()
  }
}

/// A condition that the store's row must meet when some changes of an object are saved; the save
/// does not compare the row's version for them.
struct EditCondition {
  let predicate: FetchPredicate

  /// The properties that were changed under the condition, by index: it counts as long as one of
  /// them is an edit.
  let properties: Set<Int>
}

extension [EditCondition] {
  /// The condition that the row of an object must meet when its changes are saved.
  func predicate(of overlay: Overlay) -> FetchPredicate? {
    let predicates = filter { $0.properties.contains { overlay.isEdit(at: $0) } }.map(\.predicate)
    return predicates.count < 2 ? predicates.first : .and(predicates)
  }
}

// MARK: - Noting them

extension ManagedObjectContext {
  /// Lets the next save look at `object`.
  func markUpdated(_ object: ManagedObject) {
    if object._state.contains(.updated) { return }
    unsaved.update(object)
    token.unsavedWork.isPresent = true
  }

  /// Lets the next save look at `object`, unless a hook sets a transient attribute while a row
  /// arrives, which is not a change.
  func noteEdit(of object: ManagedObject, _ overlay: Overlay, _ index: Int) {
    if work.hook?.permission == .nothing,
      let attribute = object.entity.properties[index].attribute, attribute.isTransient
    {
      overlay[index] = overlay[index].withoutEdit(default: attribute.defaultValue)
    } else {
      markUpdated(object)
    }
  }

  /// Lets the next save look at `object`, or not if its edits were all taken back.
  func noteChange(of object: ManagedObject, _ property: CompiledProperty) {
    if object.isEdited(property) {
      markUpdated(object)
    } else {
      object.forgetUpdateWithoutEdits()
    }
  }

  /// After a save or a rollback: nothing is changed, and the next save is not refused.
  func forgetChanges() {
    unsaved.forget()
    inverses.forget()
    faults.forget()
    token.unsavedWork.isPresent = false
  }

  /// Notes that a call has asked for objects of an entity.
  func noteLookup(_ entity: Int) { work.lookups.insert(identity.roots[entity]) }

  /// Notes that a call may have asked for any object.
  func noteLookupOfAll() { work.lookups.formUnion(identity.roots) }

  /// Makes changes that cannot be undone: those of others, and what is taken back.
  func withoutRecording<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let undoLog else { return try body() }
    return try undoLog.withoutRecording(body)
  }
}
