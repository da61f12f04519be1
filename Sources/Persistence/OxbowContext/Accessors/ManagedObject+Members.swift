public import OxbowModel
internal import OxbowStore

// One member of a to-many relationship, without looking at the others: a property is a collection
// that each access makes of all members.

extension ModelObject where Self: ManagedObject {
  /// Adds an object to a relationship, and this one to the inverse.
  ///
  /// ```swift
  /// try choir.add(singer, to: \.singers)
  /// ```
  ///
  /// Same as `choir.singers.insert(singer)`, which reads, makes and compares a set of all singers.
  /// In an ordered relationship it comes last; a member keeps its place.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an object of another context or one that
  ///   the next save deletes, `classMismatch`, `unknownProperty` for a key path that is not a
  ///   stored relationship, `wrongOwner`, `insideHook`; why a row or the members could not be read.
  /// - Complexity: O(1), however many members there are, once the object's row, if the inverse is
  ///   to-one, or else the members were read. While undo is enabled, the first change of an order
  ///   in a group copies it.
  public func add<T: ManagedObject>(
    _ object: T, to relationship: KeyPath<Self, some Collection<T>>
  ) throws(PersistenceError) {
    try add(object, to: Self._requireName(of: relationship))
  }

  /// Removes an object from a relationship, and this one from the inverse; does nothing if it is
  /// not a member.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  /// - Complexity: As for an addition.
  public func remove<T: ManagedObject>(
    _ object: T, from relationship: KeyPath<Self, some Collection<T>>
  ) throws(PersistenceError) {
    try remove(object, from: Self._requireName(of: relationship))
  }

  /// Whether an object is a member of a relationship.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  /// - Complexity: As for an addition.
  public func contains<T: ManagedObject>(
    _ object: T, in relationship: KeyPath<Self, some Collection<T>>
  ) throws(PersistenceError) -> Bool {
    try contains(object, in: Self._requireName(of: relationship))
  }
}

extension ManagedObject {
  /// Adds an object to the to-many relationship called `name`, and this one to the inverse.
  ///
  /// - Throws: ``PersistenceError`` as with a key path; `unknownProperty` for a name that is not a
  ///   to-many relationship.
  public final func add(_ object: ManagedObject, to name: String) throws(PersistenceError) {
    let property = try requireToMany(named: name, "changing")
    try throwing { setMembership(of: object, in: property, to: true) }
  }

  /// Removes an object from the to-many relationship called `name`, and this one from the inverse.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  public final func remove(_ object: ManagedObject, from name: String) throws(PersistenceError) {
    let property = try requireToMany(named: name, "changing")
    try throwing { setMembership(of: object, in: property, to: false) }
  }

  /// Whether an object is a member of the to-many relationship called `name`.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  public final func contains(
    _ object: ManagedObject, in name: String
  ) throws(PersistenceError) -> Bool {
    let property = try requireToMany(named: name, "reading")
    noteAccess(property)
    guard let context = token.context, object.token === token, !object.isDeleted else {
      return false
    }
    return try throwing { context.isMember(object, of: property, self) }
  }

  private final func requireToMany(
    named name: String, _ action: String
  ) throws(PersistenceError) -> CompiledProperty {
    try requireContext("\(action) '\(name)'")
    let property = try entity.requireProperty(named: name)
    guard property.relationship?.isToMany == true else {
      throw PersistenceError(
        .unknownProperty,
        "'\(name)' of '\(entity.name)' is not a relationship to many objects; assign its value",
        objectIDs: [objectID])
    }
    return property
  }
}
