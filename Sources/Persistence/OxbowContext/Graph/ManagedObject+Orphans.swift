internal import OxbowModel
internal import OxbowStore

// Objects that have lost their context. Everything here is for the owner; see `isOwned`.

extension ManagedObject {
  /// Whether the object belongs to no context: its context was reset or is gone, its deletion was
  /// saved, or its insert was undone.
  ///
  /// It keeps its attribute values in memory. Everything else is refused.
  final var isOrphan: Bool { !sign.pointee.hasContext || _state.contains(.detached) }

  /// Whether the object has a context; otherwise the error was recorded.
  final func isOwnedByContext(_ action: @autoclosure () -> String) -> Bool {
    guard isOrphan else { return true }
    recordOrphan(action())
    return false
  }

  /// Keeps the error of a use of an object without a context: in ``faultError``, for the next
  /// throwing call of the context that the object came from, if that lives, and in the report.
  private final func recordOrphan(_ action: String) {
    let error = orphanError(action)
    token.refuse(reference, error)
    token.context?.faults.record(error)
  }

  /// The error of a use of an object without a context.
  final func orphanError(_ action: String) -> PersistenceError {
    let reason =
      if !token.hasContext {
        "its context '\(token.name)' was reset or is gone"
      } else if let successor {
        "it was new, and a save has given its values to '\(successor)', which has its unique values: "
          + "use that object"
      } else if version == 0 && !_slab.isFault {
        "it was new, and its insert was undone"
      } else {
        "it was deleted, and the deletion was saved"
      }
    return PersistenceError(
      .foreignObject,
      "\(action) of '\(self)' had no effect, because the object belongs to no context any more: "
        + "\(reason). Keep the context as long as its objects, or fetch the object again by its ID",
      objectIDs: [objectID] + (successor.map { [$0] } ?? []))
  }

  /// The object that a save has merged this new one into.
  final var successor: ManagedObjectID? {
    guard _state.contains(.merged) else { return nil }
    return (_slab.kept(with: Int(_row)) as? Successor)?.objectID
  }

  /// Notes the object that this one, which has just lost its context, was merged into.
  final func lead(to successor: ManagedObjectID) {
    _slab.keep(Successor(successor), with: Int(_row))
    _state.insert(.merged)
  }

  /// Throws where ``isOwnedByContext(_:)`` records.
  final func requireContext(_ action: @autoclosure () -> String) throws(PersistenceError) {
    try token.requireOwner(action(), "the object '\(self)'")
    if isOrphan { throw orphanError(action()) }
  }
}

private final class Successor {
  let objectID: ManagedObjectID

  init(_ objectID: ManagedObjectID) { self.objectID = objectID }
}
