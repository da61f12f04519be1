/// The tests of types that descriptions and proxies spell, for injection points and requests that
/// bring none.
struct TypeIndex: Sendable {
  private let classes: ClassRegistry

  init(_ classes: ClassRegistry) { self.classes = classes }

  /// Whether objects of a type surely are of a wanted one; nil when that cannot be known.
  ///
  /// Where the runtime does not find a protocol, the property of a described class whose type it
  /// is, or its proxy class, can tell.
  ///
  /// - Complexity: O(properties of all described classes) for such a protocol.
  func test(for wanted: any Any.Type) -> TypeTest? {
    guard TypeFit.isOpen(wanted) else { return concreteTest(for: wanted) }
    if let test = TypeFit.test(for: wanted) {
      return { test($0) || $0 == wanted || refines($0, wanted, test) }
    }
    for component in classes.all {
      let point = component.body.properties.lazy.map { $0.point }.first {
        $0.acceptedType == wanted
      }
      if let point { return { point.accepts($0) || $0 == wanted } }
    }
    guard let proxy = classes.proxies.first(where: { $0.targetType == wanted }) else { return nil }
    return { proxy.accepts($0) }
  }

  /// Whether a protocol surely has another one as its parent: the runtime says so, or its proxy
  /// class has both.
  private func refines(_ type: any Any.Type, _ wanted: any Any.Type, _ test: TypeTest) -> Bool {
    if TypeFit.refines(type, wanted) { return true }
    guard TypeFit.isOpen(type) else { return false }
    return classes.proxies.contains { $0.targetType == type && test($0.proxyType) }
  }

  /// Whether objects that are known by a protocol may be of a wanted type, as far as classes are
  /// known that have the protocol.
  func mayFit(_ type: any Any.Type, _ wanted: any Any.Type) -> Bool {
    guard let has = TypeFit.test(for: type), let wants = test(for: wanted) else {
      return true
    }
    return !classes.all.contains { has($0.objectType) && !wants($0.objectType) }
  }

  private func concreteTest(for wanted: any Any.Type) -> TypeTest {
    func test<Wanted>(_ wanted: Wanted.Type) -> TypeTest {
      { $0 == Wanted.self || $0 is Wanted.Type }
    }
    return _openExistential(wanted, do: test)
  }
}

extension TypeIndex {
  /// Which types a request by type takes.
  struct RequestTest {
    private let wanted: any Any.Type
    private let fits: TypeTest
    private let isPlain: Bool
    private let index: TypeIndex

    /// Creates the test; nil when that cannot be known of any type.
    init?(_ request: TypeRequest, _ index: TypeIndex) {
      let ofType = request.isPlain ? index.test(for: request.type) : nil
      guard let fits = request.accepts ?? ofType else { return nil }
      self.init(request.type, isPlain: request.isPlain, index) { fits($0) || ofType?($0) == true }
    }

    init(
      _ wanted: any Any.Type, isPlain: Bool, _ index: TypeIndex, _ fits: @escaping TypeTest
    ) {
      self.wanted = wanted
      self.fits = fits
      self.isPlain = isPlain
      self.index = index
    }

    /// Whether objects of a type surely fit.
    func isSure(_ type: any Any.Type) -> Bool { type == wanted || fits(type) }

    /// Whether some objects of a type may fit that is known by a protocol or may be nothing.
    func isUnsure(_ type: any Any.Type) -> Bool {
      if let optional = type as? any OptionalType.Type { return isSure(optional.wrapped) }
      guard TypeFit.isOpen(type), TypeFit.of(type, inAny: wanted) == .unknown else {
        return false
      }
      return index.mayFit(type, wanted)
    }
  }
}
