internal import OxbowModel
internal import OxbowStore

// Changes of one object's values and links, checked before anything changes; errors are recorded.

extension ManagedObject {
  /// Changes an attribute; setting the value of its row is not a change.
  final func setAttribute(_ index: Int, to value: AttributeValue?) {
    if writeDraft(index, value) { return }
    if _slab.model.hasDerivations, refusesDerived(index) { return }
    if let overlay, isNewAndWritable { return edit(overlay, index, value) }
    guard isWritable("changing '\(entity.properties[index].name)'") else { return }
    let property = entity.properties[index]
    let cell = overlay?[index] ?? .unchanged
    if cell.hasAttribute(value) || cell.isUnchanged && isUnset(property, value) { return }
    if isStored(property, value) {
      guard let overlay, overlay[index].isEdit else { return }
      noteForUndo(property, value)
      noteObservableChange(index)
      overlay[index] = .unchanged
      return forgetUpdateWithoutEdits()
    }
    noteForUndo(property, value)
    edit(makeOverlay(), index, value)
  }

  /// Notes the values of an attribute before and after, if the context records them; a hook that
  /// prepares an object while its row arrives changes nothing that could be undone.
  private final func noteForUndo(_ property: CompiledProperty, _ value: AttributeValue?) {
    guard sign.pointee.isRecording, let context = token.context, let log = context.undoLog,
      context.work.hook?.permission != .nothing
    else { return }
    log.note { $0.noteAttribute(self, property, value) }
  }

  /// Whether an attribute is derived and cannot be set; the error has been recorded then.
  @inline(never)
  private final func refusesDerived(_ index: Int) -> Bool {
    let property = entity.properties[index]
    guard let derivation = property.attribute?.derivation else { return false }
    guard isWritable("changing '\(property.name)'") else { return true }
    token.context?.faults.record(
      PersistenceError(
        .validation,
        "'\(property.name)' of '\(self)' cannot be set: it is derived from '\(derivation)', and the "
          + "store computes it when the context saves; change what it is made of",
        objectIDs: [objectID]))
    return true
  }

  /// Whether the object is new and the caller may change it: it has no row to compare with.
  ///
  /// The fast path of filling in new objects (docs/performance.md, M/insert), beside `isWritable`.
  private final var isNewAndWritable: Bool {
    _state.contains(.inserted) && _state.isDisjoint(with: [.fault, .inaccessible, .detached])
      && sign.pointee.isCurrent && sign.pointee.hasPlainContext
  }

  private final func edit(_ overlay: Overlay, _ index: Int, _ value: AttributeValue?) {
    if _state.contains(.observed) { noteObservableEdit(index, value) }
    overlay[index] = value.map { .attribute($0) } ?? .null
    if !_state.contains(.updated) { token.context?.noteEdit(of: self, overlay, index) }
  }

  @inline(never)
  private final func noteObservableEdit(_ index: Int, _ value: AttributeValue?) {
    let known = valueInMemory(of: entity.properties[index])
    if let known, AttributeValue.areIdentical(known, value) { return }
    noteObservableChange(index)
  }

  /// Whether a value is the one that a transient attribute has before it is first set.
  private final func isUnset(_ property: CompiledProperty, _ value: AttributeValue?) -> Bool {
    property.slot < 0 && !isInserted
      && AttributeValue.areIdentical(property.attribute?.defaultValue, value)
  }

  /// Whether the object's row has a value, byte for byte.
  private final func isStored(_ property: CompiledProperty, _ value: AttributeValue?) -> Bool {
    guard property.slot >= 0, !isInserted else { return false }
    return AttributeValue.areIdentical(_slab.storedValue(Int(_row), property), value)
  }
}

extension ManagedObject {
  /// Sets the objects of a relationship, to-one or to-many.
  final func setObjects(of property: CompiledProperty, to objects: [ManagedObject]) {
    if property.relationship?.isToMany == true {
      setRelatedObjects(of: property, to: objects)
    } else {
      setRelatedObject(of: property, to: objects.first)
    }
  }

  final func setRelatedObject(of property: CompiledProperty, to value: ManagedObject?) {
    guard let relationship = property.relationship,
      let context = writableContext("changing '\(property.name)'"),
      context.accepts(value.map { [$0] } ?? [], for: property, of: self)
    else { return }
    let old = context.toOne(self, property)
    guard old !== value,
      context.prepareLinks(
        of: self, property, gained: value.map { [$0] } ?? [], lost: old.map { [$0] } ?? [])
    else { return }
    if let value {
      context.link(self, relationship, value)
    } else if let old {
      context.unlink(self, relationship, old)
      // That link may have hidden one that others have saved; a link to an object without a row
      // stays.
      if context.toOne(self, property) !== old { setRelatedObject(of: property, to: nil) }
    }
  }

  /// Adds an object to a to-many relationship, or removes it, without comparing the other members.
  final func setMembership(
    of object: ManagedObject, in property: CompiledProperty, to isMember: Bool
  ) {
    guard let relationship = property.relationship,
      let context = writableContext("changing '\(property.name)'"),
      isMember || !(object.token === token && object.isDeleted),
      context.accepts([object], for: property, of: self),
      context.prepareLinks(
        of: self, property, gained: isMember ? [object] : [], lost: isMember ? [] : [object]),
      context.isMember(object, of: property, self) != isMember
    else { return }
    if isMember {
      context.link(self, relationship, object)
    } else {
      context.unlink(self, relationship, object)
    }
  }

  final func setRelatedObjects(of property: CompiledProperty, to value: [ManagedObject]) {
    guard let relationship = property.relationship,
      let context = writableContext("changing '\(property.name)'"),
      context.accepts(value, for: property, of: self),
      let before = context.members(of: property, self)
    else { return }
    let after = MemberList(value.map(\.reference))
    func difference(from before: MemberList) -> (gained: [ManagedObject], lost: [ManagedObject]) {
      (
        value.filter { !before.contains($0.reference) },
        context.objects(at: before.filter { !after.contains($0) })
      )
    }
    var (gained, lost) = difference(from: before)
    guard context.prepareLinks(of: self, property, gained: gained, lost: lost),
      let current = context.members(of: property, self)
    else { return }
    if !current.elementsEqual(before) {
      // Reading a row for the change has changed the members.
      (gained, lost) = difference(from: current)
      guard context.prepareLinks(of: self, property, gained: gained, lost: lost) else { return }
    }
    if relationship.isOrdered, !isInserted { updateCollection(property) { $0.keepBase() } }
    for member in lost { context.unlink(self, relationship, member) }
    for member in gained { context.link(self, relationship, member) }
    if relationship.isOrdered { context.reorder(self, property, after) }
  }
}
