internal import OxbowModel
internal import OxbowStore

// What the accessors of relationships that `@Entity` writes call.

extension ManagedObject {
  /// Reads a to-one relationship.
  public final func _object<T: ManagedObject>(_ accessor: Int) -> T? {
    guard isOwned("reading", accessor) else { return nil }
    return relatedObject(of: property(accessor)).flatMap { typed($0) }
  }

  /// Changes a to-one relationship, and its inverse.
  public final func _setObject<T: ManagedObject>(_ accessor: Int, _ value: T?) {
    guard isOwned("changing", accessor) else { return }
    setRelatedObject(of: property(accessor), to: value)
  }

  /// Reads a to-many relationship.
  public final func _objects<T: ManagedObject>(_ accessor: Int) -> Set<T> {
    guard isOwned("reading", accessor) else { return [] }
    let objects: [T] = relatedObjects(of: property(accessor)).compactMap { typed($0) }
    return Set(objects)
  }

  /// Changes a to-many relationship, and its inverse.
  public final func _setObjects<T: ManagedObject>(_ accessor: Int, _ value: Set<T>) {
    guard isOwned("changing", accessor) else { return }
    setRelatedObjects(
      of: property(accessor), to: value.sorted { $0.identity.key < $1.identity.key })
  }

  /// Reads an ordered to-many relationship.
  public final func _orderedObjects<T: ManagedObject>(_ accessor: Int) -> [T] {
    guard isOwned("reading", accessor) else { return [] }
    return relatedObjects(of: property(accessor)).compactMap { typed($0) }
  }

  /// Changes an ordered to-many relationship, and its inverse.
  ///
  /// An object that stands twice keeps its first place.
  public final func _setOrderedObjects<T: ManagedObject>(_ accessor: Int, _ value: [T]) {
    guard isOwned("changing", accessor) else { return }
    setRelatedObjects(of: property(accessor), to: value)
  }

  private final func typed<T: ManagedObject>(_ object: ManagedObject) -> T? {
    if let object = object as? T { return object }
    token.context?.record(
      PersistenceError(
        .classMismatch,
        "the object '\(object)' is a '\(type(of: object))' where '\(entity.name)' expects a "
          + "'\(T.self)'; pass the right classes when the store is opened"))
    return nil
  }
}

extension ManagedObject {
  /// The object of a to-one relationship.
  final func relatedObject(of property: CompiledProperty) -> ManagedObject? {
    guard isOwned("reading '\(property.name)'"), isOwnedByContext("reading '\(property.name)'"),
      let context = token.context
    else { return nil }
    return context.toOne(self, property)
  }

  /// What a to-one relationship leads to, edits included.
  final func reference(of property: CompiledProperty) -> ObjectReference? {
    if let overlay {
      switch overlay[property.index] {
      case .object(let reference): return reference
      case .null: return nil
      default: break
      }
    }
    guard property.slot >= 0, !isInserted, isReadable("reading '\(property.name)'") else {
      return nil
    }
    return _slab.reference(Int(_row), property)
  }

  /// The objects of a to-many relationship, in its order if it has one, else in that of their keys.
  final func relatedObjects(of property: CompiledProperty) -> [ManagedObject] {
    guard isOwned("reading '\(property.name)'"), isOwnedByContext("reading '\(property.name)'"),
      let context = token.context, let members = context.members(of: property, self)
    else { return [] }
    return context.objects(at: members)
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
      // A row that was read for the change has changed what the members are.
      (gained, lost) = difference(from: current)
      guard context.prepareLinks(of: self, property, gained: gained, lost: lost) else { return }
    }
    for member in lost { context.unlink(self, relationship, member) }
    for member in gained { context.link(self, relationship, member) }
    if relationship.isOrdered { context.reorder(self, property, after) }
  }

  /// The state of a to-many relationship that was loaded or changed.
  final func collection(_ property: CompiledProperty) -> CollectionState? {
    if let overlay, case .collection(let state) = overlay[property.index] { return state }
    return nil
  }

  /// Changes the state of a to-many relationship.
  final func updateCollection(
    _ property: CompiledProperty, _ change: (inout CollectionState) -> Void
  ) {
    makeOverlay().updateCollection(property.index, change)
  }
}

extension RowSlab {
  /// What a to-one relationship of a row leads to.
  func reference(_ row: Int, _ property: CompiledProperty) -> ObjectReference? {
    guard !isFault, property.slot >= 0, let relationship = property.relationship,
      !_isNull(row, property.slot)
    else { return nil }
    return ObjectReference(entity: entity(row, relationship), key: _word(row, property.slot))
  }

  /// The entity that the row names beside a key; the relationship's own where it names none below that.
  ///
  /// Only the row at the other end knows; a fault of another entity gives way to it when it is read.
  private func entity(_ row: Int, _ relationship: CompiledRelationship) -> Int {
    let slot = relationship.entitySlot
    guard slot >= 0, !_isNull(row, slot) else { return relationship.destination }
    let entity = Int(_word(row, slot))
    let isBelow = model.entities[relationship.destination].subtree.contains(entity)
    return isBelow ? entity : relationship.destination
  }
}
