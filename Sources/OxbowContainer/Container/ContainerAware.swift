/// An object that wants its container, after its properties are set.
///
/// What it asks the container for is an edge that validation cannot see; a reference or a provider is
/// checked, so prefer one of these. An object that keeps the container keeps every singleton of it: such
/// a container lives until ``Container/close()`` when the object is one of them.
public protocol ContainerAware: AnyObject {
  /// Receives the container.
  func setContainer(_ container: Container) throws
}

extension Ref where T == Container {
  /// A reference that delivers the container itself.
  public static var container: Ref<Container> {
    Ref("", use: .constant, fit: { _ in .fits }) { linker in
      ContainerMaker(linker.link)
    }
  }
}

extension Container: SelfDelivering {
  package static var delivery: Ref<Container> { .container }
}

/// Hands the container to objects that want it.
struct ContainerIntroduction: ObjectIntroduction {
  func concerns(_ type: any Any.Type) -> Bool { type is any ContainerAware.Type }

  func introduce(_ object: Any, named name: String, _ link: EngineLink) throws {
    try (object as? any ContainerAware)?.setContainer(link.container(for: name))
  }
}

extension EngineLink {
  /// The container, for objects that ask for it.
  func container(for name: String) throws -> Container {
    if let engine = try owner(for: name) as? Engine { return Container(engine) }
    throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
  }
}

private final class ContainerMaker: Maker<Container>, @unchecked Sendable {
  // Sendable by argument: the link never changes.
  private let link: EngineLink

  init(_ link: EngineLink) { self.link = link }

  override func make(_ session: Session?) throws -> Container { try fresh() }
  override func fresh() throws -> Container { try link.container(for: "container") }
}
