internal import OxbowModel
internal import OxbowStore

/// A save that met conflicts, and what the policy has resolved apart from the objects.
struct SaveMerge {
  let context: ManagedObjectContext

  /// The deleted objects that the store no longer has.
  var gone: Set<ObjectReference> = []

  /// The objects that the store no longer has and that are written again.
  var rewritten: Set<ObjectReference> = []
  var conflicts: [MergeConflict] = []

  init(in context: ManagedObjectContext) { self.context = context }

  var policy: MergePolicy { context.mergePolicy }
}
