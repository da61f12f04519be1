/// One object for each `withTaskScope` body, reached only by the task that runs it.
///
/// Tasks wander between threads, so what belongs to one must not be found by another: a task that was
/// started inside the body, even one that inherits its task-local values, has to open a scope of its own.
package struct TaskScope: Scope {
  package let name = "task"
  package let sharing = Sharing.confined

  package init() {}

  package func makeProvider<T>(
    _ type: T.Type, named name: String, in group: CycleGroup, linker: Linker
  ) throws -> ScopedProvider<T> {
    let provider = ConfinedProvider<T>(
      name: name, group: group, linker: linker, place: linker.services.tasks)
    group.confined.append(provider)
    return provider
  }
}
