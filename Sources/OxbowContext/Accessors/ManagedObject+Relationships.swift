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
  /// An object that is given twice keeps its first position.
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
