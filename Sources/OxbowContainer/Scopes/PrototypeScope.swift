/// A new object for each request and each place where it is injected.
package struct PrototypeScope: Scope {
  package let name = "prototype"
  package let sharing = Sharing.fresh

  package init() {}

  package func makeMaker<T>(
    _ type: T.Type, named name: String, in group: Group, linker: Linker
  ) throws -> ScopedMaker<T> {
    PrototypeMaker<T>(name: name, group: group)
  }
}

private final class PrototypeMaker<T>: ScopedMaker<T>, @unchecked Sendable {
  override func make(_ session: Session?) throws -> T {
    let construction = try linked()
    guard group.isCyclic else { return try construction.fresh(session) }
    if let session, session.group === group {
      let object = try construction.construct(session)
      session.inject(object, by: construction)
      return object
    }
    try group.buildShared(for: name)
    return try construction.fresh(nil)
  }
}
