internal import OxbowDocuments

/// One settable property of a described class.
///
/// Made by ``property(_:_:typeName:sendability:isOptional:accepts:upcast:get:set:clear:)`` for
/// objects, values and providers, and by
/// ``factory(_:of:typeName:sendability:isOptional:accepts:set:clear:)`` for factories.
public struct PropertyDescriptor<Owner>: Sendable {
  /// The property's name.
  public let name: String
  /// The property's type as the class spells it.
  public let typeName: String
  /// Whether the property lets only `Sendable` objects in.
  public let requiresSendable: Bool
  /// Whether the property may be nil.
  public let isOptional: Bool
  /// Whether the property takes a factory or provider of the object that a file refers to.
  public let isFactory: Bool

  let access: any PropertyAccess<Owner>

  /// A property that takes an object, a value or a ``Provider``.
  ///
  /// - Parameters:
  ///   - name: The property's name.
  ///   - type: Its type, without `Optional`.
  ///   - typeName: Its type as the class spells it.
  ///   - sendability: Write `.of()`.
  ///   - isOptional: Whether it may be nil.
  ///   - accepts: Whether objects of a type fit: `{ $0 is any P.Type }`. For an array, a set or the
  ///     values of a dictionary: whether objects of a type fit as elements.
  ///   - upcast: Finds the way from the type of an object that fits; see ``Upcast``. Without it
  ///     each object is cast.
  ///   - get: Reads it, for paths through the property; nil where it cannot be read.
  ///   - set: Sets it.
  ///   - clear: Sets it to nil; nil where it cannot be nil.
  /// - Returns: The description.
  public static func property<Value>(
    _ name: String, _ type: Value.Type, typeName: String, sendability: Sendability<Value>,
    isOptional: Bool = false, accepts: @escaping @Sendable (any Any.Type) -> Bool,
    upcast: (@Sendable (any Any.Type) -> Upcast?)? = nil,
    get: (@Sendable (Owner) throws -> Value?)? = nil,
    set: @escaping @Sendable (Owner, Value) throws -> Void,
    clear: (@Sendable (Owner) throws -> Void)? = nil
  ) -> PropertyDescriptor<Owner> {
    let point = InjectionPoint<Value>(
      typeName: typeName, sendability: sendability, accepts: accepts, upcast: upcast)
    return PropertyDescriptor(
      name: name, typeName: typeName, requiresSendable: sendability.isSendable,
      isOptional: isOptional, isFactory: Value.self is any DeferredReference.Type,
      access: TypedAccess(name: name, point: point, get: get, set: set, clear: clear))
  }

  /// A property that takes a factory of the object that a file refers to.
  public static func factory<Product>(
    _ name: String, of product: Product.Type, typeName: String,
    sendability: Sendability<Product>, isOptional: Bool = false,
    accepts: @escaping @Sendable (any Any.Type) -> Bool,
    set: @escaping @Sendable (Owner, any FactoryObject<Product> & Sendable) throws -> Void,
    clear: (@Sendable (Owner) throws -> Void)? = nil
  ) -> PropertyDescriptor<Owner> {
    let point = InjectionPoint<any FactoryObject<Product> & Sendable>(
      typeName: typeName, requiresSendable: sendability.isSendable, accepts: accepts,
      late: { Ref<Product>($0, handle: nil, requiresSendable: false).factory })
    return PropertyDescriptor(
      name: name, typeName: typeName, requiresSendable: sendability.isSendable,
      isOptional: isOptional,
      isFactory: true,
      access: TypedAccess(name: name, point: point, get: nil, set: set, clear: clear))
  }

  /// The type of the property's value.
  public var valueType: any Any.Type { access.anyPoint.type }

  /// Whether the property can be read, as paths through it need.
  public var isReadable: Bool { access.isReadable }

  /// Reads the property of an object.
  ///
  /// - Returns: The value; nil when there is none or the property cannot be read.
  public func get(from object: Owner) throws -> Any? { try access.get(from: object) }

  /// Sets the property of an object.
  ///
  /// - Throws: `typeMismatch` when the value has another type.
  public func set(_ value: Any, on object: Owner) throws {
    try access.set(value, on: object)
  }
}

