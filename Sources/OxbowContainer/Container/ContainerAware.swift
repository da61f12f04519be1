/// An object that wants its container, after its properties are set.
///
/// What it asks the container for is a dependency that validation cannot see; a reference or a provider is
/// checked, so prefer one of these. The container asks the type that a definition's objects are known by: a class
/// that conforms, or a protocol whose objects may. An object that keeps the container keeps every singleton of it: such
/// a container lives until ``Container/close()`` when the object is one of them.
public protocol ContainerAware: AnyObject {
  /// Receives the container.
  func setContainer(_ container: Container) throws
}

extension Ref where T == Container {
  /// A reference that delivers the container itself.
  public static var container: Ref<Container> {
    Ref("", use: .constant, fit: { _ in .fits }) { linker in
      ContainerProvider(linker.link)
    }
  }
}

extension Container: ContainerProvided {
  package static var delivery: Ref<Container> { .container }
}

/// Hands the container to objects that want it.
struct ContainerAwareness: ContainerAwareInjector {
  func concerns(_ type: any Any.Type) -> Bool {
    type is any ContainerAware.Type || TypeNames.isOpen(type)
  }

  func introduce(_ object: Any, named name: String, _ link: WeakContainerReference) throws {
    guard let object = object as? any ContainerAware else { return }
    try object.setContainer(link.container(for: name))
  }
}

extension WeakContainerReference {
  /// The container, for objects that ask for it.
  func container(for name: String) throws -> Container {
    let hold = try hold(for: name)
    let engine = try hold.inside(for: name) { (hold.keeper as? ContainerLife)?.engine }
    if let engine { return Container(engine, by: hold) }
    throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
  }
}

private final class ContainerProvider: ObjectProvider<Container>, @unchecked Sendable {
  // Sendable by argument: the link never changes.
  private let link: WeakContainerReference

  init(_ link: WeakContainerReference) { self.link = link }

  override func make(_ session: Session?) throws -> Container { try fresh() }
  override func fresh() throws -> Container { try link.container(for: "container") }
}
