internal import OxbowModel
internal import OxbowStore

// Objects that have lost their context. Everything here is for the owner; see `isOwned`.

extension ManagedObject {
  /// Whether the object belongs to no context: its context was reset or is gone, its deletion was
  /// saved, or its insert was undone.
  ///
  /// It keeps the attribute values that it has in memory. Everything else is refused.
  final var isOrphan: Bool { !sign.pointee.hasContext || _state.contains(.detached) }

  /// Whether the object has a context; if not, the error was recorded.
  final func isOwnedByContext(_ action: @autoclosure () -> String) -> Bool {
    guard isOrphan else { return true }
    recordOrphan(action())
    return false
  }

  /// Keeps the error of a use of an object without a context, where the object's user finds it: in
  /// ``faultError``, in the next throwing call of the context that the object came from, if it
  /// lives, and in the report.
  private final func recordOrphan(_ action: String) {
    let error = orphanError(action)
    token.refuse(reference, error)
    token.context?.record(error)
  }

  /// Why an object without a context cannot be used.
  final func orphanError(_ action: String) -> PersistenceError {
    let reason =
      if !token.hasContext {
        "its context '\(token.name)' was reset or is gone"
      } else if version == 0 && !_slab.isFault {
        "it was new, and its insert was undone"
      } else {
        "it was deleted, and the deletion was saved"
      }
    return PersistenceError(
      .foreignObject,
      "\(action) of '\(self)' had no effect, because the object belongs to no context any more: "
        + "\(reason). Keep the context as long as its objects, or fetch the object again by its ID",
      objectIDs: [objectID])
  }

  /// Throws where ``isOwnedByContext(_:)`` records.
  final func requireContext(_ action: @autoclosure () -> String) throws(PersistenceError) {
    try token.requireOwner(action(), "the object '\(self)'")
    if isOrphan { throw orphanError(action()) }
  }
}
