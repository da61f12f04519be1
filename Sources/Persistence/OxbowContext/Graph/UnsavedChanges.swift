internal import OxbowModel
internal import OxbowStore

/// The objects that the next save writes, in the order in which they were changed.
///
/// Each list has exactly the objects in its state. An object that takes its changes back stays in
/// the storage, because taking it out would cost as much as the storage is long; the lists leave it
/// out.
struct UnsavedChanges {
  private var insertions: ContiguousArray<ManagedObject> = []
  private var updates: ContiguousArray<ManagedObject> = []

  /// The objects that are to be deleted.
  private(set) var deleted: ContiguousArray<ManagedObject> = []

  /// The values that are to be kept with the store, by key.
  var metadata: [String: ChangeSet.Metadatum] = [:]

  /// How far consumers of the store's history have come, by name.
  var acknowledgments: [String: HistoryAcknowledgment] = [:]

  /// The deletions since the last save, where the policy may take them back.
  private(set) var deletions: [GraphDelta] = []

  /// The conditions under which objects were changed since the last save.
  var conditions: [ObjectReference: [EditCondition]] = [:]

  /// The objects that a save found to be out of date; a rollback makes them be read again.
  var conflicted: [ManagedObjectID] = []

  /// A list of objects in one state.
  typealias List = LazyFilterSequence<ContiguousArray<ManagedObject>>

  /// The new objects.
  var inserted: List { insertions.lazy.filter { $0._state.contains(.inserted) } }

  /// The changed objects, without those that are new or to be deleted.
  var updated: List { updates.lazy.filter { $0._state.isUpdated } }

  var isEmpty: Bool {
    deleted.isEmpty && inserted.isEmpty && updated.isEmpty && metadata.isEmpty
      && acknowledgments.isEmpty
  }

  var count: Int { objects.count }

  /// All of them.
  var objects: [ManagedObject] { Array(inserted) + Array(updated) + Array(deleted) }

  /// Adds a new object.
  mutating func insert(_ object: ManagedObject) { insertions.append(object) }

  /// Leaves out the objects that are not new any more, before some of them become new again, and
  /// those that are not to be deleted any more.
  mutating func compact() {
    insertions.removeAll { !$0._state.contains(.inserted) }
    deleted.removeAll { !$0._state.contains(.deleted) }
  }

  /// Adds an object with changes, unless it is new.
  mutating func update(_ object: ManagedObject) {
    object._state.insert(.updated)
    guard object._state.isDisjoint(with: [.inserted, .listed]) else { return }
    object._state.insert(.listed)
    updates.append(object)
  }

  /// Adds an object that is to be deleted.
  mutating func delete(_ object: ManagedObject) {
    object._state.insert(.deleted)
    deleted.append(object)
  }

  /// Takes a deletion back.
  mutating func undelete(_ object: ManagedObject) {
    object._state.remove(.deleted)
    deleted.removeAll { $0 === object }
  }

  /// Removes and returns the new objects, for a caller that keeps no other reference to them.
  mutating func takeInserted() -> ContiguousArray<ManagedObject> {
    defer { insertions = [] }
    insertions.removeAll { !$0._state.contains(.inserted) }
    return insertions
  }

  /// Likewise the objects that are to be deleted.
  mutating func takeDeleted() -> ContiguousArray<ManagedObject> {
    defer { deleted = [] }
    return deleted
  }

  /// Notes a deletion that can be taken back as a whole.
  mutating func note(deletionOf objects: [ManagedObject]) {
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

  /// Removes and returns a deletion that has deleted an object.
  mutating func takeDeletion(of object: ManagedObject) -> GraphDelta? {
    deletions.firstIndex { $0.vanished.contains { $0.object === object } }
      .map { deletions.remove(at: $0) }
  }

  /// Forgets the deletions that were taken back otherwise.
  mutating func forgetTakenBack() {
    deletions.removeAll { !$0.vanished.contains { $0.object._state.contains(.deleted) } }
  }

  /// What the row of an object must meet when its changes are saved.
  func condition(of object: ManagedObject) -> FetchPredicate? {
    guard !conditions.isEmpty, let known = conditions[object.reference],
      let overlay = object.overlay
    else { return nil }
    let predicates = known.filter { $0.properties.contains { overlay.isEdit(at: $0) } }
      .map(\.predicate)
    return predicates.count < 2 ? predicates.first : .and(predicates)
  }

  /// Whether a property was changed under a condition.
  func isConditional(_ property: CompiledProperty, of object: ManagedObject) -> Bool {
    guard !conditions.isEmpty, let known = conditions[object.reference] else { return false }
    return known.contains { $0.properties.contains(property.index) }
  }

  /// After a save or a rollback: nothing is changed.
  mutating func forget() {
    for object in updates { object._state.remove(.listed) }
    self = UnsavedChanges()
  }
}

/// What the store's row must meet when some changes of an object are saved; the changes do not ask
/// which version the row has.
struct EditCondition {
  let predicate: FetchPredicate

  /// The properties that were changed under the condition, by index; it counts as long as one of
  /// them is an edit.
  let properties: Set<Int>
}

// MARK: - Noting them

extension ManagedObjectContext {
  /// Remembers that the next save has to look at `object`.
  func markUpdated(_ object: ManagedObject) {
    if object._state.contains(.updated) { return }
    unsaved.update(object)
    token.unsavedWork.isPresent = true
  }

  /// Remembers that the next save has to look at `object`; a transient attribute that a hook sets
  /// while a row arrives is not a change.
  func noteEdit(of object: ManagedObject, _ overlay: Overlay, _ index: Int) {
    if work.hook?.permission == .nothing,
      let attribute = object.entity.properties[index].attribute, attribute.isTransient
    {
      overlay[index] = overlay[index].withoutEdit(default: attribute.defaultValue)
    } else {
      markUpdated(object)
    }
  }

  /// Remembers that the next save has to look at `object`, or that it need not any more because the
  /// property is as it was.
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

  /// Remembers that a call has asked for objects of an entity.
  func noteLookup(_ entity: Int) { work.lookups.insert(identity.roots[entity]) }

  /// Remembers that a call may have asked for any object.
  func noteLookupOfAll() { work.lookups.formUnion(identity.roots) }

  /// Makes changes that cannot be undone: those of others, and what is taken back.
  func withoutRecording<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    guard let undoLog else { return try body() }
    return try undoLog.withoutRecording(body)
  }
}
