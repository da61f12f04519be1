internal import OxbowPlatform

/// Whether objects of a type fit.
package typealias TypeTest = @Sendable (any Any.Type) -> Bool

/// Tests for protocols that generic code knows as a type only.
///
/// Where `T` is `any P`, `type is T.Type` asks for the type of the protocol itself and is always false;
/// the right question, `type is any P.Type`, needs the protocol's name. The runtime finds that type by
/// its name, as for every protocol that is not private to a file and has no arguments.
package enum ConformanceTests {
  private static let known = Lock<[ObjectIdentifier: TypeTest?]>([:])

  /// Whether types have a protocol; nil where only code that spells the protocol can tell.
  ///
  /// A conformance that belongs to an actor counts where that actor runs.
  ///
  /// - Parameter existential: `(any P).self`.
  /// - Returns: The test `{ $0 is any P.Type }`.
  package static func test(for existential: any Any.Type) -> TypeTest? {
    known.withLock { known in
      let id = ObjectIdentifier(existential)
      if let found = known[id] { return found }
      let test = make(existential)
      known[id] = .some(test)
      return test
    }
  }

  private static func make(_ existential: any Any.Type) -> TypeTest? {
    guard let name = _mangledTypeName(existential), let metatype = _typeByName(name + "Xp") else {
      return nil
    }
    func test<Metatype>(_ type: Metatype.Type) -> TypeTest { { $0 is Metatype } }
    return _openExistential(metatype, do: test)
  }
}
