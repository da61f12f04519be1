public import OxbowContext
internal import OxbowModel

/// An actor that keeps a context: units of work one after the other, on objects that stay in
/// memory.
///
/// `PersistentContainer.perform` makes a context for each unit of work, and reads again what the
/// last one had. An actor keeps its own, and merges the saves of other contexts into it:
///
/// ```swift
/// let library = ContextActor(store)
/// try await library.perform { context in
///   try context.existingObject(with: id, as: Book.self).title = "Kindred"
///   try context.save()
/// }
/// ```
///
/// Other callers enter an actor at each `await` of its methods, and one would save another's
/// half-done changes. So the body is synchronous, and its unsaved changes are taken back at its
/// end. The compiler lets no object out of it: return values, or object IDs.
///
/// An actor of the program's own keeps a `ContextActor` and calls it.
public actor ContextActor {
  private let context: ManagedObjectContext
  private nonisolated let coordinator: PersistentStoreCoordinator

  /// Creates an actor with a new context of a store.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - name: The name that reports use.
  public init(_ store: PersistentContainer, _ name: String = "actor") {
    coordinator = store.coordinator
    context = store.makeContext(name)
    context.automaticallyMergesChangesFromParent = true
  }

  /// Runs `body` as a unit of work in the actor's context, on a thread of the store as
  /// `PersistentContainer.perform` does.
  ///
  /// - Throws: What `body` throws, and an error that a getter recorded and no call has thrown; for
  ///   cancelled tasks as `PersistentContainer.perform`. What was not saved is taken back then, as
  ///   it is when the body returns.
  @concurrent public nonisolated func perform<R: Sendable>(
    _ body: @Sendable (ManagedObjectContext) throws -> R
  ) async throws -> R { try await coordinator.unitOfWork { try await run(body) } }

  private func run<R: Sendable>(
    _ body: @Sendable (ManagedObjectContext) throws -> R
  ) throws -> R {
    try Task.checkCancellation()
    do {
      let result = try unitOfWork(body)
      // A rollback ends what could be undone.
      if context.hasChanges { try context.rollback() }
      return result
    } catch {
      try context.rollback()
      throw error
    }
  }

  private func unitOfWork<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    let result = try body(context)
    try context.finish()
    context.sweep()
    return result
  }
}
