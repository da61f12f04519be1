/// A place for something of one type: a property or an initializer parameter.
package struct Slot<Value>: Sendable {
  package let typeName: String
  package let requiresSendable: Bool
  package let accepts: @Sendable (any Any.Type) -> Bool
  /// The reference that is delivered in place of the object; nil for the object itself.
  package let late: (@Sendable (String) -> Ref<Value>)?
  /// Whether the slot takes a provider.
  private let takesProvider = Value.self is any LateReference.Type

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
    guard takesProvider || late != nil else {
      return Ref(
        name, use: .object, requiresSendable: requiresSendable, fit: fit, linking: nil)
    }
    return lateReference(to: name)
  }

  private func lateReference(to name: String) -> Ref<Value> {
    let plain = Ref<Value>(name, handle: nil, requiresSendable: requiresSendable)
    return (late?(name) ?? providerReference(to: name) ?? plain)
      .fitting(fit, requiresSendable: requiresSendable)
  }

  /// A yes of `accepts` is sure; a no counts only where the types themselves can tell.
  package func fit(_ type: any Any.Type) -> TypeFit {
    if isCollection { return collectionFit(type) }
    if accepts(type) { return .fits }
    return TypeFit.of(type, in: Value.self) == .misfit ? .misfit : .unknown
  }

  /// The type that `accepts` speaks of.
  package var acceptedType: any Any.Type {
    if let type = Value.self as? any CollectionSlot.Type { return type.elementType }
    if let type = Value.self as? any DictionarySlot.Type { return type.elementType }
    if let type = Value.self as? any LateReference.Type { return type.providedType }
    return (Value.self as? any OptionalType.Type)?.wrapped ?? Value.self
  }

  /// Whether the slot takes several objects; `accepts` speaks of each of them then.
  package var isCollection: Bool {
    Value.self is any CollectionSlot.Type || Value.self is any DictionarySlot.Type
  }

  private func collectionFit(_ type: any Any.Type) -> TypeFit {
    if type == Value.self { return .fits }
    if type is any CollectionSlot.Type || type is any DictionarySlot.Type { return .unknown }
    return accepts(type) || type is AnyClass ? .misfit : .unknown
  }

  /// A place for one of the slot's several objects.
  package func part<Part>(_ type: Part.Type) -> Slot<Part> {
    Slot<Part>(
      typeName: "\(type)", requiresSendable: requiresSendable, accepts: accepts)
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
    var ref = Ref(
      name, use: use, requiresSendable: requiresSendable, fit: fit, linking: linking)
    ref.request = request
    return ref
  }
}
