public import OxbowModel
public import OxbowStore

/// The way from an entity's objects along to-one relationships: what `\.author?.name` is a path of.
///
/// A key path in Swift does not tell the names of its steps. One that is rooted here notes each
/// step as it is followed, without an object, and the class's table has the names of the steps. A
/// step is a property of the class; a member that the class adds without storing it is found out
/// when the path is used.
///
/// `Entity` is the class of an entity, or the type of a composite attribute. That it conforms to
/// ``ModelObject`` is not required here: Swift 6.3 crashes at a path in a function that is generic
/// over subclasses of such a class.
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

  /// What has none of these: there for the compiler to say so at the path, and never called.
  ///
  /// Without it, the compiler blames the array around a sort key and does not name the mistake.
  @_disfavoredOverload
  public subscript(dynamicMember name: String) -> NoAttribute { Refused.call() }
}

/// What a path leads to where the class has no attribute, and no relationship to one object, of
/// that name.
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

  /// The steps of the path.
  var _steps: PathSteps { get }
}

extension AttributePath: AttributePathEnd {
  /// The type of the attribute's values.
  public typealias _Value = Value

  /// The steps of the path.
  public var _steps: PathSteps { steps }
}

extension Optional: AttributePathEnd where Wrapped: AttributePathEnd {
  /// The type of the attribute's values.
  public typealias _Value = Wrapped._Value

  /// The steps of the path; a path of entities has no `nil`.
  public var _steps: PathSteps { self?._steps ?? PathSteps() }
}

/// The steps of an ``EntityPath``, with the names that the classes have for them.
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
