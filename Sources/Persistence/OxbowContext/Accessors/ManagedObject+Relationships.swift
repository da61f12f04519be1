internal import OxbowModel
internal import OxbowStore

// Called by the accessors of relationships that `@Entity` writes.

extension ManagedObject {
  /// Reads a to-one relationship.
  public final func _object<T: ManagedObject>(_ accessor: Int) -> T? {
    guard isOwned("reading", accessor) else { return nil }
    let property = property(accessor)
    noteAccess(property)
    return relatedObject(of: property).flatMap { _typed($0) }
  }

  /// Changes a to-one relationship, and its inverse.
  public final func _setObject<T: ManagedObject>(_ accessor: Int, _ value: T?) {
    guard isOwned("changing", accessor) else { return }
    setRelatedObject(of: property(accessor), to: value)
  }

  /// Reads a to-many relationship.
  ///
  /// The set is made in the caller's module, where its element is known: generic code is much
  /// slower.
  @inlinable public final func _objects<T: ManagedObject>(_ accessor: Int) -> Set<T> {
    let objects = _relatedObjects(accessor)
    var result = Set<T>(minimumCapacity: objects.count)
    for object in objects {
      if let typed: T = _typed(object.takeUnretainedValue()) { result.insert(typed) }
    }
    return result
  }

  /// Changes a to-many relationship, and its inverse.
  public final func _setObjects<T: ManagedObject>(_ accessor: Int, _ value: Set<T>) {
    guard isOwned("changing", accessor) else { return }
    setRelatedObjects(
      of: property(accessor), to: value.sorted { $0.identity.key < $1.identity.key })
  }

  /// Reads an ordered to-many relationship.
  @inlinable public final func _orderedObjects<T: ManagedObject>(_ accessor: Int) -> [T] {
    _relatedObjects(accessor).compactMap { _typed($0.takeUnretainedValue()) }
  }

  /// The objects of a to-many relationship, held by the context: the collection made of them counts
  /// references, and this one would count them again (docs/performance.md, T).
  @usableFromInline final func _relatedObjects(
    _ accessor: Int
  ) -> ContiguousArray<Unmanaged<ManagedObject>> {
    guard isOwned("reading", accessor) else { return [] }
    let property = property(accessor)
    noteAccess(property)
    return heldObjects(of: property)
  }

  /// Changes an ordered to-many relationship, and its inverse.
  ///
  /// An object that occurs twice keeps its first position.
  public final func _setOrderedObjects<T: ManagedObject>(_ accessor: Int, _ value: [T]) {
    guard isOwned("changing", accessor) else { return }
    setRelatedObjects(of: property(accessor), to: value)
  }

  /// An object as one of its expected class, or `nil`, and the error was recorded.
  @inlinable final func _typed<T: ManagedObject>(_ object: ManagedObject) -> T? {
    // Most objects are of the class itself, which is a comparison; a cast walks the classes.
    if type(of: object) == T.self { return unsafeDowncast(object, to: T.self) }
    if let object = object as? T { return object }
    recordMismatch(object, T.self)
    return nil
  }

  @usableFromInline final func recordMismatch(_ object: ManagedObject, _ expected: Any.Type) {
    token.context?.faults.record(
      PersistenceError(
        .classMismatch,
        "the object '\(object)' is a '\(type(of: object))' where '\(entity.name)' expects a "
          + "'\(expected)'; pass the right classes when the store is opened"))
  }
}
