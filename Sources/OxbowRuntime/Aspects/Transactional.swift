public import OxbowContainer
public import OxbowContext
public import OxbowModel
internal import Synchronization

/// An aspect that makes a call one unit of work: it saves the context when the call returns, and
/// rolls it back when the call throws.
///
/// ```swift
/// let context = builder.persistentStore(at: .file("library.sqlite"), types: [Book.self])
/// builder.transactional(on: .objects("lending"), context: context)
/// builder.singleton("lending", { StoredLending(context: $0) }, context)
/// ```
///
/// A call inside of another one joins its transaction, so that the outermost call saves; a call
/// with another context behind the same proxy, that of another thread, task or scope, begins its
/// own. When it throws, nothing of the transaction is saved, even where somebody catches the error:
/// the outermost call throws `transactionFailed` then. What the context had not saved before the
/// outermost call is saved, or rolled back, with it.
public final class Transactional: Aspect {
  /// What a call does about the transaction that runs already, if there is one.
  public enum Propagation: Sendable, Hashable {
    /// Joins it; begins one where there is none.
    case required
    /// Begins one of its own, with a context of its own for the time of the call.
    ///
    /// Objects of the one context cannot be used with the other: pass IDs and values.
    case requiresNew
    /// Joins it; where there is none, a call that leaves unsaved changes is rolled back and throws
    /// `readOnlyTransaction`.
    case readOnly
  }

  /// The transactions that run, by their contexts.
  @TaskLocal private static var active: [ObjectIdentifier: Running] = [:]

  private final class Running: Sendable {
    /// The first error of a call that had joined it.
    let failure = Mutex<(any Error)?>(nil)

    /// Whether it has ended: tasks that it began may outlive it.
    let isOver = Atomic(false)
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
    if propagation == .requiresNew { return try withNewContext(call) { try begin(proceed) } }
    guard let running = Self.active[try id], !running.isOver.load(ordering: .acquiring) else {
      return try begin(proceed)
    }
    do { try proceed() } catch {
      running.failure.withLock { $0 = $0 ?? error }
      throw error
    }
  }

  /// What tells the context behind the proxy from those of other threads, tasks and scopes.
  private var id: ObjectIdentifier {
    get throws {
      guard let proxy = context as? ObjectContextProxy else { return ObjectIdentifier(context) }
      return ObjectIdentifier(try proxy._targetObjectContext())
    }
  }

  private func withNewContext(_ call: Invocation, _ body: () throws -> Void) throws {
    let proxy = context as? ObjectContextProxy
    guard let source = proxy?._source as? ThreadLocalSource<any ObjectContext> else {
      throw PersistenceError(
        .unsupported,
        "'\(call.name)' requires a new transaction, and its context is not that of a thread; give "
          + "the aspect the context that 'persistentStore' defines")
    }
    try source.scope(body)
  }

  private func begin(_ proceed: () throws -> Void) throws {
    var attempt = 1
    // Changes from before the call would be lost with the first attempt.
    let attempts = try retry.attempts > 1 && context.hasChanges ? 1 : retry.attempts
    while true {
      do {
        return try once(proceed)
      } catch let error as PersistenceError
        where attempt < attempts && retry.isWorthwhile(error)
      {
        try refresh(error.objectIDs)
        try retry.pause(attempt)
        attempt += 1
      }
    }
  }

  private func once(_ proceed: () throws -> Void) throws {
    let running = Running()
    defer { running.isOver.store(true, ordering: .releasing) }
    do {
      let active = Self.active.merging([try id: running]) { $1 }
      try Self.$active.withValue(active) { try proceed() }
      if let error = running.failure.withLock({ $0 }) { throw PersistenceError.failed(error) }
      try propagation == .readOnly ? requireNoChanges() : context.save()
    } catch {
      try context.rollback()
      throw error
    }
  }

  private func requireNoChanges() throws {
    guard try context.hasChanges else { return }
    throw PersistenceError(
      .readOnlyTransaction,
      "a call in a read-only transaction has changed objects, and the changes were rolled back; "
        + "leave the objects alone, or make the transaction '.required'")
  }

  /// Has the rows that another writer has changed read anew.
  private func refresh(_ ids: [ManagedObjectID]) throws {
    for id in ids { try context.refresh(try context.object(with: id)) }
  }
}

extension PersistenceError {
  fileprivate static func failed(_ error: any Error) -> PersistenceError {
    PersistenceError(
      .transactionFailed,
      "the transaction was rolled back, because a call that had joined it failed and its error was "
        + "caught: \(error). Let the error through, or give the call a transaction of its own "
        + "('.requiresNew')")
  }
}

extension PersistenceError.Code {
  /// A call that had joined a transaction failed, and somebody caught its error.
  public static let transactionFailed = Self(rawValue: "transactionFailed")

  /// A call in a read-only transaction has changed objects.
  public static let readOnlyTransaction = Self(rawValue: "readOnlyTransaction")
}

extension ContainerBuilder {
  /// Defines an aspect that makes calls units of work; see ``Transactional``.
  ///
  /// - Parameters:
  ///   - name: The name of the aspect, unique in its container.
  ///   - pointcut: Which calls.
  ///   - propagation: What happens inside of another transaction.
  ///   - retry: Whether a call is made again when another writer was first.
  ///   - order: Aspects with smaller numbers are the outer ones.
  ///   - context: The context that is saved.
  ///   - file: The source file that defines it, for messages.
  ///   - line: The line in that file.
  ///   - column: The column in that line.
  /// - Returns: A reference to the aspect.
  @discardableResult
  public func transactional(
    _ name: String = "transactional", on pointcut: Pointcut,
    propagation: Transactional.Propagation = .required, retry: TransactionRetry = .never,
    order: Int = 0, context: Ref<any ObjectContext & Sendable>, file: String = #fileID,
    line: Int = #line, column: Int = #column
  ) -> Ref<Transactional> {
    aspect(
      name, on: pointcut, order: order,
      { Transactional(context: $0, propagation, retry: retry) }, context, file: file, line: line,
      column: column)
  }
}
