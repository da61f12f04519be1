internal import OxbowPlatform

/// A context bound to a task, for code that reaches its context through a proxy.
///
/// Proxies give each thread its context, but a task runs on whatever thread is free. Inside
/// ``perform(_:_:)`` they forward to a context that belongs to the task instead.
public enum TaskContext {
  @TaskLocal private static var binding: Binding?

  /// The owner of the next context that a definition makes: the task for which it is made, or else
  /// the calling thread.
  package static var newOwner: ContextOwner { taskToBind ?? .currentThread }
  @TaskLocal package static var taskToBind: ContextOwner?

  private final class Binding: @unchecked Sendable {
    // Sendable by argument: `owner` is immutable, and the context, behind its lock, is returned to
    // its owner only, which is one task.
    let owner: ContextOwner
    private let context: Lock<Held>

    private struct Held: @unchecked Sendable {
      // As the binding.
      var context: ManagedObjectContext?
    }

    init(_ context: ManagedObjectContext, _ owner: ContextOwner) {
      self.context = Lock(Held(context: context))
      self.owner = owner
    }

    func context(for caller: ContextOwner?) -> ManagedObjectContext? {
      owner == caller ? context.withLock { $0 }.context : nil
    }

    /// Ends the binding: tasks that inherited it may outlive the owner, and one of them may get its
    /// address.
    func end() {
      // Released after the lock.
      _ = context.withLock { held in
        defer { held.context = nil }
        return held
      }
    }
  }

  /// The context that is bound to the current task, or `nil`.
  ///
  /// Child tasks do not inherit it, and it ends with ``perform(_:_:)``.
  public static var current: ManagedObjectContext? { context(for: .currentTask) }

  /// The context of the current task's binding for `caller`.
  package static func context(for caller: ContextOwner?) -> ManagedObjectContext? {
    binding?.context(for: caller)
  }

  /// Runs `body` with a context of its own bound to the current task.
  ///
  /// - Parameters:
  ///   - makeContext: Makes the context for its owner, the current task.
  ///   - body: The work. Changes that it does not save are discarded.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` or `makeContext` throws, and an error that a getter recorded last.
  public static func perform<R>(
    _ makeContext: (ContextOwner) throws -> ManagedObjectContext, _ body: () async throws -> R
  ) async throws -> R {
    guard let owner = ContextOwner.currentTask else { return try await body() }
    let context = try makeContext(owner)
    let binding = Binding(context, owner)
    defer { binding.end() }
    let result = try await $binding.withValue(binding) { try await body() }
    try context.finish()
    return result
  }

  /// Runs `body` with a context of its own bound to the current task, as ``perform(_:_:)`` does.
  package static func scope<R>(
    _ makeContext: (ContextOwner) throws -> ManagedObjectContext, _ body: () throws -> R
  ) throws -> R {
    guard let owner = ContextOwner.currentTask else { return try body() }
    let context = try makeContext(owner)
    let binding = Binding(context, owner)
    defer { binding.end() }
    let result = try $binding.withValue(binding, operation: body)
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
  package var unsavedCount: Int { unsaved.count }
}
