public import OxbowContainer
internal import OxbowDocuments

/// What an initializer makes a value for.
///
/// An initializer that says the type of the owner gets the owner as one.
public struct InjectionRequest<Owner> {
  /// The object whose property is read.
  public let owner: Owner

  /// The property.
  public let property: AttributedProperty

  let reference: WeakContainerReference?

  /// The container that made the owner, or that it was injected from.
  ///
  /// - Throws: ``ContainerError``: `containerReleased` when it was closed; `propertyNotInjected`
  ///   where the initializers belong to no container.
  public var container: Container {
    get throws {
      if let reference { return try reference.container(for: "\(property)") }
      throw ContainerError(.noContainer(property), task: "inject '\(property)'")
    }
  }

  /// The request of an owner that is known to be of a type.
  func of<Known>(_ type: Known.Type) throws -> InjectionRequest<Known> {
    guard let owner = owner as? Known else {
      throw ContainerError(.wrongOwner(property, wanted: "\(type)"), task: "inject '\(property)'")
    }
    return InjectionRequest<Known>(owner: owner, property: property, reference: reference)
  }
}

/// How often an initializer makes a value.
public struct InjectionScope<Value>: Sendable {
  let isShared: Bool

  /// A new one for each property of each object.
  public static var each: InjectionScope { InjectionScope(isShared: false) }
}

extension InjectionScope where Value: Sendable {
  /// One for each container, for all properties.
  public static var shared: InjectionScope { InjectionScope(isShared: true) }
}

/// What makes the values of `@Injected` properties, and of which.
///
/// Every condition that is given must hold.
struct PropertyInitializer: Sendable {
  var type: (any Any.Type)?
  var property: String?
  var path: (any AnyKeyPath & Sendable)?
  var owner: (any Any.Type)?
  var protocols: [any Any.Type] = []
  let isShared: Bool

  /// Where it is registered, for messages.
  let location: SourceLocation
  let make: @Sendable (InjectionRequest<AnyObject>) throws -> Any?
}
