internal import OxbowContainer
public import OxbowContext
internal import OxbowModel

extension ObjectContext {
  /// Runs `body` with a context behind the proxy that is bound to the current task, made as those
  /// of threads are.
  ///
  /// ```swift
  /// try await context.withTaskContext { try books.rename(id, to: "Kindred") }
  /// ```
  ///
  /// - Throws: What `body` throws, why there is no context, and an error that a getter recorded
  ///   last; ``PersistenceError`` with code `unsupported` where this is not a proxy that gives each
  ///   thread a context.
  public func withTaskContext<R>(_ body: () async throws -> R) async throws -> R {
    var end = {}
    defer { end() }
    return try await TaskContext.perform(
      { owner in
        let made = try TaskContext.$taskToBind.withValue(owner) { try contextApart() }
        end = made.end
        return made.context
      }, body)
  }

  /// The source that gives each thread its own context, if this is a proxy of one.
  var threadSource: ThreadLocalSource<any ObjectContext>? {
    (self as? ObjectContextProxy)?._source as? ThreadLocalSource<any ObjectContext>
  }

  private func contextApart() throws -> (context: ManagedObjectContext, end: () -> Void) {
    if let source = threadSource {
      let made = try source.makeApart()
      if let context = made.target as? ManagedObjectContext { return (context, made.end) }
      made.end()
    }
    throw PersistenceError(
      .unsupported,
      "a context for a task was asked of an object of class '\(type(of: self))', which makes none; ask "
        + "the context that 'persistentStore' defines, or a PersistentContainer")
  }
}
