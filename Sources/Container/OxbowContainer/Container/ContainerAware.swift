/// An object that wants its container, after its properties are set.
///
/// What it asks the container for is a dependency that validation cannot see; a reference or a
/// provider is checked, so prefer one of these. The container asks the type that a definition's
/// objects are known by: a class that conforms, or a protocol whose objects may. An object that
/// keeps the container keeps every singleton of it: such a container lives until
/// ``Container/close()`` when the object is one of them.
public protocol ContainerAware: AnyObject {
  /// Receives the container.
  func setContainer(_ container: Container) throws
}

extension Ref where T == Container {
  /// A reference that delivers the container itself.
  public static var container: Ref<Container> {
    Ref("", use: .constant, fit: { _ in .fits }) { linker in
      ComputedProvider { [container = linker.container] _ in
        try container.container(for: "container")
      }
    }
  }
}

extension Container: ContainerProvided {
  static var delivery: Ref<Container> { .container }
}

extension Container {
  /// What is injected into objects of a type beside their properties: their container, and what
  /// others have asked for.
  static func injection(and others: [@Sendable () -> ContainerInjection]) -> ContainerInjection {
    if others.isEmpty { return injection }
    let all = [injection] + others.map { $0() }
    return { type in
      let injectors = all.compactMap { $0(type) }
      if injectors.isEmpty { return nil }
      return { object, name, container in
        for inject in injectors { try inject(object, name, container) }
      }
    }
  }

  /// What gives its container to an object of a type that is, or may be, ``ContainerAware``.
  static func injection(
    into type: any Any.Type
  ) -> ((Any, String, WeakContainerReference) throws -> Void)? {
    guard type is any ContainerAware.Type || TypeFit.isOpen(type) else { return nil }
    return { object, name, container in
      guard let object = object as? any ContainerAware else { return }
      try object.setContainer(container.container(for: name))
    }
  }
}

extension WeakContainerReference {
  /// The container, for objects that ask for it.
  package func container(for name: String) throws -> Container {
    let strong = try strong(for: name)
    let engine = try strong.inside(for: name) { (strong.keeper as? ContainerLife)?.engine }
    if let engine { return Container(engine, by: strong) }
    throw ContainerError(.containerReleased(name), getting: name)
  }
}
