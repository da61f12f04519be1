public import OxbowModel

/// A Swift type whose values a composite attribute keeps, each part in a column of its own.
///
/// ```swift
/// struct Point: CompositeAttribute {
///   var x = 0.0
///   var y: Double?
///
///   static let parts = [CompositePart("x", \Point.x), CompositePart("y", \Point.y)]
/// }
///
/// @Entity final class Shop: ManagedObject {
///   var place: Point?
/// }
/// ```
///
/// Conditions and sort keys name a part by its path, `place.x` in texts and `$0.place?.x` in code.
/// A value of which no part has one is read as none.
public protocol CompositeAttribute: _PartedValue, Sendable {
  /// The name of the composite type, as model documents have it; by default the name of the type.
  static var compositeName: String { get }

  /// All parts that are kept.
  static var parts: [CompositePart<Self>] { get }

  /// Creates a value whose parts are set afterwards; getters that cannot read return it too.
  init()
}

extension CompositeAttribute {
  /// The name of the type.
  public static var compositeName: String { "\(Self.self)" }

  /// The type as models describe it.
  public static var _compositeType: _CompositeType {
    _CompositeType(compositeName, elements: parts.map(\.description))
  }

  /// The parts, by the properties that have them.
  public static var _partNames: [(keyPath: AnyKeyPath, name: String)] {
    parts.map { ($0.keyPath, $0.description.name) }
  }

  /// The values of the parts, by name.
  public var compositeValue: CompositeValue {
    var result = CompositeValue()
    for part in Self.parts { part.read(self, &result) }
    return result
  }

  /// Creates a value from those of its parts; missing parts keep the values of ``init()``.
  ///
  /// - Returns: The value, and the path of a part whose value has another type.
  package static func made(of values: CompositeValue) -> (value: Self, unfit: String?) {
    var result = Self()
    var unfit: String?
    for part in parts { unfit = part.write(&result, values) ?? unfit }
    return (result, unfit)
  }
}

/// One part of a composite attribute.
public struct CompositePart<Root>: Sendable {
  let description: AttributeDescription
  let keyPath: any PartialKeyPath<Root> & Sendable

  /// Adds the part's value to those of all parts.
  let read: @Sendable (Root, inout CompositeValue) -> Void

  /// Sets the part's value; returns the path of a value of another type.
  let write: @Sendable (inout Root, CompositeValue) -> String?

  /// Creates a part that always has a value.
  ///
  /// `renamedFrom` is the name that it had before, for migrations; `hashModifier` is mixed into the
  /// version hash.
  public init<V: AttributeConvertible>(
    _ name: String, _ path: any WritableKeyPath<Root, V> & Sendable, defaultValue: V? = nil,
    renamedFrom: String? = nil, rules: AttributeRules = AttributeRules(),
    hashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    description = AttributeDescription(
      name, V.attributeType, defaultValue: defaultValue?.attributeValue,
      renamingIdentifier: renamedFrom, versionHashModifier: hashModifier, rules: rules,
      userInfo: userInfo)
    keyPath = path
    read = { $1[name] = $0[keyPath: path].attributeValue }
    write = { root, values in
      guard let value = values[name] else { return nil }
      guard let typed = V(attributeValue: value) else { return name }
      root[keyPath: path] = typed
      return nil
    }
  }

  /// Creates a part that may have no value.
  public init<V: AttributeConvertible>(
    _ name: String, _ path: any WritableKeyPath<Root, V?> & Sendable, defaultValue: V? = nil,
    renamedFrom: String? = nil, rules: AttributeRules = AttributeRules(),
    hashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    description = AttributeDescription(
      name, V.attributeType, isOptional: true, defaultValue: defaultValue?.attributeValue,
      renamingIdentifier: renamedFrom, versionHashModifier: hashModifier, rules: rules,
      userInfo: userInfo)
    keyPath = path
    read = { $1[name] = $0[keyPath: path]?.attributeValue }
    write = { root, values in
      let value = values[name]
      let typed = value.flatMap { V(attributeValue: $0) }
      root[keyPath: path] = typed
      return value != nil && typed == nil ? name : nil
    }
  }

  /// Creates a part that has parts itself.
  public init<V: CompositeAttribute>(
    _ name: String, _ path: any WritableKeyPath<Root, V> & Sendable, renamedFrom: String? = nil,
    hashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    description = AttributeDescription(
      name, V._compositeType, renamingIdentifier: renamedFrom, versionHashModifier: hashModifier,
      userInfo: userInfo)
    keyPath = path
    read = { $1[composite: name] = $0[keyPath: path].compositeValue }
    write = { root, values in
      let (value, unfit) = V.made(of: values[composite: name])
      root[keyPath: path] = value
      return unfit.map { "\(name).\($0)" }
    }
  }

  /// Creates a part that has parts itself, all or none.
  public init<V: CompositeAttribute>(
    _ name: String, _ path: any WritableKeyPath<Root, V?> & Sendable, renamedFrom: String? = nil,
    hashModifier: String? = nil, userInfo: [String: String] = [:]
  ) {
    description = AttributeDescription(
      name, V._compositeType, isOptional: true, renamingIdentifier: renamedFrom,
      versionHashModifier: hashModifier, userInfo: userInfo)
    keyPath = path
    read = { $1[composite: name] = $0[keyPath: path]?.compositeValue ?? CompositeValue() }
    write = { root, values in
      let values = values[composite: name]
      let made = values.isEmpty ? nil : V.made(of: values)
      root[keyPath: path] = made?.value
      return made?.unfit.map { "\(name).\($0)" }
    }
  }
}
