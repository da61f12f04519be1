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
