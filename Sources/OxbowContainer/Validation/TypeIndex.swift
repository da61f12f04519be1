/// The tests of types that descriptions and proxies spell, for places and requests that bring none.
package struct TypeIndex: Sendable {
  private let classes: ClassRegistry

  package init(_ classes: ClassRegistry) { self.classes = classes }

  /// Whether objects of a type surely are of a wanted one; nil when nobody can tell.
  ///
  /// Generic code cannot test for a protocol; the property of a described class whose type it is, or its
  /// proxy class, can.
  ///
  /// - Complexity: O(properties of all described classes).
  package func test(for wanted: any Any.Type) -> TypeTest? {
    guard TypeNames.isOpen(wanted) else { return concreteTest(for: wanted) }
    for component in classes.all {
      let slot = component.body.properties.lazy.map { $0.slot }.first { $0.acceptedType == wanted }
      if let slot { return { slot.accepts($0) || $0 == wanted } }
    }
    guard let proxy = classes.proxies.first(where: { $0.targetType == wanted }) else { return nil }
    return { proxy.accepts($0) }
  }

  private func concreteTest(for wanted: any Any.Type) -> TypeTest {
    func test<Wanted>(_ wanted: Wanted.Type) -> TypeTest {
      { TypeFit.of($0, in: Wanted.self) == .fits }
    }
    return _openExistential(wanted, do: test)
  }
}
