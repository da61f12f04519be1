extension Recipe {
  /// A recipe that takes a product from a factory, which is constructed and injected for each product.
  ///
  /// The factory's properties are set before the product exists, so their dependencies count like those of
  /// an initializer.
  package static func product<F: FactoryObject>(
    of factory: Recipe<F>, injections: [Injection<F>]
  ) -> Recipe<T> where F.Product == T {
    Recipe(
      dependencies: factory.dependencies
        + Injection.dependencies(of: injections).map { $0.neededBeforeConstruction() }
    ) { linker in
      FactoryConstructor(
        Construction.Parts(
          constructor: try factory.link(linker),
          injectors: try injections.map { try $0.link(linker) }),
        services: linker.services)
    }
  }
}

/// Makes a factory, sets its properties and takes one product.
package final class FactoryConstructor<F: FactoryObject>: Constructor<F.Product> {
  private let factory: Constructor<F>
  private let injectors: [Injector<F>]
  private let callbacks: Callbacks<F>
  /// For factories that need the container's own things; nil for all others.
  private let services: ContainerServices?

  package init(_ parts: Construction<F>.Parts, services: ContainerServices) {
    factory = parts.constructor
    injectors = parts.injectors
    callbacks = parts.callbacks.observed()
    self.services = F.self is any ContainerServiceUser.Type ? services : nil
  }

  package override func construct(_ session: Session?) throws -> F.Product {
    let factory = try factory.construct(session)
    for call in callbacks.before { try call(factory) }
    for injector in injectors { try injector(factory, session) }
    if let services { (factory as? any ContainerServiceUser)?.services = services }
    for call in callbacks.after { try call(factory) }
    return try factory.object()
  }
}
