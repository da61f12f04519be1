internal import OxbowPlatform
package import OxbowStore

/// A context bound to a task, for code that reaches its context through a proxy.
///
/// Proxies give each thread its context, but a task runs on whatever thread is free. Inside
/// `withTaskContext` they forward to a context that belongs to the task instead.
public enum TaskContext {
  @TaskLocal private static var binding: Binding?

  /// The owner of the next context that a definition makes: the task for which it is made, or else
  /// the calling thread.
  package static var newOwner: ContextOwner { taskToBind ?? .currentThread }
  @TaskLocal package static var taskToBind: ContextOwner?

  private final class Binding: @unchecked Sendable {
    // Sendable by argument: `owner` and `outer` are immutable, and the context, behind its lock, is
    // returned to its owner only, which is one task.
    let owner: ContextOwner
    /// The one around it, which may be of another store.
    let outer = TaskContext.binding
    /// Whether only proxies that know their store find it, and not those of any store.
    let isOfStoreAlone: Bool
    private let context: Lock<Held>

    private struct Held: @unchecked Sendable {
      // As the binding.
      var context: ManagedObjectContext?
    }

    init(_ context: ManagedObjectContext, _ owner: ContextOwner, ofStoreAlone: Bool) {
      // What runs beside such a context, as a transaction of its own, is of its store as well, also
      // where the context of another store is bound in between.
      var step = outer
      while let found = step, found.context(for: owner)?.coordinator !== context.coordinator {
        step = found.outer
      }
      isOfStoreAlone = ofStoreAlone || step?.isOfStoreAlone == true
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

  /// The context that is bound to the current task, or `nil`; not that of a tenant's store.
  ///
  /// Child tasks do not inherit it, and it ends with `withTaskContext`.
  public static var current: ManagedObjectContext? { context(for: .currentTask) }

  /// The context of the current task's binding for `caller`.
  package static func context(for caller: ContextOwner?) -> ManagedObjectContext? {
    var step = binding
    while let found = step, found.isOfStoreAlone { step = found.outer }
    return step?.context(for: caller)
  }

  /// The innermost context of a store that is bound to the current task, or `nil`.
  package static func current(of coordinator: PersistentStoreCoordinator) -> ManagedObjectContext? {
    guard var step = binding else { return nil }
    let caller = ContextOwner.currentTask
    while true {
      if let context = step.context(for: caller), context.coordinator === coordinator {
        return context
      }
      guard let outer = step.outer else { return nil }
      step = outer
    }
  }

  /// Runs `body` with a context of its own bound to the current task.
  ///
  /// - Parameters:
  ///   - ofStoreAlone: Whether proxies that do not know their store do not find the context.
  ///   - makeContext: Makes the context for its owner, the current task.
  ///   - body: The work. Changes that it does not save are discarded.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` or `makeContext` throws, and an error that a getter recorded last.
  package static func perform<R>(
    ofStoreAlone: Bool = false, _ makeContext: (ContextOwner) throws -> ManagedObjectContext,
    _ body: () async throws -> R
  ) async throws -> R {
    guard let owner = ContextOwner.currentTask else { return try await body() }
    let context = try makeContext(owner)
    let binding = Binding(context, owner, ofStoreAlone: ofStoreAlone)
    defer { binding.end() }
    let result = try await $binding.withValue(binding) { try await body() }
    try context.finish()
    return result
  }

  /// Runs `body` with a context of its own bound to the current task, as
  /// ``perform(ofStoreAlone:_:_:)`` does.
  package static func scope<R>(
    ofStoreAlone: Bool = false, _ makeContext: (ContextOwner) throws -> ManagedObjectContext,
    _ body: () throws -> R
  ) throws -> R {
    guard let owner = ContextOwner.currentTask else { return try body() }
    let context = try makeContext(owner)
    let binding = Binding(context, owner, ofStoreAlone: ofStoreAlone)
    defer { binding.end() }
    let result = try $binding.withValue(binding, operation: body)
    try context.finish()
    return result
  }
}

extension ManagedObjectContext {
  /// Ends a unit of work.
  ///
  /// Its objects are not swept, and saves of others not merged, for most contexts end with it; and
  /// what was saved must not fail for a read.
  ///
  /// - Throws: An error that a getter recorded and no call has thrown.
  package func finish() throws {
    try requireOwner("the end of perform")
    if faults.pending != nil { try throwPendingFault() }
  }

  /// The number of objects that the next save would write, for reports of unsaved work.
  package var unsavedCount: Int { unsaved.count }
}
