/// An object on which predicates and sort keys are evaluated in memory.
///
/// A class that is not final needs a structure around it, because relationships lead to `Self`.
package protocol PredicateTarget {
  var predicateEntity: CompiledEntity { get }

  var predicateModel: CompiledModel { get }

  /// The object's ID, the value of the empty path.
  var predicateID: ManagedObjectID { get }

  /// The value of an attribute, unsaved changes included.
  func predicateValue(of property: CompiledProperty) throws(PersistenceError) -> AttributeValue?

  /// What a to-one relationship leads to, unsaved changes included, whether it exists or not.
  func predicateReference(of property: CompiledProperty) throws(PersistenceError)
    -> ManagedObjectID?

  /// The object of a to-one relationship, unsaved changes included; `nil` when it does not exist.
  func predicateObject(of property: CompiledProperty) throws(PersistenceError) -> Self?

  /// The objects of a to-many relationship, unsaved changes included.
  func predicateObjects(of property: CompiledProperty) throws(PersistenceError) -> [Self]
}

extension PredicateTarget {
  /// What a to-one relationship leads to, where every object that is led to exists.
  package func predicateReference(of property: CompiledProperty) throws(PersistenceError)
    -> ManagedObjectID?
  { try predicateObject(of: property)?.predicateID }

  /// The object at the end of a path of to-one relationships, or `nil` when it ends early.
  func object(at path: ArraySlice<String>) throws(PersistenceError) -> Self? {
    var current = self
    for name in path {
      let entity = current.predicateEntity
      let property = try entity.requireProperty(named: name)
      guard let relationship = property.relationship, !relationship.isToMany else {
        throw PersistenceError(
          .invalidPredicate,
          "'\(name)' of '\(entity.name)' leads to no single object, so a path cannot go on behind it"
        )
      }
      guard let next = try current.predicateObject(of: property) else { return nil }
      current = next
    }
    return current
  }

  /// The value at the end of a path; no value when it ends early.
  package func value(at path: [String]) throws(PersistenceError) -> FetchValue {
    let path = predicateModel.joiningParts(path, from: predicateEntity)
    guard let name = path.last else { return .object(predicateID) }
    guard let owner = try object(at: path.dropLast()) else { return .null }
    let property = try owner.predicateEntity.requireProperty(named: name)
    guard let relationship = property.relationship else {
      guard !property.isComposite else {
        throw .composite(name, of: owner.predicateEntity.name)
      }
      return try owner.predicateValue(of: property).map { .attribute($0) } ?? .null
    }
    guard !relationship.isToMany else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(name)' of '\(owner.predicateEntity.name)' leads to many objects; use 'any', 'all' or"
          + " 'count'")
    }
    return try owner.predicateReference(of: property).map { .object($0) } ?? .null
  }

  /// The objects of the to-many relationship at the end of a path, or `nil` when it ends early.
  func members(at path: [String]) throws(PersistenceError) -> [Self]? {
    guard let owner = try object(at: path.dropLast()) else { return nil }
    let name = path.last ?? ""
    let property = try owner.predicateEntity.requireProperty(named: name)
    guard property.relationship?.isToMany == true else {
      throw PersistenceError(
        .invalidPredicate,
        "'\(name)' of '\(owner.predicateEntity.name)' is not a to-many relationship; 'any', 'all' and"
          + " 'count' need one")
    }
    return try owner.predicateObjects(of: property)
  }
}
