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

private final class ContainerMaker: Maker<Container>, @unchecked Sendable {
  // Sendable by argument: the link never changes.
  private let link: EngineLink

  init(_ link: EngineLink) { self.link = link }

  override func make(_ session: Session?) throws -> Container { try fresh() }
  override func fresh() throws -> Container { try link.container(for: "container") }
}
