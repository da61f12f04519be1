/// A type that a list of objects and values in a file can become.
package protocol InjectableCollection {
  associatedtype Element
  /// Whether the type drops equal elements.
  static var isSet: Bool { get }
  static func collect(_ elements: [Element]) -> Self
}

extension InjectableCollection {
  package static var elementType: any Any.Type { Element.self }
}

extension Array: InjectableCollection {
  package static var isSet: Bool { false }
  package static func collect(_ elements: [Element]) -> [Element] { elements }
}

extension ContiguousArray: InjectableCollection {
  package static var isSet: Bool { false }
  package static func collect(_ elements: [Element]) -> ContiguousArray<Element> {
    ContiguousArray(elements)
  }
}

extension Set: InjectableCollection {
  package static var isSet: Bool { true }
  package static func collect(_ elements: [Element]) -> Set<Element> { Set(elements) }
}

extension Optional: InjectableCollection where Wrapped: InjectableCollection {
  package static var isSet: Bool { Wrapped.isSet }
  package static func collect(_ elements: [Wrapped.Element]) -> Wrapped? {
    Wrapped.collect(elements)
  }
}

/// A type that a list of texts with objects and values in a file can become.
package protocol InjectableDictionary {
  associatedtype Item
  static func collect(_ items: [(key: String, item: Item)]) -> Self
}

extension InjectableDictionary {
  package static var elementType: any Any.Type { Item.self }
}

extension Dictionary: InjectableDictionary where Key == String {
  package typealias Item = Value
  package static func collect(_ items: [(key: String, item: Value)]) -> [String: Value] {
    Dictionary(items.map { ($0.key, $0.item) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Optional: InjectableDictionary where Wrapped: InjectableDictionary {
  package static func collect(_ items: [(key: String, item: Wrapped.Item)]) -> Wrapped? {
    Wrapped.collect(items)
  }
}

/// `Optional`, whatever it wraps.
protocol OptionalType {
  static var wrapped: any Any.Type { get }
  static var none: Self { get }
}

extension Optional: OptionalType {
  static var wrapped: any Any.Type { Wrapped.self }
}
