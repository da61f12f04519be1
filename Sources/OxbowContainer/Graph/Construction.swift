package import OxbowDocuments

/// Calls one constructor with what it needs.
package class Constructor<T> {
  package init() {}
  package func construct(_ session: Session?) throws -> T { preconditionFailure("abstract") }
}

/// Calls a function with the objects of its references.
package final class PackConstructor<T, each D>: Constructor<T> {
  private let make: @Sendable (repeat each D) throws -> T
  /// An `ObjectProvider` for each `D`.
  ///
  /// A row and not a tuple, whose type would be looked up at each call.
  private let providers: UnretainedArray

  package init(
    _ make: @escaping @Sendable (repeat each D) throws -> T,
    _ providers: (repeat ObjectProvider<each D>)
  ) {
    var list: [AnyObject] = []
    for provider in repeat each providers { list.append(provider) }
    self.make = make
    self.providers = UnretainedArray(list)
  }

  package override func construct(_ session: Session?) throws -> T {
    var next = ProviderCursor(providers: providers.walk, session: session)
    return try make(repeat next.object((each D).self))
  }
}

/// Hands out the objects of providers in the order of a constructor's parameters.
///
/// The fast path of a graph: the providers' types are those of the parameters by construction, so nothing
/// is cast and no type looked up, and the constructor holds them, so no reference is counted. Guarded by
/// suite K, graph and threads.
private struct ProviderCursor {
  var providers: UnretainedArray.Walk
  let session: Session?

  mutating func object<D>(_ type: D.Type) throws -> D {
    try providers.step()._withUnsafeGuaranteedRef {
      try unsafeDowncast($0, to: ObjectProvider<D>.self).make(session)
    }
  }
}

/// Sets one property of an object.
package typealias Injector<T> = (T, Session?) throws -> Void

/// An injector in a row of objects: arrays of generic functions look their type up at each step.
private final class InjectorBox<T> {
  private let inject: Injector<T>

  init(_ inject: @escaping Injector<T>) { self.inject = inject }

  func inject(into object: T, _ session: Session?) throws { try inject(object, session) }
}

/// What is called on an object around its injection.
package struct Callbacks<T> {
  /// Before properties are set.
  package var before: [(T) throws -> Void] = []
  /// When all properties are set.
  package var after: [(T) throws -> Void] = []

  package init() {}

  package init(before: [(T) throws -> Void], after: [(T) throws -> Void]) {
    self.before = before
    self.after = after
  }

  package var isEmpty: Bool { before.isEmpty && after.isEmpty }
}

/// How one definition's objects come to be: constructor, injectors, callbacks and processors, linked.
package final class Construction<T> {
  package let name: String
  private let location: SourceLocation?
  private let constructor: Constructor<T>
  /// An `InjectorBox<T>` for each injector.
  private let injectors: UnretainedArray
  private let callbacks: Callbacks<T>
  private let processors: [any ObjectPostProcessor]
  /// Sets what the constructor takes on an object that somebody else has made.
  private let elsewhere: ((Linker) throws -> [Injector<T>])?
  private let isPlain: Bool
  private let callsBefore: Bool
  private let completes: Bool

  package init(
    name: String, location: SourceLocation?, constructor: Constructor<T>,
    injectors: [Injector<T>], callbacks: Callbacks<T>, processors: [any ObjectPostProcessor],
    elsewhere: ((Linker) throws -> [Injector<T>])? = nil
  ) {
    self.elsewhere = elsewhere
    self.name = name
    self.location = location
    self.constructor = constructor
    var boxes: [AnyObject] = []
    for injector in injectors { boxes.append(InjectorBox(injector)) }
    self.injectors = UnretainedArray(boxes)
    self.callbacks = callbacks
    self.processors = processors
    isPlain = injectors.isEmpty && callbacks.isEmpty && processors.isEmpty
    callsBefore = !callbacks.before.isEmpty
    completes = !callbacks.after.isEmpty || !processors.isEmpty
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
      if callsBefore { try callBefore(object) }
      var boxes = injectors.walk
      for _ in 0..<injectors.count {
        try boxes.step()._withUnsafeGuaranteedRef {
          try unsafeDowncast($0, to: InjectorBox<T>.self).inject(into: object, session)
        }
      }
    } catch {
      throw failure(error, in: "setting its properties")
    }
  }

  /// Sets the properties of an object that somebody else has made, those included that the constructor
  /// takes.
  package func inject(_ object: T, _ session: Session?, madeElsewhere linker: Linker) throws {
    linker.begin(name)
    let injectors = try elsewhere?(linker) ?? []
    do {
      for inject in injectors { try inject(object, session) }
    } catch {
      throw failure(error, in: "setting its properties")
    }
    try inject(object, session)
  }

  private func callBefore(_ object: T) throws {
    for call in callbacks.before { try call(object) }
  }

  /// Calls what wants to be called when all properties are set, and lets the processors have the object.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - inCircle: Whether others may refer to it already.
  /// - Returns: What the processors make of it.
  /// - Throws: What a callback or processor throws.
  package func complete(_ object: T, inCircle: Bool = false) throws -> T {
    completes ? try slowComplete(object, inCircle: inCircle) : object
  }

  private func slowComplete(_ object: T, inCircle: Bool) throws -> T {
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
