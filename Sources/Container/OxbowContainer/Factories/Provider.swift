/// A way to get an object later, by the rules of its scope.
///
/// A provider is `Sendable` whatever it provides, so it joins `Sendable` objects into circles that
/// initializers alone cannot make. The provider of a singleton always returns the same object, that
/// of a prototype a new one. Objects of thread scope have no providers; they have thread-local
/// proxies.
///
/// ```swift
/// final class Parent: Sendable {
///   let child: Provider<Child>
///   init(child: Provider<Child>) { self.child = child }
/// }
/// builder.singleton(named: "parent", Parent.init(child:), child.provider)
/// ```
///
/// Call it after construction: a call inside a constructor is a dependency that validation cannot
/// see.
public struct Provider<T>: ProviderType, Sendable {
  /// What is provided.
  public typealias Provided = T

  private let provide: @Sendable () throws -> T

  /// Creates a provider from a function, for use without a container.
  public init(_ provide: @escaping @Sendable () throws -> T) { self.provide = provide }

  /// Returns the object.
  ///
  /// - Throws: ``ContainerError``; `containerReleased` when the container was closed.
  public func callAsFunction() throws -> sending T {
    // Either one shared object, which the container has checked to be Sendable, or a new one that
    // nothing else refers to.
    nonisolated(unsafe) let object = try provide()
    return object
  }
}

/// ``Provider``, as a constraint.
public protocol ProviderType {
  /// What is provided.
  associatedtype Provided
}

/// A type that a reference can deliver instead of the object.
protocol DeferredReference: SendableMetatype {
  /// The type of the object.
  static var providedType: any Any.Type { get }
  static func reference(to name: String, requiresSendable: Bool) -> Ref<Self>
}

extension DeferredReference {
  /// The reference, its type forgotten.
  static func erasedReference(to name: String, requiresSendable: Bool) -> Any {
    reference(to: name, requiresSendable: requiresSendable)
  }
}

extension Provider: DeferredReference {
  static var providedType: any Any.Type { T.self }

  static func reference(to name: String, requiresSendable: Bool) -> Ref<Provider<T>> {
    Ref<T>(name, handle: nil, requiresSendable: requiresSendable).provider
  }
}

extension Ref {
  /// A reference that delivers a ``Provider`` of the object.
  public var provider: Ref<Provider<T>> {
    let object = self
    return derived(.provider, fit: fit) { linker in
      let name = linker.name(for: object.name)
      let provider = try linker.provider(of: object)
      return linker.container.deferred(name) { container in
        Provider { try container.object(of: provider, named: name) }
      }
    }
  }

  /// A reference that delivers something else of what this one leads to.
  private func derived<V>(
    _ use: ReferenceUse, fit: @escaping @Sendable (any Any.Type) -> TypeFit,
    linking: @escaping @Sendable (any Linking) throws -> ObjectProvider<V>
  ) -> Ref<V> {
    var ref = Ref<V>(
      name, use: self.use == .constant ? .constant : use, requiresSendable: requiresSendable,
      fit: fit, linking: linking)
    ref.request = request
    ref.isOptional = isOptional
    ref.location = location
    return ref
  }

  /// A reference that delivers a factory, which makes a new object of the definition on every call.
  public var factory: Ref<any FactoryObject<T> & Sendable> {
    factory(as: T.self, requiresSendable: requiresSendable)
  }

  /// A reference that delivers a factory whose products are seen through another type.
  ///
  /// - Parameter type: A protocol that the objects conform to, or a superclass.
  /// - Returns: The reference.
  public func factory<V>(as type: V.Type) -> Ref<any FactoryObject<V> & Sendable> {
    factory(as: type, requiresSendable: false)
  }

  /// A reference that delivers a factory whose products are seen through another, `Sendable` type.
  ///
  /// - Parameter type: A protocol that the objects conform to, or a superclass.
  /// - Returns: The reference.
  public func factory<V: Sendable>(as type: V.Type) -> Ref<any FactoryObject<V> & Sendable> {
    factory(as: type, requiresSendable: true)
  }

  private func factory<V>(
    as type: V.Type, requiresSendable: Bool
  ) -> Ref<any FactoryObject<V> & Sendable> {
    let object = self
    var ref = derived(.factory, fit: { TypeFit.of($0, in: V.self) }) { linker in
      try linker.factory(of: linker.name(for: object.name), linker.provider(of: object), as: V.self)
    }
    ref.requiresSendable = requiresSendable
    return ref
  }
}

extension Linking {
  /// Delivers factories that make new objects of a definition.
  fileprivate func factory<T, V>(
    of name: String, _ object: ObjectProvider<T>, as type: V.Type
  ) -> ObjectProvider<any FactoryObject<V> & Sendable> {
    let provider = object as? ObjectProvider<V> ?? object.cast(to: V.self, named: name)
    let isSendable = isSendable(name)
    return container.deferred(name) { container in
      DefaultFactory(makesSendable: isSendable) {
        try container.call(for: name) { try provider.fresh() }
      }
    }
  }
}
