/// A type that a list of objects and values in a file can become.
package protocol CollectionSlot {
  associatedtype Element
  /// Whether the type drops equal elements.
  static var isSet: Bool { get }
  static func collect(_ elements: [Element]) -> Self
}

extension CollectionSlot {
  package static var elementType: any Any.Type { Element.self }
}

extension Array: CollectionSlot {
  package static var isSet: Bool { false }
  package static func collect(_ elements: [Element]) -> [Element] { elements }
}

extension ContiguousArray: CollectionSlot {
  package static var isSet: Bool { false }
  package static func collect(_ elements: [Element]) -> ContiguousArray<Element> {
    ContiguousArray(elements)
  }
}

extension Set: CollectionSlot {
  package static var isSet: Bool { true }
  package static func collect(_ elements: [Element]) -> Set<Element> { Set(elements) }
}

extension Optional: CollectionSlot where Wrapped: CollectionSlot {
  package static var isSet: Bool { Wrapped.isSet }
  package static func collect(_ elements: [Wrapped.Element]) -> Wrapped? {
    Wrapped.collect(elements)
  }
}

/// A type that a list of texts with objects and values in a file can become.
package protocol DictionarySlot {
  associatedtype Item
  static func collect(_ items: [(key: String, item: Item)]) -> Self
}

extension DictionarySlot {
  package static var elementType: any Any.Type { Item.self }
}

extension Dictionary: DictionarySlot where Key == String {
  package typealias Item = Value
  package static func collect(_ items: [(key: String, item: Value)]) -> [String: Value] {
    Dictionary(items.map { ($0.key, $0.item) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Optional: DictionarySlot where Wrapped: DictionarySlot {
  package static func collect(_ items: [(key: String, item: Wrapped.Item)]) -> Wrapped? {
    Wrapped.collect(items)
  }
}
