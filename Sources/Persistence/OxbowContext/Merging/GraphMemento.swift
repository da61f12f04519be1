internal import OxbowModel
internal import OxbowStore

/// The objects of a context at a moment, to restore when a merge or a transactional call fails: a
/// save that throws has changed nothing in memory, and a call that throws keeps the unsaved changes
/// before it.
struct GraphMemento {
  private var objects: [Entry] = []
  private let unsaved: UnsavedChanges
  private let inverses: Inverses
  private let faults: Faults

  private struct Entry {
    let object: ManagedObject
    let slab: RowSlab
    let row: Int
    let state: ObjectState
    let cells: ContiguousArray<Overlay.Cell>?
  }

  init(of context: ManagedObjectContext) {
    self.init(of: context, context.identity.filter { _ in true })
  }

  /// Keeps the unsaved objects, to restore after a rollback; the others are read again then.
  init(ofUnsavedIn context: ManagedObjectContext) {
    self.init(of: context, context.unsaved.objects)
  }

  private init(of context: ManagedObjectContext, _ objects: [ManagedObject]) {
    context.unsaved.forgetRevertedUpdates()
    unsaved = context.unsaved
    inverses = context.inverses
    faults = context.faults
    self.objects = objects.map { object in
      // First, because it ends a draft.
      let cells = object.overlay?.cells
      return Entry(
        object: object, slab: object._slab, row: Int(object._row), state: object._state,
        cells: cells)
    }
  }

  /// Whether an object, or a value that is kept with the store, has changed since.
  func isChanged(_ context: ManagedObjectContext) -> Bool {
    let edits = Dictionary(
      uniqueKeysWithValues: objects.lazy.filter { !$0.state.isDisjoint(with: .changed) }
        .map { ($0.object, UnsavedEdits($0.state, $0.cells)) })
    let now = context.unsaved.objects
    return now.count != edits.count || now.contains { edits[$0] != UnsavedEdits(of: $0) }
      || context.unsaved.metadata != unsaved.metadata
      || context.unsaved.acknowledgments != unsaved.acknowledgments
  }

  /// Restores the context; all other objects become faults, or are gone if they are new.
  func restore(_ context: ManagedObjectContext) {
    let known = Set(objects.map { ObjectIdentifier($0.object) })
    let met = context.identity.filter { !known.contains(ObjectIdentifier($0)) }
    // Not `becomeFault`: its notifications would be wrong, and no list has these objects.
    for object in met {
      guard !object._state.contains(.inserted) else {
        context.expel(object)
        continue
      }
      object.overlay = nil
      object.forgetRow(context.model, owner: context.token)
      object._state = context.audience.stateOfObjects.union(.fault)
    }
    for entry in objects {
      entry.object.point(to: entry.slab, entry.row)
      entry.object._state = entry.state
      entry.object.overlay = entry.cells.map { Overlay.copying($0) }
      context.identity.insert(entry.object)
    }
    context.unsaved = unsaved
    context.inverses.restore(inverses)
    context.faults.restore(faults)
    context.token.unsavedWork.isPresent = !unsaved.isEmpty
    context.noteAllChanged()
  }
}
