public import OxbowContainer
internal import OxbowPlatform

extension ContainerBuilder {
  /// Has the `@Injected` properties of the container's objects get their values from initializers.
  ///
  /// Each object is bound when its other properties are set. A request for an object fails, if one
  /// of its properties would get nothing. Builders of one process may share initializers; what
  /// these make as `shared` is one for each container.
  public func add(_ initializers: PropertyInitializers) {
    addInjection {
      let held = Lock<InjectionBinding?>(nil)
      return { type in
        // A class, or a protocol whose objects may be of one.
        guard type is AnyClass || TypeFit.isOpen(type) else { return nil }
        return { object, _, container in
          guard Swift.type(of: object) is AnyClass else { return }
          let binding = initializers.binding(for: container)
          // What is shared lives as long as the container.
          held.withLock { $0 = binding }
          try binding.bind(object as AnyObject)
        }
      }
    }
  }
}

extension PropertyInitializers {
  /// Binds the injected properties of an object that no container made.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - container: What initializers receive as the container.
  /// - Throws: ``ContainerError``: `propertyNotInjected` when a property would get nothing.
  public func inject<Object: AnyObject>(
    into object: Object, from container: Container? = nil
  ) throws {
    try binding(of: container).bind(object)
  }

  /// Runs `body`, in which properties that nothing has bound get their values from here when they
  /// are first read.
  ///
  /// - Parameters:
  ///   - container: What initializers receive as the container.
  ///   - body: What runs.
  /// - Returns: What `body` returns.
  public func serve<R>(from container: Container? = nil, _ body: () throws -> R) rethrows -> R {
    try InjectionBinding.$ofTask.withValue(binding(of: container), operation: body)
  }

  private func binding(of container: Container?) -> InjectionBinding {
    container.map { binding(for: $0.reference) } ?? unboundBinding
  }
}
