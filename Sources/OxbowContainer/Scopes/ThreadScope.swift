/// One object for each thread, released when the thread or a `withThreadScope` body ends.
///
/// Such an object never leaves its thread: it is reached in `withObject` bodies and through
/// thread-local proxies, and only other objects of the thread may refer to it.
package struct ThreadScope: Scope {
  package let name = "thread"
  package let sharing = Sharing.confined

  package init() {}

  package func makeProvider<T>(
    _ type: T.Type, named name: String, in group: CycleGroup, linker: Linker
  ) throws -> ScopedProvider<T> {
    let provider = ConfinedProvider<T>(
      name: name, group: group, linker: linker, place: try linker.threads.store())
    group.confined.append(provider)
    return provider
  }
}

extension ThreadStore: ConfinedPlace {}
