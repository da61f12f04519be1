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

/// What is called on an object around its injection.
package struct Callbacks<T> {
  /// Before properties are set.
  package var before: [(T) throws -> Void] = []
  /// When all properties are set.
  package var after: [(T) throws -> Void] = []

  package init() {}

  package var isEmpty: Bool { before.isEmpty && after.isEmpty }
}

/// How one definition's objects come to be: constructor, injectors, callbacks and processors, linked.
package final class Construction<T> {
  package let name: String
  private let location: SourceLocation?
  private let constructor: Constructor<T>
  private let injectors: [Injector<T>]
  private let callbacks: Callbacks<T>
  private let processors: [any ObjectPostProcessor]
  private let isPlain: Bool

  package init(
    name: String, location: SourceLocation?, constructor: Constructor<T>,
    injectors: [Injector<T>], callbacks: Callbacks<T>, processors: [any ObjectPostProcessor]
  ) {
    self.name = name
    self.location = location
    self.constructor = constructor
    self.injectors = injectors
    self.callbacks = callbacks
    self.processors = processors
    isPlain = injectors.isEmpty && callbacks.isEmpty && processors.isEmpty
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
      for call in callbacks.before { try call(object) }
      for injector in injectors { try injector(object, session) }
    } catch {
      throw failure(error, in: "setting its properties")
    }
  }

  /// Calls what wants to be called when all properties are set, and lets the processors have the object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - inCircle: Whether others may refer to it already.
  /// - Returns: What the processors make of it.
  /// - Throws: What a callback or processor throws.
  package func complete(_ object: T, inCircle: Bool = false) throws -> T {
    do {
      for call in callbacks.after { try call(object) }
      var result = object
      for processor in processors { result = try processor.process(result, named: name) }
      if inCircle, !processors.isEmpty, !isSame(object, result) {
        throw ContainerError(.replacedInCircle(name, at: location), task: "complete the object")
      }
      return result
    } catch {
      throw failure(error, in: "completing it")
    }
  }

  /// Makes the object, sets its properties and completes it.
  package func fresh(_ session: Session?) throws -> T {
    let object = try construct(session)
    if isPlain { return object }
    try inject(object, session)
    return try complete(object)
  }

  private func isSame(_ a: T, _ b: T) -> Bool {
    guard Swift.type(of: a as Any) is AnyClass else { return true }
    return a as AnyObject === b as AnyObject
  }

  private func failure(_ error: any Error, in step: String) -> ContainerError {
    if let error = error as? ContainerError {
      return error.requested(by: "\"\(name)\"").located(at: location)
    }
    return ContainerError(
      .constructionFailed(name, step: step, at: location, error), task: "get object \"\(name)\"")
  }
}
