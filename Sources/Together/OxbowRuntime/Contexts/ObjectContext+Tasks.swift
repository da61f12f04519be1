internal import OxbowContainer
public import OxbowContext
internal import OxbowModel
internal import OxbowStore

/// A source that hands on the contexts of one store or another, as the caller's tenant is.
protocol ChangingContextSource: ProxySource<any ObjectContext> {
  /// The contexts of the store for a call that is made now.
  var contexts: ObjectContextProxy { get throws }
}

extension ObjectContext {
  /// Runs `body` with a context behind the proxy that is bound to the current task, made as those
  /// of threads are.
  ///
  /// ```swift
  /// try await context.withTaskContext { try books.rename(id, to: "Kindred") }
  /// ```
  ///
  /// While `body` is off actors with an executor of their own, it runs on the threads of the store
  /// (`SQLiteStoreOptions.workThreads`), and its child tasks do too, so that no other task waits
  /// where a synchronous call waits for a lock or the disk.
  ///
  /// - Throws: What `body` throws, why there is no context, and an error that a getter recorded
  ///   last; ``PersistenceError`` with code `unsupported` where this is not a proxy that gives each
  ///   thread a context.
  public func withTaskContext<R>(_ body: () async throws -> R) async throws -> R {
    try await bindingContext(onWorkThreads: true, body)
  }

  /// Likewise, on the threads where the caller is unless `onWorkThreads`.
  package func bindingContext<R>(
    onWorkThreads: Bool, ofStoreAlone: Bool = false, _ body: () async throws -> R
  ) async throws -> R {
    let isOfStoreAlone =
      ofStoreAlone || (self as? ObjectContextProxy)?._source is any ChangingContextSource
    guard let owner = ContextOwner.currentTask else { return try await body() }
    let made = try TaskContext.$taskToBind.withValue(owner) { try contextApart() }
    defer { made.end() }
    func bind() async throws -> R {
      try await TaskContext.perform(ofStoreAlone: isOfStoreAlone, { _ in made.context }, body)
    }
    guard onWorkThreads else { return try await bind() }
    return try await made.context.coordinator.preferringWorkThreads { try await bind() }
  }

  /// The source that gives each thread its own context, if this is a proxy of one; of tenants'
  /// contexts, that of the current tenant.
  ///
  /// - Throws: `noTenant`.
  func threadSource() throws -> ThreadLocalSource<any ObjectContext>? {
    let source = (self as? ObjectContextProxy)?._source
    if let changing = source as? any ChangingContextSource {
      return try changing.contexts.threadSource()
    }
    return source as? ThreadLocalSource<any ObjectContext>
  }

  private func contextApart() throws -> (context: ManagedObjectContext, end: () -> Void) {
    if let source = try threadSource() {
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
