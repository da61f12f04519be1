package import OxbowModel

/// The columns of a relationship that is kept in keys.
///
/// They are on its own row and, when both ends are to-one, on the row at the other end as well. A
/// relationship that is its own inverse has one column for both.
package struct LinkColumns {
  package let ownKey: Int
  package let ownEntity: Int?
  package let ownPosition: Int?
  package let otherKey: Int?
  package let otherEntity: Int?

  /// Returns the columns of a canonical relationship, or `nil` when it has join rows.
  package init?(_ relationship: CompiledRelationship, _ mapping: StoreMapping) {
    let own = mapping.entities[relationship.entity]
    guard let key = own.column(.key, ofProperty: relationship.property) else { return nil }
    ownKey = key
    ownEntity = own.column(.entity, ofProperty: relationship.property)
    ownPosition = own.column(.position, ofProperty: relationship.property)
    let inverse = mapping.model.inverse(of: relationship)
    guard let inverse, !inverse.isToMany else {
      otherKey = nil
      otherEntity = nil
      return
    }
    let other = mapping.entities[inverse.entity]
    otherKey = other.column(.key, ofProperty: inverse.property)
    otherEntity = other.column(.entity, ofProperty: inverse.property)
  }
}
