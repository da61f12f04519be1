/// One settable property of a described class.
///
/// Made by ``property(_:_:typeName:sendability:isOptional:accepts:set:)`` for objects, values and
/// providers, and by ``factory(_:of:typeName:isOptional:accepts:set:)`` for factories.
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

  package let access: any PropertyAccess<Owner>

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
  ///   - get: Reads it, for paths through the property; nil where it cannot be read.
  ///   - set: Sets it.
  /// - Returns: The description.
  public static func property<Value>(
    _ name: String, _ type: Value.Type, typeName: String, sendability: Sendability<Value>,
    isOptional: Bool = false, accepts: @escaping @Sendable (any Any.Type) -> Bool,
    get: (@Sendable (Owner) throws -> Value?)? = nil,
    set: @escaping @Sendable (Owner, Value) throws -> Void
  ) -> PropertyDescriptor<Owner> {
    let slot = Slot<Value>(typeName: typeName, sendability: sendability, accepts: accepts)
    return PropertyDescriptor(
      name: name, typeName: typeName, requiresSendable: sendability.isSendable,
      isOptional: isOptional, isFactory: Value.self is any LateReference.Type,
      access: TypedAccess(name: name, slot: slot, get: get, set: set))
  }

  /// A property that takes a factory of the object that a file refers to.
  public static func factory<Product>(
    _ name: String, of product: Product.Type, typeName: String,
    sendability: Sendability<Product>, isOptional: Bool = false,
    accepts: @escaping @Sendable (any Any.Type) -> Bool,
    set: @escaping @Sendable (Owner, any FactoryObject<Product> & Sendable) throws -> Void
  ) -> PropertyDescriptor<Owner> {
    let slot = Slot<any FactoryObject<Product> & Sendable>(
      typeName: typeName, requiresSendable: sendability.isSendable, accepts: accepts,
      late: { Ref<Product>($0, handle: nil, requiresSendable: false).factory })
    return PropertyDescriptor(
      name: name, typeName: typeName, requiresSendable: sendability.isSendable,
      isOptional: isOptional,
      isFactory: true, access: TypedAccess(name: name, slot: slot, get: nil, set: set))
  }

  /// The type of the property's value.
  public var valueType: any Any.Type { access.valueType }

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
package protocol PropertyAccess<Owner>: Sendable {
  associatedtype Owner
  /// The type of the property's value.
  var valueType: any Any.Type { get }
  /// Whether the property can be read.
  var isReadable: Bool { get }
  /// The property's own answer to "does an object of this type fit?".
  var accepts: TypeTest { get }
  /// The type that the answer is about: that of each object, where the property takes several.
  var acceptedType: any Any.Type { get }
  func get(from object: Owner) throws -> Any?
  func set(_ value: Any, on object: Owner) throws
  func injection(_ assignment: PropertyAssignment, in context: BlueprintContext) -> Injection<
    Owner
  >?
  /// How a property of the object that this one holds is set.
  func injection(
    _ assignment: PropertyAssignment, path: Substring, in context: BlueprintContext
  ) -> Injection<Owner>?
}

private struct TypedAccess<Owner, Value>: PropertyAccess {
  let name: String
  let slot: Slot<Value>
  /// Reads the property, for paths through it.
  let get: (@Sendable (Owner) throws -> Value?)?
  let set: @Sendable (Owner, Value) throws -> Void

  var valueType: any Any.Type { Value.self }
  var isReadable: Bool { self.get != nil }
  var acceptedType: any Any.Type { slot.acceptedType }
  var accepts: TypeTest { slot.accepts }

  func get(from object: Owner) throws -> Any? { try get?(object) }

  func set(_ value: Any, on object: Owner) throws {
    guard let value = value as? Value else {
      throw ContainerError(
        .notConvertible(property: name, object: value, wanted: slot.typeName),
        task: "set property \"\(name)\"")
    }
    try set(object, value)
  }

  func injection(
    _ assignment: PropertyAssignment, in context: BlueprintContext
  ) -> Injection<Owner>? {
    let name = assignment.name
    let supply = context.supply(
      for: assignment, role: "property \"\(name)\"", strength: .soft, slot: slot)
    guard let supply else { return nil }
    return .supply(supply, set: set)
  }

  func injection(
    _ assignment: PropertyAssignment, path: Substring, in context: BlueprintContext
  ) -> Injection<Owner>? {
    guard let get, let component = context.classes.component(of: Value.self) else {
      context.report(
        .noPath(
          assignment.name, through: name, typeName: slot.typeName, of: context.definition.name,
          isReadable: get != nil, at: assignment.location))
      return nil
    }
    switch component.body.injection(assignment, path: path, on: Value.self, in: context) {
    case .found(let injection):
      return injection.through { [name] owner in
        if let value = try get(owner) { return value }
        throw ContainerError(
          .emptyPath(assignment.name, through: name, at: assignment.location), task: "inject")
      }
    case .faulty: return nil
    case .noSuchProperty:
      context.reportUnknownProperty(
        assignment, className: component.name,
        known: context.classes.propertyNames(of: component).map { "\(name).\($0)" })
      return nil
    }
  }
}

extension Injection {
  /// The same injection for a class that holds an object of this one's.
  fileprivate func through<Owner>(
    _ get: @escaping @Sendable (Owner) throws -> T
  ) -> Injection<Owner> {
    Injection<Owner>(edges: edges) { linker in
      let inject = try link(linker)
      return { owner, session in try inject(get(owner), session) }
    }
  }
}
