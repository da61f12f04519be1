internal import OxbowModel
internal import OxbowStore

// Changes that are added to the store's values when the context saves.

extension ManagedObject {
  /// The value of an attribute, edits included, with an increment.
  ///
  /// - Throws: ``PersistenceError``: why the row could not be read, `validation` without a value,
  ///   `overflow`.
  final func incremented(
    _ property: CompiledProperty, by increment: AttributeValue
  ) throws(PersistenceError) -> AttributeValue {
    guard let attribute = property.attribute,
      let value = try throwing({ attributeValue(of: property) })
    else { throw .nothingToIncrement(property.name, of: objectID, isStored: false) }
    guard let sum = value.adding(increment, as: attribute.type) else {
      throw .incrementOverflow(attribute, of: objectID, value, by: increment)
    }
    return sum
  }

  /// Adds to an attribute: an increment, or a change of a value that the context would save.
  final func increment(
    _ property: CompiledProperty, by increment: AttributeValue
  ) throws(PersistenceError) {
    let sum = try incremented(property, by: increment)
    let pending = self.increment(of: property)
    guard property.slot >= 0, !_state.contains(.inserted), pending != nil || !isEdited(property)
    else { return try throwing { setAttribute(property.index, to: sum) } }
    guard let context = token.context, let type = property.attribute?.type.incrementType else {
      return
    }
    guard context.store.appliesIncrements(to: entityIndex) else {
      throw PersistenceError(
        .unsupported,
        "'\(property.name)' of '\(self)' cannot be incremented: the store of '\(entityName)' does not "
          + "add to what it has; set the value, and save again after a conflict",
        objectIDs: [objectID])
    }
    if increment.isZero { return }
    let total = pending.map { $0.adding(increment, as: type) } ?? increment
    guard let total, total.negated != nil else {
      throw .incrementOverflow(
        AttributeDescription(property.name, type), of: objectID, pending ?? sum, by: increment)
    }
    setIncrement(of: property, to: total.isZero ? nil : total, by: increment)
  }

  /// Replaces an increment; `by` is the difference, for undo.
  final func setIncrement(
    of property: CompiledProperty, to total: AttributeValue?, by difference: AttributeValue
  ) {
    guard let context = token.context else { return }
    if sign.pointee.isRecording {
      context.undoLog?.note { $0.noteIncrement(self, property, difference, total) }
    }
    noteObservableChange(property.index)
    makeOverlay()[property.index] = total.map { .increment($0) } ?? .unchanged
    context.noteChange(of: self, property)
  }
}
