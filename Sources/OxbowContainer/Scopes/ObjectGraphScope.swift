/// One object for everything that is made for one request; the next request gets another one.
///
/// A request is one call of the container, of a provider, a factory or a lazy proxy. An object that
/// outlives its request (a singleton, or the object of a thread or task) is a request of its own while
/// it is built, so that nothing of the first one becomes a part of it.
package struct ObjectGraphScope: Scope {
  package let name = "objectGraph"
  package let sharing = Sharing.fresh
  package let isSharedWithinRequest = true
  package let meaning = "one object for everything that is made for one request"

  package init() {}

  package func makeProvider<T>(
    _ type: T.Type, named name: String, in group: CycleGroup, linker: Linker
  ) throws -> ScopedProvider<T> {
    ObjectGraphProvider<T>(name: name, group: group, linker: linker)
  }
}

/// Keeps the object in the request, and nothing itself.
private final class ObjectGraphProvider<T>: ScopedProvider<T>, @unchecked Sendable {
  private final class Box {
    var value: T
    init(_ value: T) { self.value = value }
  }

  override func make(_ session: Session?) throws -> T {
    if let session, let object = found(in: session) { return object }
    guard group.isCyclic else { return try makeAlone(session ?? Session(group: nil)) }
    return try group.build(for: name, in: session) { try makeInCircle($0) }
  }

  override func fresh() throws -> T { try make(nil) }

  private func found(in session: Session) -> T? {
    (session.request.objects[ObjectIdentifier(self)] as? Box)?.value
  }

  private func makeAlone(_ session: Session) throws -> T {
    let object = try held()._withUnsafeGuaranteedRef { try $0.fresh(session) }
    session.request.objects[ObjectIdentifier(self)] = Box(object)
    return object
  }

  private func makeInCircle(_ session: Session) throws -> T {
    if let object = found(in: session) { return object }
    let construction = try linked()
    let object = try construction.construct(session)
    let box = Box(object)
    session.request.objects[ObjectIdentifier(self)] = box
    session.inject(object, by: construction) { box.value = $0 }
    return object
  }
}
