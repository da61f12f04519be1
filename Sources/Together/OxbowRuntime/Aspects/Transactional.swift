public import OxbowContainer
public import OxbowContext
internal import OxbowModel

/// An aspect that makes a call one unit of work: it saves the context when the call returns, and
/// rolls it back when the call throws.
///
/// ```swift
/// let context = builder.persistentStore(at: .file("library.sqlite"), types: [Book.self])
/// builder.transactional(on: .objects("lending"), context: context)
/// builder.singleton(named: "lending", { StoredLending(context: $0) }, context)
/// ```
///
/// A call inside of another one joins its transaction, so that the outermost call saves. `save()`
/// inside checks the changes and leaves writing to the outermost call, and `rollback()` ends the
/// transaction: nothing of it is saved (``ManagedObjectContext/save()``,
/// ``ManagedObjectContext/rollback()``). Batches, and `reset()` or `refresh` of saved changes, are
/// refused with `insideTransaction`. A call with another context behind the same proxy, that of
/// another thread, task or scope, begins its own.
///
/// When a call that has joined throws, nothing of the transaction is saved, even where the error is
/// caught: the outermost call throws `transactionFailed` then. Changes from before the outermost
/// call are saved with it, and stay unsaved where nothing is saved.
///
/// An async method has transactions in a context that is bound to its task
/// (`PersistentContainer.withTaskContext`), which no other task can enter at an `await`.
public final class Transactional: Aspect, AsyncAspect, EssentialAdvice {
  /// What a call does about the transaction that runs already, if there is one.
  public enum Propagation: Sendable, Hashable {
    /// Joins it; begins one where there is none.
    case required
    /// Begins one of its own, with a context of its own for the time of the call.
    ///
    /// Objects of the one context cannot be used with the other: pass IDs and values.
    case requiresNew
    /// Joins it; where there is none, a call that changes something is rolled back and throws
    /// `readOnlyTransaction`. What was unsaved before it stays unsaved.
    case readOnly
  }

  private let context: any ObjectContext & Sendable
  private let propagation: Propagation
  private let retry: TransactionRetry

  /// Creates the aspect.
  ///
  /// - Parameters:
  ///   - context: What is saved and rolled back: the context of the repositories that are called.
  ///   - propagation: What happens inside of another transaction.
  ///   - retry: Whether a call is made again when another writer was first.
  public init(
    context: any ObjectContext & Sendable, _ propagation: Propagation = .required,
    retry: TransactionRetry = .never
  ) {
    self.context = context
    self.propagation = propagation
    self.retry = retry
  }

  /// Runs a call as one unit of work.
  ///
  /// - Throws: What the call or the save throws, after the context was rolled back.
  public func around(_ call: Invocation, proceed: () throws -> Void) throws {
    guard propagation == .requiresNew else { return try run(call, in: managedContext, proceed) }
    let outer = try managedContext
    guard outer === TaskContext.current(of: outer.coordinator) else {
      return try threadSource(call).scope { try run(call, in: managedContext, proceed) }
    }
    try TaskContext.scope(newContext(beside: outer)) { try run(call, in: managedContext, proceed) }
  }

  /// Runs an async call as one unit of work.
  ///
  /// - Throws: What the call or the save throws, after the context was rolled back; `insideTask`
  ///   where no context is bound to the task.
  nonisolated(nonsending) public func around(
    _ call: Invocation, proceed: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    let context = try managedContext
    guard propagation == .requiresNew else { return try await run(call, in: context, proceed) }
    try await TaskContext.perform(newContext(beside: context)) {
      try await run(call, in: managedContext, proceed)
    }
  }

