internal import OxbowDocuments

/// Sets one property of an object.
typealias Injector<T> = (T, BuildContext?) throws -> Void

/// How one definition's objects are made: constructor, injectors, callbacks and processors, linked.
final class Construction<T> {
  /// An injector as an object: arrays of generic functions look their type up at each step.
  private final class InjectorBox {
    private let inject: Injector<T>

    init(_ inject: @escaping Injector<T>) { self.inject = inject }

    func inject(into object: T, _ context: BuildContext?) throws { try inject(object, context) }
  }

  let name: String
  private let location: SourceLocation?
  private let constructor: Constructor<T>
  /// An `InjectorBox` for each injector.
  private let injectors: UnretainedArray
  private let callbacks: Callbacks<T>
  private let processors: [any ObjectPostProcessor]
  /// Sets what the constructor takes on an object that somebody else has made.
  private let elsewhere: ((any Linking) throws -> [Injector<T>])?
  private let ownership: Ownership
  private let isPlain: Bool
  private let callsBefore: Bool
  private let completes: Bool

  init(
    name: String, location: SourceLocation?, constructor: Constructor<T>,
    injectors: [Injector<T>], callbacks: Callbacks<T>, processors: [any ObjectPostProcessor],
    elsewhere: ((any Linking) throws -> [Injector<T>])? = nil, ownership: Ownership = .asker
  ) {
    self.elsewhere = elsewhere
    self.ownership = ownership
    self.name = name
    self.location = location
    self.constructor = constructor
    var boxes: [AnyObject] = []
    for injector in injectors { boxes.append(InjectorBox(injector)) }
    self.injectors = UnretainedArray(boxes)
    self.callbacks = callbacks
    self.processors = processors
    let belongs = if case .belonging = ownership { true } else { false }
    callsBefore = !callbacks.before.isEmpty
    completes = !callbacks.after.isEmpty || !processors.isEmpty || belongs
    isPlain = injectors.isEmpty && !callsBefore && !completes
  }

  /// Makes the object; its properties are not set yet.
  func construct(_ context: BuildContext?) throws -> T {
    do {
      return try constructor.construct(context)
    } catch {
      throw failure(error, in: "its constructor")
    }
  }

  /// Sets the object's properties, in the order in which they are declared.
  func inject(_ object: T, _ context: BuildContext?) throws {
    do {
      if callsBefore { try callBefore(object) }
      var boxes = injectors.iterator
      for _ in 0..<injectors.count {
        try boxes.next()._withUnsafeGuaranteedRef {
          try unsafeDowncast($0, to: InjectorBox.self).inject(into: object, context)
        }
      }
    } catch {
      throw failure(error, in: "setting its properties")
    }
  }

  /// Sets the properties of an object that somebody else has made, those included that the
  /// constructor takes.
  func inject(_ object: T, _ context: BuildContext?, madeElsewhere linker: any Linking)
    throws
  {
    linker.begin(name)
    let injectors = try elsewhere?(linker) ?? []
    do {
      for inject in injectors { try inject(object, context) }
    } catch {
      throw failure(error, in: "setting its properties")
    }
    try inject(object, context)
  }

  private func callBefore(_ object: T) throws {
    for call in callbacks.before { try call(object) }
  }

  /// Runs the callbacks that follow injection, then the processors, and returns what these make of
  /// the object.
  ///
  /// In a circle others may refer to it already.
  func complete(_ object: T, in context: BuildContext?, inCircle: Bool = false) throws -> T {
    completes ? try slowComplete(object, in: context, inCircle: inCircle) : object
  }

  private func slowComplete(_ object: T, in context: BuildContext?, inCircle: Bool) throws -> T {
    var result = object
    // What fails is noted too: it ends with the build.
    defer { note(object, replacedBy: result, in: context) }
    do {
      for call in callbacks.after { try call(object) }
      for processor in processors { result = try processor.process(result, named: name) }
      if inCircle, !processors.isEmpty, !isSame(object, result) {
        throw ContainerError(.replacedInCircle(name).at(location), task: "complete the object")
      }
      return result
    } catch {
      throw failure(error, in: "completing it")
    }
  }

  /// Makes the object, sets its properties and completes it.
  func fresh(_ context: BuildContext?) throws -> T {
    let object = try construct(context)
    if isPlain { return object }
    do {
      try inject(object, context)
      return try complete(object, in: context)
    } catch {
      // Its asker does not get it, so it ends with the build; not a value, which has no identity.
      if Swift.type(of: object as Any) is AnyClass {
        note(object, replacedBy: object, in: context)
        context?.belongings?.add(object, named: name)
      }
      throw error
    }
  }

  fileprivate func note(_ object: T, replacedBy result: T, in context: BuildContext?) {
    if case .asker = ownership { return }
    context?.belongings?.note(object, replacedBy: result, named: name, ownership)
  }

  private func isSame(_ a: T, _ b: T) -> Bool {
    guard Swift.type(of: a as Any) is AnyClass else { return true }
    return a as AnyObject === b as AnyObject
  }

  private func failure(_ error: any Error, in step: String) -> ContainerError {
    if let error = error as? ContainerError {
      return error.requested(by: "\"\(name)\"").located(at: location)
    }
    return ContainerError(.constructionFailed(name, step: step, error).at(location), getting: name)
  }
}

extension BuildContext {
  /// Puts off the injection of an object until every member is constructed, and what follows
  /// injection until every member is injected.
  ///
  /// `store` keeps what has become of the object, if that is another one.
  func inject<T>(
    _ object: T, by construction: Construction<T>,
    store: @escaping (T, BuildContext) -> Void = { _, _ in }
  ) {
    let inCircle = group?.isCyclic ?? false
    if inCircle { construction.note(object, replacedBy: object, in: self) }
    putOff(
      injection: { try construction.inject(object, $0) },
      completion: {
        try store(construction.complete(object, in: $0, inCircle: inCircle), $0)
      })
  }
}
