/// A type that several objects and values become: an array, a set, or a dictionary by text.
protocol InjectableGroup {
  associatedtype Part
  static var kind: GroupKind { get }
  /// The group of some parts; a dictionary has as many keys, the others need none.
  static func collect(_ parts: [Part], keys: [String]) -> Self
}

/// What an `InjectableGroup` does with its parts.
enum GroupKind {
  case list
  /// Drops equal parts.
  case set
  /// Has a key for each part.
  case map
}

extension InjectableGroup {
  static var partType: any Any.Type { Part.self }
}

extension Array: InjectableGroup {
  static var kind: GroupKind { .list }
  static func collect(_ parts: [Element], keys: [String]) -> [Element] { parts }
}

extension ContiguousArray: InjectableGroup {
  static var kind: GroupKind { .list }
  static func collect(_ parts: [Element], keys: [String]) -> ContiguousArray<Element> {
    ContiguousArray(parts)
  }
}

extension Set: InjectableGroup {
  static var kind: GroupKind { .set }
  static func collect(_ parts: [Element], keys: [String]) -> Set<Element> { Set(parts) }
}

extension Dictionary: InjectableGroup where Key == String {
  static var kind: GroupKind { .map }
  static func collect(_ parts: [Value], keys: [String]) -> [String: Value] {
    Dictionary(zip(keys, parts), uniquingKeysWith: { first, _ in first })
  }
}

extension Optional: InjectableGroup where Wrapped: InjectableGroup {
  static var kind: GroupKind { Wrapped.kind }
  static func collect(_ parts: [Wrapped.Part], keys: [String]) -> Wrapped? {
    Wrapped.collect(parts, keys: keys)
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