  /// The context behind the proxy: that of the thread, task or scope.
  private var managedContext: ManagedObjectContext {
    get throws {
      var target: any ObjectContext = context
      while let proxy = target as? ObjectContextProxy { target = try proxy._targetObjectContext() }
      if let context = target as? ManagedObjectContext { return context }
      throw PersistenceError(
        .unsupported,
        "a transaction was to begin in an object of class '\(type(of: target))', and only a "
          + "ManagedObjectContext has transactions; give the aspect a proxy of one, or leave the "
          + "aspect out where the context is a stand-in")
    }
  }

  private func newContext(
    beside outer: ManagedObjectContext
  ) -> (ContextOwner) -> ManagedObjectContext {
    let (coordinator, name, options) = (outer.coordinator, outer.name, outer.options)
    return { owner in
      ManagedObjectContext(coordinator: coordinator, name: name, owner: owner, options: options)
    }
  }

  private func threadSource(_ call: Invocation) throws -> ThreadLocalSource<any ObjectContext> {
    if let source = try context.threadSource() { return source }
    throw PersistenceError(
      .unsupported,
      "'\(call.name)' requires a new transaction, and its context is not that of a thread; give "
        + "the aspect the context that 'persistentStore' defines")
  }
}

// MARK: - Attempts

extension Transactional {
  private func run(
    _ call: Invocation, in context: ManagedObjectContext, _ proceed: () throws -> Void
  ) throws {
    var attempts = try attempts(in: context)
    let arguments = attempts.hasNext ? call.arguments : []
    while true {
      do {
        return try context.withTransaction(readOnly: propagation == .readOnly, proceed)
      } catch {
        let pause = try attempts.pause(after: error)
        try refresh(error, in: context)
        try retry.wait(pause)
        try restore(arguments, of: call)
      }
    }
  }

  nonisolated(nonsending) private func run(
    _ call: Invocation, in context: ManagedObjectContext,
    _ proceed: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    var attempts = try attempts(in: context)
    let arguments = attempts.hasNext ? call.arguments : []
    while true {
      do {
        return try await context.withTransaction(readOnly: propagation == .readOnly, proceed)
      } catch {
        let pause = try attempts.pause(after: error)
        try refresh(error, in: context)
        try await retry.wait(pause)
        try restore(arguments, of: call)
      }
    }
  }

  /// Takes back what an attempt has changed in the arguments.
  private func restore(_ arguments: [Any], of call: Invocation) throws {
    for (index, argument) in arguments.enumerated() { try call.setArgument(index, to: argument) }
  }

  /// One attempt inside of another transaction, which has attempts itself, and where something was
  /// unsaved before: that would meet the other writer again.
  private func attempts(in context: ManagedObjectContext) throws -> TransactionAttempts {
    let isOnlyOne = context.isInTransaction || context.hasChanges
    return try TransactionAttempts(isOnlyOne ? .never : retry)
  }

  /// Has the rows that another writer has changed read anew.
  private func refresh(_ error: any Error, in context: ManagedObjectContext) throws {
    guard let failure = error as? PersistenceError else { return }
    for id in failure.objectIDs {
      // Those of another store are nothing that another attempt here would find changed.
      guard let object = try? context.object(with: id) else { throw failure }
      try context.refresh(object)
    }
  }
}

extension ContainerBuilder {
  /// Defines an aspect that makes calls units of work of a context; see ``Transactional``.
  ///
  /// Its name, unique in the container, is made of the pointcut unless one is given. Aspects with a
  /// smaller `order` are the outer ones.
  ///
  /// - Returns: A reference to the aspect.
  @discardableResult
  public func transactional(
    named name: String? = nil, on pointcut: Pointcut,
    propagation: Transactional.Propagation = .required, retry: TransactionRetry = .never,
    order: Int = 0, context: Ref<any ObjectContext & Sendable>, file: String = #fileID,
    line: Int = #line
  ) -> Ref<Transactional> {
    aspect(
      named: name ?? pointcut.aspectName("transactional"), on: pointcut, order: order,
      { Transactional(context: $0, propagation, retry: retry) }, context, file: file, line: line)
  }
}
