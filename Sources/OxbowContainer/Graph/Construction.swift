package import OxbowDocuments

/// Calls one constructor with what it needs.
package class Constructor<T> {
  package init() {}
  package func construct(_ session: Session?) throws -> T { preconditionFailure("abstract") }
}

/// Calls a function with the objects of its references.
package final class PackConstructor<T, each D>: Constructor<T> {
  private let make: @Sendable (repeat each D) throws -> T
  private let needs: (repeat Maker<each D>)

  package init(
    _ make: @escaping @Sendable (repeat each D) throws -> T, _ needs: (repeat Maker<each D>)
  ) {
    self.make = make
    self.needs = needs
  }

  package override func construct(_ session: Session?) throws -> T {
    try make(repeat (each needs).make(session))
  }
}

/// Sets one property of an object.
package typealias Injector<T> = (T, Session?) throws -> Void

/// How one definition's objects come to be: constructor and injectors, linked.
package final class Construction<T> {
  package let name: String
  private let location: SourceLocation?
  private let constructor: Constructor<T>
  private let injectors: [Injector<T>]

  package init(
    name: String, location: SourceLocation?, constructor: Constructor<T>,
    injectors: [Injector<T>]
  ) {
    self.name = name
    self.location = location
    self.constructor = constructor
    self.injectors = injectors
  }

  /// Makes the object; its properties are not set yet.
  package func construct(_ session: Session?) throws -> T {
    do {
      return try constructor.construct(session)
    } catch {
      throw failure(error, in: "its constructor")
    }
  }

  /// Sets the object's properties, in the order in which they are declared.
  package func inject(_ object: T, _ session: Session?) throws {
    do {
      for injector in injectors { try injector(object, session) }
    } catch {
      throw failure(error, in: "setting its properties")
    }
  }

  /// Makes the object and sets its properties.
  package func fresh(_ session: Session?) throws -> T {
    let object = try construct(session)
    if !injectors.isEmpty { try inject(object, session) }
    return object
  }

  private func failure(_ error: any Error, in step: String) -> ContainerError {
    if let error = error as? ContainerError { return error.requested(by: "\"\(name)\"") }
    return ContainerError(
      .constructionFailed(name, step: step, at: location, error), task: "get object \"\(name)\"")
  }
}
