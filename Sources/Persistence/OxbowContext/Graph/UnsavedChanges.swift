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

  /// A list of objects in one state.
  typealias List = LazyFilterSequence<ContiguousArray<ManagedObject>>

  /// The new objects.
  var inserted: List { insertions.lazy.filter { $0._state.contains(.inserted) } }

  /// The changed objects, without those that are new or to be deleted.
  var updated: List { updates.lazy.filter { $0._state.isUpdated } }

  var isEmpty: Bool {
    deleted.isEmpty && inserted.isEmpty && updated.isEmpty && metadata.isEmpty
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

  /// Forgets all objects.
  mutating func removeAll() {
    for object in updates { object._state.remove(.listed) }
    self = UnsavedChanges()
  }
}

/// A deletion that can be taken back as a whole: what it deleted, and the links that it removed.
struct Deletion {
  typealias Link = (
    owner: ManagedObject, relationship: CompiledRelationship, member: ManagedObject
  )

  let objects: [ManagedObject]
  var links: [Link] = []
}

/// A link without inverse that ended because its member is to be deleted.
struct UntiedLink {
  let owner: ManagedObject
  let property: CompiledProperty
  /// Whether it was an unsaved change.
  let wasEdit: Bool
  /// The row that the owner had.
  let slab: RowSlab
  let row: Int32
}
