internal import OxbowModel
public import OxbowStore

// Reading a store as a whole, for those who mirror it: the moment that is read is a place in the
// history, after which reading goes on.

extension HistoryConsumer {
  /// Reads the store as it is at one moment, and goes on with what is saved after it: to begin a
  /// mirror of the store, and to begin it again after ``HistoryElement/missed(_:)`` and
  /// ``HistoryElement/migrated(_:)``.
  ///
  /// ```swift
  /// while let batch = try mirror.nextBatch() {
  ///   switch batch.element {
  ///   case .saves(let saves): try index.apply(saves)
  ///   case .missed, .migrated:
  ///     try mirror.snapshot { context in try index.replace(with: context.fetch(Book.self)) }
  ///     continue
  ///   }
  ///   try mirror.acknowledge(batch)
  /// }
  /// ```
  ///
  /// In a loop over the consumer, and in ``HistoryConsumer/run(_:)``, the batch need not be
  /// acknowledged either. When `body` throws, the consumer stays where it is. A snapshot that was
  /// read, and not noted because the program ended, is read again.
  ///
  /// The context is as one that is pinned (``ManagedObjectContext/isPinned``), and is over with
  /// `body`. Others go on saving to a store with a write-ahead log, and to one in memory, which is
  /// copied. A store with a rollback journal lets no save through until `body` returns: a save
  /// waits for it as for any other lock, and throws `storeLocked` after that. Several stores are
  /// read at a moment each, and the consumer goes on from it in each.
  ///
  /// - Throws: ``PersistenceError``: `viewEnded` at one of the `limits`; `unsupported` for a store
  ///   that is lent to a test; `conflict` if the consumer was acknowledged meanwhile; why the store
  ///   could not be read or written; and what `body` throws.
  public func snapshot<R>(
    limits: PinnedViewLimits = PinnedViewLimits(), _ body: (ManagedObjectContext) throws -> R
  ) throws -> R {
    let old = try state().token
    let snapshot = try Snapshot(of: coordinator, limits)
    let result = try snapshot.read(body)
    try move(from: old, to: snapshot.token)
    return result
  }

  /// Reads the store as it is at one moment, and goes on with what is saved after it, with a body
  /// that may wait; else as ``snapshot(limits:_:)-(_,(ManagedObjectContext)->R)``.
  ///
  /// - Throws: ``PersistenceError``, and what `body` throws.
  public nonisolated(nonsending) func snapshot<R>(
    limits: PinnedViewLimits = PinnedViewLimits(),
    _ body: nonisolated(nonsending) (ManagedObjectContext) async throws -> R
  ) async throws -> R {
    try await coordinator.preferringWorkThreads {
      let old = try state().token
      let snapshot = try Snapshot(of: coordinator, limits)
      let result = try await snapshot.read(body)
      try move(from: old, to: snapshot.token)
      return result
    }
  }
}

extension History {
  /// Reads the store as it is at one moment, and goes on with what is saved after it.
  ///
  /// It is for those who keep their place themselves, and has to be called where
  /// ``History/next()`` gives `missed` or `migrated`. When `body` throws, the place stays where it
  /// is. Otherwise as for a consumer.
  ///
  /// - Throws: ``PersistenceError``: `viewEnded` at one of the `limits`; `unsupported` for a store
  ///   that is lent to a test; why the store could not be read; and what `body` throws.
  public mutating func snapshot<R>(
    limits: PinnedViewLimits = PinnedViewLimits(), _ body: (ManagedObjectContext) throws -> R
  ) throws -> R {
    let snapshot = try Snapshot(of: coordinator, limits)
    let result = try snapshot.read(body)
    move(to: snapshot.token)
    return result
  }
}

/// A context that reads one moment, and the place of that in the history.
private struct Snapshot {
  let context: ManagedObjectContext
  let token: HistoryToken
  private let store: any PersistentStore

  init(
    of coordinator: PersistentStoreCoordinator, _ limits: PinnedViewLimits
  ) throws(PersistenceError) {
    store = try coordinator.store.snapshot(limits)
    do throws(PersistenceError) { token = try store.requireHistory().currentToken() } catch {
      store.close()
      throw error
    }
    context = ManagedObjectContext(coordinator, "snapshot", .holder, parent: nil, store)
  }

  /// Runs `body`, and ends before its result is noted: without a log, its lock would be in the way.
  func read<R>(_ body: (ManagedObjectContext) throws -> R) throws -> R {
    defer { store.close() }
    return try body(context)
  }

  nonisolated(nonsending) func read<R>(
    _ body: nonisolated(nonsending) (ManagedObjectContext) async throws -> R
  ) async throws -> R {
    defer { store.close() }
    return try await body(context)
  }
}
