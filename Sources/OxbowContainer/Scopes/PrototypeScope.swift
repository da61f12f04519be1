/// A new object for each request and each place where it is injected.
package struct PrototypeScope: Scope {
  package let name = "prototype"
  package let sharing = Sharing.fresh

  package init() {}

  package func makeProvider<T>(
    _ type: T.Type, named name: String, in group: CycleGroup, linker: Linker
  ) throws -> ScopedProvider<T> {
    PrototypeProvider<T>(name: name, group: group, linker: linker)
  }
}

/// Makes a new object each time; in a circle, which properties close, the circle leads back to the
/// object on whose behalf the others are made.
private final class PrototypeProvider<T>: ScopedProvider<T>, @unchecked Sendable {
  override func make(_ session: Session?) throws -> T {
    if group.isCyclic { return try makeInCircle(linked(), session) }
    if sharesRequest, session == nil { return try fresh(in: Session(group: nil)) }
    return try fresh(in: session)
  }

  private func fresh(in session: Session?) throws -> T {
    try held()._withUnsafeGuaranteedRef { try $0.fresh(session) }
  }

  override func fresh() throws -> T { try make(nil) }

  private func makeInCircle(_ construction: Construction<T>, _ session: Session?) throws -> T {
    try group.build(for: name, in: session) { session in
      let id = ObjectIdentifier(self)
      if let object = session.objectOnStack(of: id).flatMap({ $0 as? T }) { return object }
      return try session.onStack(id) {
        let object = try construction.construct(session)
        session.inject(object, by: construction)
        return object
      }
    }
  }
}
