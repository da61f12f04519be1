public import OxbowContainer
public import OxbowContext
internal import OxbowStore

extension ObjectContextProxy {
  /// Binds proxies to tasks, and reports work that a thread left unsaved.
  public static var threadLocalHooks: ThreadLocalHooks<any ObjectContext> {
    ThreadLocalHooks(
      bound: { TaskContext.current }, willUse: refuseTasks, willDrop: reportUnsavedWork)
  }

  /// The same for the contexts of one store, which the task's context of another store is not.
  static func threadLocalHooks(
    of coordinator: PersistentStoreCoordinator
  ) -> ThreadLocalHooks<any ObjectContext> {
    ThreadLocalHooks(
      bound: { TaskContext.current(of: coordinator) }, willUse: refuseTasks,
      willDrop: reportUnsavedWork)
  }
}

/// A thread's context must not be used inside a task, which may continue on another thread.
@Sendable private func refuseTasks() throws {
  guard let task = ContextOwner.currentTask else { return }
  throw PersistenceError(
    .insideTask,
    "a thread's context was asked for inside \(task), which has none of its own; do the work inside "
      + "`store.perform { context in … }`, bind a context with `store.withTaskContext { … }`, where the "
      + "store is a PersistentContainer, or use the trait `.objectContext` in a test")
}

@Sendable private func reportUnsavedWork(_ context: any ObjectContext) {
  guard let context = context as? ManagedObjectContext, context.unsavedCount > 0 else { return }
  context.coordinator.report(
    "the context '\(context.name)' ended with \(context.unsavedCount) unsaved objects; "
      + "call save() or rollback() before its thread or scope ends")
}