/// How a property is set, the type of its value forgotten.
protocol PropertyAccess<Owner>: Sendable {
  associatedtype Owner
  var anyPoint: AnyInjectionPoint { get }
  /// Whether the property can be read.
  var isReadable: Bool { get }
  /// Whether the property can be set to nil.
  var isClearable: Bool { get }
  func get(from object: Owner) throws -> Any?
  func set(_ value: Any, on object: Owner) throws
  /// Sets the property to what was planned for it.
  func injector(for value: InjectionValue, _ linker: any Linking) throws -> Injector<Owner>
  /// Sets a property of the object that this one holds.
  func injector(
    along path: ArraySlice<ConstructionPlan.Member>, to assignment: PropertyAssignment,
    _ value: InjectionValue, _ linker: any Linking
  ) throws -> Injector<Owner>
}

private struct TypedAccess<Owner, Value>: PropertyAccess {
  let name: String
  let point: InjectionPoint<Value>
  /// Reads the property, for paths through it.
  let get: (@Sendable (Owner) throws -> Value?)?
  let set: @Sendable (Owner, Value) throws -> Void
  let clear: (@Sendable (Owner) throws -> Void)?

  var anyPoint: AnyInjectionPoint { point }
  var isReadable: Bool { self.get != nil }
  var isClearable: Bool { clear != nil }

  func get(from object: Owner) throws -> Any? { try get?(object) }

  func set(_ value: Any, on object: Owner) throws {
    guard let value = value as? Value else {
      throw ContainerError(
        .notConvertible(property: name, object: value, wanted: point.typeName),
        task: "set property \"\(name)\"")
    }
    try set(object, value)
  }

  func injector(for value: InjectionValue, _ linker: any Linking) throws -> Injector<Owner> {
    if case .object(let dependency) = value, dependency.isOptional,
      linker.isAbsent(dependency.target)
    {
      return { _, _ in }
    }
    if case .nothing = value, let clear { return { object, _ in try clear(object) } }
    let provider = try point.provider(for: value, linker)
    return { [set] object, session in try set(object, provider.make(session)) }
  }

  func injector(
    along path: ArraySlice<ConstructionPlan.Member>, to assignment: PropertyAssignment,
    _ value: InjectionValue, _ linker: any Linking
  ) throws -> Injector<Owner> {
    let inject = try path.first?.component.injector(
      along: path, to: assignment, value, on: Value.self, linker)
    return { [name, get] owner, session in
      guard let value = try get?(owner) else {
        throw ContainerError(
          .emptyPath(assignment.name, through: name).at(assignment.location), task: "inject")
      }
      try inject?(value, session)
    }
  }
}

/// One settable property of a described class, the class forgotten.
public struct AnyPropertyDescriptor: Sendable {
  /// The property's name.
  public let name: String
  /// The property's type as the class spells it.
  public let typeName: String
  /// The type of the property's value, without `Optional`.
  public let valueType: any Any.Type
  /// Whether the property may be nil.
  public let isOptional: Bool
  /// Whether the property can be read.
  public let isReadable: Bool
  private let getter: @Sendable (Any) throws -> Any?
  private let setter: @Sendable (Any, Any) throws -> Void

  init<Owner>(_ property: PropertyDescriptor<Owner>) {
    name = property.name
    typeName = property.typeName
    valueType = property.valueType
    isOptional = property.isOptional
    isReadable = property.isReadable
    getter = { try property.get(from: Self.owner($0)) }
    setter = { try property.set($1, on: Self.owner($0)) }
  }

  /// Reads the property of an object.
  ///
  /// - Parameter object: An object of the class or a subclass.
  /// - Returns: The value; nil when there is none or the property cannot be read.
  /// - Throws: `typeMismatch` for an object of another class, and what the getter throws.
  public func value(of object: Any) throws -> Any? { try getter(object) }

  /// Sets the property of an object.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - object: An object of the class or a subclass.
  /// - Throws: `typeMismatch` for a value or an object of another type, and what the setter throws.
  public func set(_ value: Any, on object: Any) throws { try setter(object, value) }

  private static func owner<Owner>(_ object: Any) throws -> Owner {
    if let owner = object as? Owner { return owner }
    throw ContainerError(
      .typeMismatch("the owner", object: object, wanted: "\(Owner.self)"), task: "use a property")
  }
}
