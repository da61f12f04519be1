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

  /// Sets the property of an object.
  ///
  /// - Throws: `typeMismatch` when the value has another type.
  public func set(_ value: Any, on object: Owner) throws {
    try access.set(value, on: object)
  }
}

/// A place for something of one type: a property or an initializer parameter.
package struct Slot<Value>: Sendable {
  package let typeName: String
  package let requiresSendable: Bool
  package let accepts: @Sendable (any Any.Type) -> Bool
  /// The reference that is delivered in place of the object; nil for the object itself.
  package var late: (@Sendable (String) -> Ref<Value>)?

  package init(
    typeName: String, requiresSendable: Bool,
    accepts: @escaping @Sendable (any Any.Type) -> Bool,
    late: (@Sendable (String) -> Ref<Value>)? = nil
  ) {
    self.typeName = typeName
    self.requiresSendable = requiresSendable
    self.accepts = accepts
    self.late = late
  }

  /// A slot for objects, values and providers; a provider is `Sendable` whatever it provides.
  package init(
    typeName: String, sendability: Sendability<Value>,
    accepts: @escaping @Sendable (any Any.Type) -> Bool
  ) {
    let isProvider = Value.self is any LateReference.Type
    self.init(
      typeName: typeName,
      requiresSendable: isProvider ? sendability.providesSendable : sendability.isSendable,
      accepts: accepts)
  }

  /// The reference that fills the slot from a definition.
  package func reference(to name: String) -> Ref<Value> {
    let plain = Ref<Value>(name, handle: nil, requiresSendable: requiresSendable)
    return (late?(name) ?? providerReference(to: name) ?? plain)
      .fitting(fit, requiresSendable: requiresSendable)
  }

  /// A yes of `accepts` is sure; a no counts only where the types themselves can tell.
  package func fit(_ type: any Any.Type) -> TypeFit {
    if accepts(type) { return .fits }
    return TypeFit.of(type, in: Value.self) == .misfit ? .misfit : .unknown
  }

  private func providerReference(to name: String) -> Ref<Value>? {
    (Value.self as? any LateReference.Type).flatMap { reference($0, to: name) }
  }

  private func reference<Late: LateReference>(_ type: Late.Type, to name: String) -> Ref<Value>? {
    type.reference(to: name, requiresSendable: requiresSendable) as? Ref<Value>
  }
}

extension Ref {
  /// The same reference with another test of types.
  package func fitting(
    _ fit: @escaping @Sendable (any Any.Type) -> TypeFit, requiresSendable: Bool
  ) -> Ref<T> {
    Ref(name, use: use, requiresSendable: requiresSendable, fit: fit, linking: linking)
  }
}

/// How a property is set, the type of its value forgotten.
package protocol PropertyAccess<Owner>: Sendable {
  associatedtype Owner
  func set(_ value: Any, on object: Owner) throws
  func injection(_ assignment: PropertyAssignment, in context: BlueprintContext) -> Injection<
    Owner
  >?
}

private struct TypedAccess<Owner, Value>: PropertyAccess {
  let name: String
  let slot: Slot<Value>
  /// Reads the property, for paths through it.
  let get: (@Sendable (Owner) throws -> Value?)?
  let set: @Sendable (Owner, Value) throws -> Void

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
    let name = name
    guard let ref = context.ref(for: assignment, role: "property \"\(name)\"", slot: slot) else {
      return nil
    }
    return .reference(ref, role: "property \"\(name)\"", at: assignment.location, set: set)
  }
}
