public import OxbowContainer
public import OxbowDocuments

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
  fileprivate func of<Known>(_ type: Known.Type) throws -> InjectionRequest<Known> {
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
/// Every condition that is given must hold. Of several initializers that fit, the most specific one
/// is used: one for a name or key path before one for the owner's type, that before one for the
/// property's type, and that before one for protocols.
public struct PropertyInitializer: Sendable {
  let type: (any Any.Type)?
  let property: String?
  let path: (any AnyKeyPath & Sendable)?
  let owner: (any Any.Type)?
  let protocols: [any Any.Type]
  let isShared: Bool
  let make: @Sendable (InjectionRequest<AnyObject>) throws -> Any?

  /// Where it is registered, for messages.
  public let location: SourceLocation

  /// An initializer for properties of a type.
  ///
  /// - Parameters:
  ///   - type: The type of the properties, without `Optional`. The object of a subclass is made for
  ///     properties of its superclass as well.
  ///   - property: The name of the property; nil for any.
  ///   - owner: The type that has the property, or a superclass of it; nil for any.
  ///   - scope: How often a value is made.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - make: Makes the value.
  public init<Value>(
    _ type: Value.Type, property: String? = nil, owner: (any Any.Type)? = nil,
    scope: InjectionScope<Value> = .each, file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<AnyObject>) throws -> Value
  ) {
    self.init(
      type: type, property: property, path: nil, owner: owner, protocols: [],
      isShared: scope.isShared, SourceLocation(file: file, line: line), make)
  }

  /// An initializer for properties of a type in objects of a class, which `make` gets as one.
  ///
  /// The parameters are those of the initializer for any owner.
  public init<Value, Owner: AnyObject>(
    _ type: Value.Type, property: String? = nil, owner: Owner.Type,
    scope: InjectionScope<Value> = .each, file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<Owner>) throws -> Value
  ) {
    self.init(
      type: type, property: property, path: nil, owner: owner, protocols: [],
      isShared: scope.isShared, SourceLocation(file: file, line: line)
    ) { try make($0.of(Owner.self)) }
  }

  /// An initializer for one property.
  ///
  /// - Parameters:
  ///   - path: The property.
  ///   - scope: How often a value is made.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - make: Makes the value.
  public init<Owner: AnyObject, Value>(
    _ path: any KeyPath<Owner, Value> & Sendable, scope: InjectionScope<Value> = .each,
    file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<Owner>) throws -> Value
  ) {
    self.init(
      type: nil, property: nil, path: path, owner: Owner.self, protocols: [],
      isShared: scope.isShared, SourceLocation(file: file, line: line)
    ) { try make($0.of(Owner.self)) }
  }

  /// An initializer for properties whose types are protocols, or for properties of any type.
  ///
  /// - Parameters:
  ///   - protocols: The protocols that a property has, such as `[(any Engine).self]`; none for
  ///     properties of any type. A property that has more of them fits, too.
  ///   - property: The name of the property; nil for any.
  ///   - owner: The type that has the property, or a superclass of it; nil for any.
  ///   - scope: How often a value is made.
  ///   - file: The source file of the call, for messages.
  ///   - line: The line in that file.
  ///   - make: Makes the value, which must fit the property.
  public init<Value>(
    protocols: [any Any.Type], property: String? = nil, owner: (any Any.Type)? = nil,
    scope: InjectionScope<Value> = .each, file: String = #fileID, line: Int = #line,
    make: @escaping @Sendable (InjectionRequest<AnyObject>) throws -> Value
  ) {
    self.init(
      type: nil, property: property, path: nil, owner: owner, protocols: protocols,
      isShared: scope.isShared, SourceLocation(file: file, line: line), make)
  }

  private init<Value>(
    type: (any Any.Type)?, property: String?, path: (any AnyKeyPath & Sendable)?,
    owner: (any Any.Type)?, protocols: [any Any.Type], isShared: Bool, _ location: SourceLocation,
    _ make: @escaping @Sendable (InjectionRequest<AnyObject>) throws -> Value
  ) {
    self.type = type
    self.property = property
    self.path = path
    self.owner = owner
    self.protocols = protocols
    self.isShared = isShared
    self.location = location
    self.make = make
  }
}
