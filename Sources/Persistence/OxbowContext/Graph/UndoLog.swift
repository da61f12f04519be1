internal import OxbowModel
internal import OxbowStore

/// The changes of a context that can be undone and redone.
///
/// Edits are noted where they are made, each with the value before; nothing is read or compared
/// until a group ends. Without a log, a link costs one test and a value none: values are noted on
/// the path that objects take while their context records (``OwnerSign``).
final class UndoLog {
  var undoable: [GraphDelta] = []
  var redoable: [GraphDelta] = []

  typealias Stack = ReferenceWritableKeyPath<UndoLog, [GraphDelta]>

  /// The group that is being recorded, and the number of nested groups that the program has begun.
  private(set) var group: UndoGroup?
  private(set) var depth = 0

  /// The number of groups that can be undone; 0 for any number.
  var levels: Int { didSet { trim() } }

  /// The number of callers that have suspended recording.
  private var suspensions = 0
  private unowned let context: ManagedObjectContext

  init(of context: ManagedObjectContext, levels: Int) {
    self.context = context
    self.levels = levels
  }

  private func trim() {
    guard levels > 0 else { return }
    undoable.removeFirst(max(0, undoable.count - levels))
    redoable.removeFirst(max(0, redoable.count - levels))
  }

  func withoutRecording<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    suspensions += 1
    defer { suspensions -= 1 }
    return try body()
  }

  /// Changes the group that is recorded, or begins one.
  func note(_ change: (UndoGroup) -> Void) {
    guard suspensions == 0 else { return }
    redoable = []
    change(openGroup())
  }

  private func openGroup() -> UndoGroup {
    if let group { return group }
    let made = UndoGroup()
    group = made
    return made
  }
}

extension ManagedObjectContext {
  var undoLog: UndoLog? {
    get { work.undo.map { unsafeDowncast($0, to: UndoLog.self) } }
    set { work.undo = newValue }
  }
}

// MARK: - Groups

extension UndoLog {
  /// Begins a group of the program's; what was recorded outside of one is a group by itself.
  func begin(_ name: String?) {
    if depth == 0 { close() }
    depth += 1
    if let name, group?.name == nil { openGroup().name = name }
  }

  /// Ends the program's groups that are deeper than `outer`.
  func end(to outer: Int) {
    guard depth > outer else { return }
    depth = outer
    if depth == 0 { close() }
  }
  func rename(_ name: String) { openGroup().name = name }

  /// Ends the group that no program has begun.
  func closeImplicitGroup() { if depth == 0 { close() } }

  /// Ends the group, after the links without inverse to deleted objects have ended: that happens
  /// late, and would be missing.
  private func close() {
    if group == nil { return }
    context.untieDeleted()
    guard let record = group?.delta() else { return }
    group = nil
    guard !record.isEmpty else { return }
    undoable.append(record)
    trim()
  }

  /// What is recorded at a moment.
  struct Mark {
    fileprivate let undoable: [GraphDelta]
    fileprivate let redoable: [GraphDelta]
    fileprivate let group: UndoGroup?
  }

  func mark() -> Mark { Mark(undoable: undoable, redoable: redoable, group: group?.copy()) }

  /// Forgets what was recorded since, which was taken back.
  func restore(_ mark: Mark) {
    (undoable, redoable, group) = (mark.undoable, mark.redoable, mark.group)
    trim()
  }

  /// Forgets everything that was recorded; groups that the program has begun continue.
  func removeAll() {
    undoable = []
    redoable = []
    group = nil
  }
}

// MARK: - Changes

extension UndoLog {
  /// Notes that a link has begun or ended.
  ///
  /// Both relationships of a link name it; the first one in the model is used.
  func noteLink(
    _ owner: ManagedObject, _ relationship: CompiledRelationship, _ member: ObjectReference,
    isAdded: Bool
  ) {
    let inverse = owner._slab.model.inverse(of: relationship)
    let isTurned =
      inverse.map {
        $0.id == relationship.id
          ? member.precedes(owner.reference) : $0.id.precedes(relationship.id)
      } ?? false
    let link = GraphDelta.Link(
      relationship: isTurned ? inverse?.id ?? relationship.id : relationship.id,
      owner: isTurned ? member : owner.reference, member: isTurned ? owner.reference : member)
    note { $0.noteLink(link, isAdded: isAdded) }
  }

  /// Notes that the members of an ordered relationship are about to change, and keeps the order, so
  /// that restoring it is not a change.
  func noteOrder(_ object: ManagedObject, _ property: CompiledProperty) {
    guard property.relationship?.isOrdered == true else { return }
    note { $0.noteOrder(object, property) }
    // A reversal's changes are not noted, and may be reversed again.
    keepBase(object, property)
  }

  private func keepBase(_ object: ManagedObject, _ property: CompiledProperty) {
    guard !object._state.contains(.inserted) else { return }
    object.updateCollection(property) { $0.keepBase() }
  }

  /// Notes that an object is about to be deleted, whose links are gone or noted.
  func noteDeletion(_ object: ManagedObject) {
    let gone = GraphDelta.Object(of: object)
    note { $0.noteDeletion(gone) }
  }

  /// Notes that a link without inverse ended because its member was deleted, for the group of that
  /// deletion.
  func noteLostMember(
    _ owner: ManagedObject, _ property: CompiledProperty, _ member: ObjectReference
  ) {
    guard suspensions == 0, let relationship = property.relationship else { return }
    if group?.hasDeleted(member) == true {
      noteOrder(owner, property)
      return noteLink(owner, relationship, member, isAdded: false)
    }
    guard let index = deletion(of: member) else { return }
    if relationship.isOrdered { keepBase(owner, property) }
    undoable[index].loseMember(
      GraphDelta.Link(relationship: relationship.id, owner: owner.reference, member: member),
      relationship.isOrdered ? owner.loadedMembers(of: property) : nil)
  }
}

extension UndoLog {
  func hasDeleted(_ reference: ObjectReference) -> Bool { deletion(of: reference) != nil }

  /// Gives a link to the group that has deleted one of its objects, so that it comes back with it.
  func handOver(_ link: GraphDelta.Link, of gone: ObjectReference) {
    if let index = deletion(of: gone) { undoable[index].loseMember(link, nil) }
  }

  private func deletion(of reference: ObjectReference) -> Int? {
    undoable.lastIndex { $0.vanished.contains { $0.object.reference == reference } }
  }
}

extension RelationshipID {
  fileprivate func precedes(_ other: RelationshipID) -> Bool {
    (entity, property) < (other.entity, other.property)
  }
}
