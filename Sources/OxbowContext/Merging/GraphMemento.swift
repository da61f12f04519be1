internal import OxbowModel
internal import OxbowStore

/// All objects of a context as they are at a moment, to go back to when a merge fails: a save that
/// throws has changed nothing in memory.
///
/// - Complexity: O(registered objects); made only when a save has met a conflict.
struct GraphMemento {
  private var objects: [Entry] = []
  private let unsaved: UnsavedChanges
  private let deletedTargets: Set<ObjectReference>
  private let untiedLinks: [ObjectReference: [UntiedLink]]
  private let overtaken:
    [ObjectReference: [(property: CompiledProperty, reference: ObjectReference)]]
  private let deletions: [Deletion]
  private let conditions: [ObjectReference: [EditCondition]]

  private struct Entry {
    let object: ManagedObject
    let slab: RowSlab
    let row: Int
    let state: ObjectState
    let cells: ContiguousArray<Overlay.Cell>?
  }

  init(of context: ManagedObjectContext) {
    unsaved = context.unsaved
    deletedTargets = context.deletedTargets
    untiedLinks = context.untiedLinks
    overtaken = context.overtaken
    deletions = context.deletions
    conditions = context.conditions
    var objects: [Entry] = []
    for map in context.maps {
      map.forEach { object in
        // First, because a draft is none any more with it.
        let cells = object.overlay?.cells
        objects.append(
          Entry(
            object: object, slab: object._slab, row: Int(object._row), state: object._state,
            cells: cells))
      }
    }
    self.objects = objects
  }

  /// Makes the context what it was; objects that it has met since become faults.
  func restore(_ context: ManagedObjectContext) {
    let known = Set(objects.map { ObjectIdentifier($0.object) })
    var met: [ManagedObject] = []
    for map in context.maps {
      map.forEach { if !known.contains(ObjectIdentifier($0)) { met.append($0) } }
    }
    // Not `becomeFault`: what hooks would be told of never happened, and no list has them.
    for object in met {
      object.overlay = nil
      object.forgetRow(context.model, owner: context.token)
      object._state = context.stateOfObjects.union(.fault)
    }
    for entry in objects {
      entry.object.point(to: entry.slab, entry.row)
      entry.object._state = entry.state
      entry.object.overlay = entry.cells.map { Overlay.copying($0) }
      context.register(entry.object)
    }
    context.unsaved = unsaved
    context.deletedTargets = deletedTargets
    context.untiedLinks = untiedLinks
    context.searchedTargets = 0
    context.overtaken = overtaken
    context.deletions = deletions
    context.conditions = conditions
    context.doubtCollections()
    context.noteAllChanged()
  }
}
