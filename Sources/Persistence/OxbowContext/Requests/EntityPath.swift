public import OxbowModel
public import OxbowStore

/// The root of paths from an entity's objects along to-one relationships: `\.author?.name`.
///
/// A key path in Swift does not have the names of its steps. One that is rooted here notes each
/// step as it is followed, without an object, and the class's table has the names. A step is a
/// stored property of the class; other members are found when the path is used.
///
/// `Entity` is the class of an entity, or the type of a composite attribute. It need not conform to
/// ``ModelObject``, because Swift 6.3 crashes at a path in a function that is generic over
/// subclasses of such a class.
@dynamicMemberLookup
public struct EntityPath<Entity>: Sendable {
  let steps: PathSteps

  init() { steps = PathSteps() }

  private init(_ steps: PathSteps) { self.steps = steps }

  /// An attribute.
  public subscript<Value: AttributeConvertible>(
    dynamicMember property: KeyPath<Entity, Value>
  ) -> AttributePath<Value> { AttributePath(steps.appending(property, of: Entity.self)) }

  /// An attribute that may have no value.
  public subscript<Value: AttributeConvertible>(
    dynamicMember property: KeyPath<Entity, Value?>
  ) -> AttributePath<Value>? { AttributePath(steps.appending(property, of: Entity.self)) }

  /// A composite attribute, whose parts follow.
  public subscript<Value: CompositeAttribute>(
    dynamicMember property: KeyPath<Entity, Value>
  ) -> EntityPath<Value> { EntityPath<Value>(steps.appending(property, of: Entity.self)) }

  /// A composite attribute that may have no value.
  public subscript<Value: CompositeAttribute>(
    dynamicMember property: KeyPath<Entity, Value?>
  ) -> EntityPath<Value>? { EntityPath<Value>(steps.appending(property, of: Entity.self)) }

  /// A to-one relationship.
  public subscript<Destination: ModelObject>(
    dynamicMember property: KeyPath<Entity, Destination?>
  ) -> EntityPath<Destination>? {
    EntityPath<Destination>(steps.appending(property, of: Entity.self))
  }

  /// Any other member: lets the compiler report it at the path, and is never called.
  ///
  /// Without it, the compiler blames the array around a sort key and does not name the mistake.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> NoAttribute { Refused.call() }
}

/// The end of a path at a member that is neither an attribute nor a to-one relationship.
public enum NoAttribute: Sendable {}

/// The end of a path at no attribute.
public protocol NoAttributeEnd {}

extension NoAttribute: NoAttributeEnd {}
extension Optional: NoAttributeEnd where Wrapped: NoAttributeEnd {}

/// An attribute at the end of an ``EntityPath``.
public struct AttributePath<Value: AttributeConvertible>: Sendable {
  fileprivate let steps: PathSteps

  fileprivate init(_ steps: PathSteps) { self.steps = steps }
}

/// The end of a path at an attribute, which may have no value.
public protocol AttributePathEnd {
  /// The type of the attribute's values.
  associatedtype _Value: AttributeConvertible

  /// What a group has of the attribute, and of a part of it: an optional if it may have no value.
  associatedtype _Key
  associatedtype _Part

  /// Whether each object has a value.
  static var _isRequired: Bool { get }

  /// The steps of the path.
  var _steps: PathSteps { get }

  /// Returns the key of a group, or a stand-in for a missing one.
  static func _key(_ value: _Value?) -> _Key

  /// Returns a part of the key of a group, or a stand-in for a missing one.
  static func _part(_ number: Int?) -> _Part
}

extension AttributePath: AttributePathEnd {
  /// The type of the attribute's values.
  public typealias _Value = Value

  /// Each object has a value.
  public static var _isRequired: Bool { true }

  /// The steps of the path.
  public var _steps: PathSteps { steps }

  /// Returns the key of a group, or a stand-in for a missing one.
  public static func _key(_ value: Value?) -> Value { value ?? Value.attributePlaceholder }

  /// Returns a part of the key of a group, or a stand-in for a missing one.
  public static func _part(_ number: Int?) -> Int { number ?? 0 }
}

extension Optional: AttributePathEnd where Wrapped: AttributePathEnd {
  /// The type of the attribute's values.
  public typealias _Value = Wrapped._Value

  /// An object may have no value.
  public static var _isRequired: Bool { false }

  /// The steps of the path; a path of entities is never `nil`.
  public var _steps: PathSteps { self?._steps ?? PathSteps() }

  /// Returns the key of a group.
  public static func _key(_ value: Wrapped._Value?) -> Wrapped._Value? { value }

  /// Returns a part of the key of a group.
  public static func _part(_ number: Int?) -> Int? { number }
}

/// The steps of an ``EntityPath``, by name.
public struct PathSteps: Sendable {
  private(set) var names: (path: [String], problem: String?) = ([], nil)

  init() {}

  func appending(_ property: AnyKeyPath, of type: Any.Type) -> PathSteps {
    guard names.problem == nil else { return self }
    if let type = type as? any ModelObject.Type {
      return appending(
        property, among: type._keyPaths,
        kind: "a stored property of the entity '\(type.entityName)'",
        type._propertyNames)
    }
    guard let type = type as? any CompositeAttribute.Type else { return self }
    let parts = type._partNames
    return appending(property, among: parts, kind: "part of '\(type)'", parts.map(\.name))
  }

  private func appending(
    _ property: AnyKeyPath, among steps: [(keyPath: AnyKeyPath, name: String)], kind: String,
    _ known: [String]
  ) -> PathSteps {
    var next = self
    if let step = steps.first(where: { $0.keyPath == property }) {
      next.names.path.append(step.name)
    } else {
      let after = names.path.isEmpty ? "" : " after '\(names.path.joined(separator: "."))'"
      next.names.problem =
        "the step\(after) is not \(kind); it has \(PersistenceError.listed(known))"
    }
    return next
  }
}
