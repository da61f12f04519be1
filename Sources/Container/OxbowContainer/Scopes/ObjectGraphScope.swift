/// One object for everything that is made for one request; the next request gets another one.
///
/// A request is one call of the container, of a provider, a factory or a lazy proxy. An object that
/// outlives its request (a singleton, or the object of a thread or task) is a request of its own
/// while it is built, so that nothing of the first one becomes a part of it.
struct ObjectGraphScope: Scope {
  let name = "objectGraph"
  let sharing = Sharing.fresh
  let isSharedWithinRequest = true
  let meaning = "one object for everything that is made for one request"

  func makeProvider<T>(of type: T.Type, _ setup: ProviderSetup) throws -> ScopedProvider<T> {
    ObjectGraphProvider<T>(setup)
  }
}

/// Keeps the object in the request, and nothing itself.
private final class ObjectGraphProvider<T>: ScopedProvider<T>, @unchecked Sendable {
  override func make(_ context: BuildContext?) throws -> T {
    if let object = context?.sharedObject(of: self) { return object }
    guard group.isCyclic else { return try makeAlone(context ?? BuildContext()) }
    return try group.build(for: name, in: context) { try makeInCircle($0) }
  }

  override func fresh(for belongings: Belongings?) throws -> T {
    try make(belongings.map { BuildContext(belongings: $0) })
  }

  private func makeAlone(_ context: BuildContext) throws -> T {
    let object = try fresh(in: context)
    context.share(object, of: self, in: context.request)
    return object
  }

  private func makeInCircle(_ context: BuildContext) throws -> T {
    if let object = context.sharedObject(of: self) { return object }
    let construction = try construction()
    let object = try construction.construct(context)
    let request = context.request
    context.share(object, of: self, in: request)
    context.inject(object, by: construction) { [self] in
      $1.share($0, of: self, in: request)
    }
    return object
  }
}
