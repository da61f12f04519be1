internal import OxbowModel
internal import OxbowStore

// Whether an object may be read and changed. Everything here is for the owner; see `isOwned`.

extension ManagedObject {
  /// Whether the object belongs to no context: its context was reset or is gone, its deletion was
  /// saved, or its insert was undone.
  ///
  /// It keeps the attribute values that it has in memory. Everything else is refused.
  final var isOrphan: Bool { !sign.pointee.hasContext || _state.contains(.detached) }

  /// The context, if the caller may change the object; the object's row is there then.
  final func writableContext(_ action: @autoclosure () -> String) -> ManagedObjectContext? {
    isWritable(action()) ? token.context : nil
  }

  /// Whether the caller may change the object, whose row is there then.
  ///
  /// Otherwise the error has been recorded.
  final func isWritable(_ action: @autoclosure () -> String) -> Bool {
    guard isOwned(action()) else { return false }
    // Nothing is special about most objects, and this is asked for each edit (suite M).
    if !isOrphan && _state.isDisjoint(with: [.fault, .inaccessible]) { return true }
    return isOwnedByContext(action()) && isReadable(action())
  }

  /// Whether the object's row is there, read from the store if it has to be.
  ///
  /// Otherwise the error has been recorded.
  final func isReadable(_ action: @autoclosure () -> String) -> Bool {
    guard isOwned(action()) else { return false }
    if _state.isDisjoint(with: [.fault, .inaccessible]) && !isWithoutRow { return true }
    guard isOwnedByContext(action()), let context = token.context else { return false }
    return context.fire(self, action())
  }

  /// Whether the object has a context; if not, the error was recorded.
  final func isOwnedByContext(_ action: @autoclosure () -> String) -> Bool {
    guard isOrphan else { return true }
    recordOrphan(action())
    return false
  }

  /// Whether what a property leads to, or its value, can be had without a context.
  final func isHeld(_ property: CompiledProperty) -> Bool {
    if let overlay, overlay[property.index].isEdit { return true }
    return property.slot < 0 || _state.isDisjoint(with: [.fault, .inaccessible]) && !isWithoutRow
  }

  /// Whether the slab has the object's key only, as that of a new object.
  private final var isWithoutRow: Bool { _slab.isFault && !_state.contains(.inserted) }

  /// Keeps the error of a use of an object without a context, where the object's user finds it: in
  /// ``faultError``, in the next throwing call of the context that the object came from, if it lives,
  /// and in the report.
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
