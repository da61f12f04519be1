internal import OxbowModel
internal import OxbowStore

/// A save that met conflicts: what the policy has made of them, beside what it did to the objects.
struct SaveMerge {
  let context: ManagedObjectContext

  /// The objects that are to be deleted and gone from the store already.
  var gone: Set<ObjectReference> = []

  /// The objects that are gone from the store and to be written again.
  var rewritten: Set<ObjectReference> = []

  /// What was resolved.
  var conflicts: [MergeConflict] = []

  init(in context: ManagedObjectContext) { self.context = context }

  var policy: MergePolicy { context.mergePolicy }
}
