public import OxbowModel
internal import OxbowStore

// One member of a to-many relationship, without a look at the others: a property is a collection,
// made of all members with each access.

extension ModelObject where Self: ManagedObject {
  /// Adds an object to a relationship, and this one to the inverse.
  ///
  /// ```swift
  /// try choir.add(singer, to: \.singers)
  /// ```
  ///
  /// The same as `choir.singers.insert(singer)`, which reads, makes and compares a set of all
  /// singers. In an order it comes last; what is a member already keeps its place.
  ///
  /// - Throws: ``PersistenceError``: `foreignObject` for an object of another context or one that
  ///   is to be deleted, `classMismatch`, `unknownProperty` for a key path that is none of a stored
  ///   relationship, `wrongOwner`, `insideHook`; why a row or the members could not be read.
  /// - Complexity: O(1), however many members there are, once the row of an object whose inverse
  ///   leads to one is there, or else the members are. While undo is enabled, the first change of
  ///   an order in a group copies it.
  public func add<T: ManagedObject>(
    _ object: T, to relationship: KeyPath<Self, some Collection<T>>
  ) throws(PersistenceError) {
    try add(object, to: Self._requireName(of: relationship))
  }

  /// Takes an object out of a relationship, and this one out of the inverse; one that is not a
  /// member stays none.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  /// - Complexity: O(1) likewise.
  public func remove<T: ManagedObject>(
    _ object: T, from relationship: KeyPath<Self, some Collection<T>>
  ) throws(PersistenceError) {
    try remove(object, from: Self._requireName(of: relationship))
  }

  /// Whether a relationship leads to an object.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  /// - Complexity: O(1) likewise.
  public func contains<T: ManagedObject>(
    _ object: T, in relationship: KeyPath<Self, some Collection<T>>
  ) throws(PersistenceError) -> Bool {
    try contains(object, in: Self._requireName(of: relationship))
  }
}

extension ManagedObject {
  /// Adds an object to the to-many relationship called `name`, and this one to the inverse.
  ///
  /// - Throws: ``PersistenceError`` as with a key path; `unknownProperty` for a name that is none
  ///   of a to-many relationship.
  /// - Complexity: O(1), as with a key path.
  public final func add(_ object: ManagedObject, to name: String) throws(PersistenceError) {
    let property = try requireToMany(named: name, "changing")
    try throwing { setMembership(of: object, in: property, to: true) }
  }

  /// Takes an object out of the to-many relationship called `name`, and this one out of the
  /// inverse.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  /// - Complexity: O(1), as with a key path.
  public final func remove(_ object: ManagedObject, from name: String) throws(PersistenceError) {
    let property = try requireToMany(named: name, "changing")
    try throwing { setMembership(of: object, in: property, to: false) }
  }

  /// Whether the to-many relationship called `name` leads to an object.
  ///
  /// - Throws: ``PersistenceError`` as for an addition.
  /// - Complexity: O(1), as with a key path.
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
