/// An object whose purpose is to make another one.
///
/// A definition whose class is a factory defines the factory's product: the container constructs
/// the factory, sets its properties, calls ``object()`` once and keeps it no longer. Scope,
/// laziness and references then concern the product. The factory is made anew for each product and
/// never shared, so it may be a plain class with settable properties, whatever the product is.
///
/// ```swift
/// final class ConnectionFactory: FactoryObject {
///   var url: URL?
///   func object() throws -> Connection { … }
/// }
/// ```
public protocol FactoryObject<Product>: SendableMetatype {
  /// What the factory makes.
  associatedtype Product

  /// Makes one product.
  func object() throws -> Product
}

/// A factory whose products belong to the thread that asks for one, so that no definition can share
/// one.
package protocol ThreadBoundFactory: FactoryObject {}

/// A factory whose product's type is forgotten.
public struct AnyFactoryObject: FactoryObject {
  /// The type of the products.
  public let productType: any Any.Type
  private let make: () throws -> Any

  /// Wraps a factory.
  public init(_ factory: some FactoryObject) {
    productType = Self.productType(of: factory)
    make = factory.object
  }

  /// Makes one product.
  public func object() throws -> Any { try make() }

  private static func productType<F: FactoryObject>(of factory: F) -> any Any.Type {
    F.Product.self
  }
}

/// A factory that is a function; the container injects one where a factory is asked for.
///
/// As an injected factory it makes a new object on every call, constructed and injected as the
/// definition says. The definition's scope is the container's matter and does not apply: to get the
/// shared object later, ask for a ``Provider``.
public final class DefaultFactory<Product>: FactoryObject, Sendable {
  private let make: @Sendable () throws -> Product
  /// Whether the products were seen to be Sendable; nil when that is not known.
  let makesSendable: Bool?

  /// Creates a factory from a function.
  public init(_ make: @escaping @Sendable () throws -> Product) {
    self.make = make
    self.makesSendable = nil
  }

  init(makesSendable: Bool?, _ make: @escaping @Sendable () throws -> Product) {
    self.make = make
    self.makesSendable = makesSendable
  }

  /// Makes one product.
  public func object() throws -> Product { try make() }
}

extension Recipe {
  /// A recipe that takes a product from a factory, which is constructed and injected for each
  /// product.
  ///
  /// The factory's properties are set before the product exists, so their dependencies count like
  /// those of an initializer.
  static func product<F: FactoryObject>(
    of factory: Recipe<F>, injections: Injections<F>
  ) -> Recipe<T> where F.Product == T {
    Recipe(
      dependencies: factory.dependencies
        + injections.dependencies.map { $0.neededBeforeConstruction() },
      texts: factory.texts + injections.texts
    ) { linker in
      FactoryConstructor(
        Construction.Parts(
          constructor: try factory.link(linker),
          injectors: try injections.injectors(linker)),
        services: linker.services)
    }
  }
}

/// Makes a factory, sets its properties and takes one product.
final class FactoryConstructor<F: FactoryObject>: Constructor<F.Product> {
  private let factory: Constructor<F>
  private let injectors: [Injector<F>]
  private let callbacks: Callbacks<F>
  /// For factories that need the container's own things; nil for all others.
  private let services: ContainerServices?

  init(_ parts: Construction<F>.Parts, services: ContainerServices) {
    factory = parts.constructor
    injectors = parts.injectors
    callbacks = parts.callbacks.observed()
    self.services = F.self is any ContainerServiceUser.Type ? services : nil
  }

  override func construct(_ context: BuildContext?) throws -> F.Product {
    let factory = try factory.construct(context)
    for call in callbacks.before { try call(factory) }
    for injector in injectors { try injector(factory, context) }
    if let services { (factory as? any ContainerServiceUser)?.services = services }
    for call in callbacks.after { try call(factory) }
    return try factory.object()
  }
}
