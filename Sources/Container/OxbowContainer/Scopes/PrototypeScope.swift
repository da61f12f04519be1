/// A new object for each request and each place where it is injected.
struct PrototypeScope: Scope {
  let name = "prototype"
  let sharing = Sharing.fresh

  func makeProvider<T>(of type: T.Type, _ setup: ProviderSetup) throws -> ScopedProvider<T> {
    PrototypeProvider<T>(setup)
  }
}

/// Makes a new object each time; in a circle, which properties close, the circle leads back to the
/// object on whose behalf the others are made.
private final class PrototypeProvider<T>: ScopedProvider<T>, @unchecked Sendable {
  override func make(_ context: BuildContext?) throws -> T {
    if group.isCyclic { return try makeInCircle(construction(), context) }
    if sharesRequest, context == nil { return try fresh(in: BuildContext()) }
    return try fresh(in: context)
  }

  override func fresh(for belongings: Belongings?) throws -> T {
    try make(belongings.map { BuildContext(belongings: $0) })
  }

  private func makeInCircle(_ construction: Construction<T>, _ context: BuildContext?) throws -> T {
    try group.build(for: name, in: context) { context in
      let id = ObjectIdentifier(self)
      if let object = context.objectOnStack(of: id).flatMap({ $0 as? T }) { return object }
      return try context.onStack(id) {
        let object = try construction.construct(context)
        context.inject(object, by: construction)
        return object
      }
    }
  }
}
