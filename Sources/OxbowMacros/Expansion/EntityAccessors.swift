internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension EntityProperty {
  /// Writes the accessors that read and change the property's place in the object's row.
  ///
  /// - Parameter accessor: The number of the property among those of its class, as an expression.
  /// - Returns: A getter and a setter.
  func accessors(_ accessor: String) -> [AccessorDeclSyntax] {
    switch kind {
    case .attribute(let attribute):
      let getter =
        switch (attribute.isTransient, attribute.isOptional) {
        case (false, false): "_value"
        case (false, true): "_optionalValue"
        case (true, false): "_transientValue"
        case (true, true): "_slowValue"
        }
      return accessors(accessor, getter: getter, setter: "_setValue")
    case .relationship(let relationship):
      return switch relationship.cardinality {
      case .one: accessors(accessor, getter: "_object", setter: "_setObject")
      case .set: accessors(accessor, getter: "_objects", setter: "_setObjects")
      case .ordered:
        accessors(accessor, getter: "_orderedObjects", setter: "_setOrderedObjects")
      }
    }
  }

  private func accessors(_ accessor: String, getter: String, setter: String)
    -> [AccessorDeclSyntax]
  {
    [
      "get { \(raw: getter)(\(raw: accessor)) }",
      "set { \(raw: setter)(\(raw: accessor), newValue) }",
    ]
  }
}
