internal import OxbowModel
internal import OxbowStore

// What every operation of a context checks first.

extension ManagedObjectContext {
  /// Begins an operation.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner` off the owner, `insideHook` if a hook must not
  ///   ask for it, or a recorded error that was not thrown yet.
  func begin(_ action: String) throws(PersistenceError) {
    if !token.isUndisturbed { try token.requireOwner(action) }
    if let hook = work.hook { try hook.require(action, of: name) }
    #if OXBOW_INVARIANT_CHECKS
      // A hook runs inside an operation.
      if work.hook == nil { requireInvariants(before: action) }
    #endif
    if faults.pending != nil { try throwPendingFault() }
    if let news = relatives.news, news.mailbox.hasNews, work.hook == nil {
      try relatives.merge?(self)
    }
  }

  /// Throws off the owner, and inside a hook that must not ask for the operation.
  func requireOwner(_ action: String) throws(PersistenceError) {
    try token.requireOwner(action)
    try work.hook?.require(action, of: name)
  }

  /// Runs a hook; `permission` says what it may ask of the context.
  func running<Failure: Error>(
    _ hook: String, _ permission: RunningHook.Permission = .all,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let outer = work.hook
    work.hook = RunningHook(name: hook, permission: permission)
    defer { work.hook = outer }
    try body()
  }

  /// Throws if an object belongs to another context, or to none.
  func requireOwn(_ objects: [ManagedObject], _ action: String) throws(PersistenceError) {
    guard let foreign = objects.first(where: { $0.token !== token || $0.isOrphan }) else { return }
    if foreign.isOrphan { throw foreign.orphanError("the call to \(action)") }
    throw PersistenceError(
      .foreignObject,
      "could not \(action) '\(foreign)': it belongs to the context '\(foreign.token.name)', this "
        + "one is '\(name)'; fetch the object here by its ID", objectIDs: [foreign.objectID])
  }

  /// Whether the caller may use the context, for what cannot throw; otherwise the use was reported.
  func isOwned(_ action: @autoclosure () -> String) -> Bool { token.check(action(), "the context") }
}
