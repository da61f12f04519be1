/// An object of which the memory executor asks for values: what predicates and sort keys are evaluated
/// on where no store does it.
package protocol PredicateSubject {
  /// The object's concrete entity.
  var predicateEntity: EntitySchema { get }

  /// The object's ID, the value of the empty path.
  var predicateID: ManagedObjectID { get }

  /// The value of an attribute, unsaved changes included.
  func predicateValue(of property: PropertySchema) throws(PersistenceError) -> AttributeValue?

  /// The object of a to-one relationship, unsaved changes included.
  func predicateObject(of property: PropertySchema) throws(PersistenceError) -> Self?

  /// The objects of a to-many relationship, unsaved changes included.
  func predicateObjects(of property: PropertySchema) throws(PersistenceError) -> [Self]
}
