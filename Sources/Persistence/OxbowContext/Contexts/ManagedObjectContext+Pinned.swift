public import OxbowModel
public import OxbowStore

extension ManagedObjectContext {
  /// Creates a context that reads one moment of the store, whatever others save meanwhile.
  ///
  /// ```swift
  /// let report = try ManagedObjectContext(pinning: coordinator)
  /// let total = try report.sum(of: \Entry.amount)
  /// let entries = try report.fetch(Entry.self)   // add up to the total
  /// ```
  ///
  /// Fetches, counts, sums, faults and SQL of the program all see the store as it was when the
  /// context was made. Its objects can be changed in memory, and its saves throw `storeReadOnly`:
  /// change them in a context without a view. Saves of others are not merged into it.
  ///
  /// The view has a reader of its own, and ends with the context, or at a limit: by age when it is
  /// next read from or the process saves to the store, by size when the process saves. Later reads
  /// throw `viewEnded`; getters return stand-ins and leave that error to the next throwing call. An
  /// idle view of a process that never saves keeps other processes from restarting the log.
  ///
  /// On a server, a view has a connection to itself, and migrations wait for it.
  ///
  /// - Throws: ``PersistenceError``: `unsupported` for stores in memory, with a rollback journal,
  ///   and of several files; `viewEnded` when the store has as many views as it may have;
  ///   `storeClosed`.
  public convenience init(
    pinning coordinator: PersistentStoreCoordinator, limits: PinnedViewLimits = PinnedViewLimits(),
    name: String = "pinned view", owner: ContextOwner = .holder
  ) throws(PersistenceError) {
    self.init(coordinator, name, owner, parent: nil, try coordinator.store.pinned(limits))
  }

  /// Whether the context reads one moment of its store.
  public var isPinned: Bool {
    parent?.isPinned ?? (store !== coordinator.store && store.readPlace == .primary)
  }
}
