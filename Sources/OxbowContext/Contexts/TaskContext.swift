/// A context bound to a task, for code that reaches its context through a proxy.
///
/// Proxies give each thread its context, but a task runs on whatever thread is free. Inside
/// ``perform(_:_:)`` they forward to a context that belongs to the task instead.
public enum TaskContext {
  @TaskLocal private static var binding: Binding?

  private final class Binding: @unchecked Sendable {
    // Sendable by argument: the context belongs to one task (its owner says which), and `current`
    // hands it to no other.
    let context: ManagedObjectContext
    let owner: ContextOwner

    init(_ context: ManagedObjectContext, _ owner: ContextOwner) {
      self.context = context
      self.owner = owner
    }
  }

  /// The context that is bound to the current task, or `nil`.
  ///
  /// Child tasks do not inherit it.
  public static var current: ManagedObjectContext? {
    guard let binding, binding.owner == ContextOwner.currentTask else { return nil }
    return binding.context
  }

  /// Runs `body` with a context of its own bound to the current task.
  ///
  /// - Parameters:
  ///   - makeContext: Makes the context; it is given its owner, the current task.
  ///   - body: What is to be done. Changes that it does not save are discarded.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` or `makeContext` throws, and an error that a getter recorded last.
  public static func perform<R>(
    _ makeContext: (ContextOwner) throws -> ManagedObjectContext, _ body: () async throws -> R
  ) async throws -> R {
    guard let owner = ContextOwner.currentTask else { return try await body() }
    let context = try makeContext(owner)
    let result = try await $binding.withValue(Binding(context, owner)) { try await body() }
    try context.finish()
    return result
  }
}

extension ManagedObjectContext {
  /// Ends a unit of work.
  ///
  /// - Throws: An error that a getter recorded and no call has thrown.
  package func finish() throws {
    try begin("the end of perform")
    sweep()
  }

  /// The number of objects that the next save would write, for reports of unsaved work.
  package var unsavedCount: Int {
    insertedObjects.filter(\.isInserted).count
      + updatedObjects.filter(\.isUpdated).count + deletedObjects.count
  }
}
