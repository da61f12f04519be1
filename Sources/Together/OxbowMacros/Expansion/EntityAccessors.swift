internal import SwiftSyntax
internal import SwiftSyntaxBuilder

extension EntityProperty {
  /// The getter and the setter, which use the property's number among those of its class.
  func accessorPair(_ number: String) -> [AccessorDeclSyntax] {
    switch kind {
    case .attribute(let attribute):
      let getter =
        switch (attribute.isTransient, attribute.isOptional) {
        case (false, false): "_value"
        case (false, true): "_optionalValue"
        case (true, false): "_transientValue"
        case (true, true): "_slowValue"
        }
      let fallback = attribute.nilValue.map { " ?? ((\($0)) as \(attribute.type))" } ?? ""
      return pair(number, getter: getter, setter: "_setValue", fallback: fallback)
    case .relationship(let relationship):
      return switch relationship.cardinality {
      case .one: pair(number, getter: "_object", setter: "_setObject")
      case .set: pair(number, getter: "_objects", setter: "_setObjects")
      case .ordered:
        pair(number, getter: "_orderedObjects", setter: "_setOrderedObjects")
      }
    }
  }

  private func pair(_ number: String, getter: String, setter: String, fallback: String = "")
    -> [AccessorDeclSyntax]
  {
    [
      "get { \(raw: getter)(\(raw: number))\(raw: fallback) }",
      "set { \(raw: setter)(\(raw: number), newValue) }",
    ]
  }
}
