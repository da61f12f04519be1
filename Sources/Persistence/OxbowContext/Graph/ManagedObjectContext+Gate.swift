internal import OxbowModel
internal import OxbowStore

// What is looked at before every operation of a context, and the errors that getters and setters
// keep for it because they cannot throw.

extension ManagedObjectContext {
  /// Begins an operation.
  ///
  /// - Throws: ``PersistenceError``: `wrongOwner` off the owner, `insideHook` where a hook must not
  ///   ask for it, or an error that no call has thrown.
  func begin(_ action: String) throws(PersistenceError) {
    if !token.isUndisturbed { try token.requireOwner(action) }
    if let runningHook { try runningHook.require(action, of: name) }
    #if OXBOW_INVARIANT_CHECKS
      // A hook runs inside of an operation.
      if runningHook == nil { requireInvariants(before: action) }
    #endif
    if pendingFault != nil { try throwPendingFault() }
    if let news, news.mailbox.hasNews, runningHook == nil { try newsMerger?(self) }
  }

  /// Throws off the owner, and inside a hook that must not ask for the operation.
  func requireOwner(_ action: String) throws(PersistenceError) {
    try token.requireOwner(action)
    if let runningHook { try runningHook.require(action, of: name) }
  }

  /// Runs a hook; `permission` says what it may ask of the context.
  func running<Failure: Error>(
    _ hook: String, _ permission: RunningHook.Permission = .all,
    _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    let outer = runningHook
    runningHook = RunningHook(name: hook, permission: permission)
    defer { runningHook = outer }
    try body()
  }

  /// Throws when an object belongs to another context, or to none.
  func requireOwn(_ objects: [ManagedObject], _ action: String) throws(PersistenceError) {
    guard let foreign = objects.first(where: { $0.token !== token || $0.isOrphan }) else { return }
    if foreign.isOrphan { throw foreign.orphanError("the call to \(action)") }
    throw PersistenceError(
      .foreignObject,
      "could not \(action) '\(foreign)': it belongs to the context '\(foreign.token.name)', this "
        + "one is '\(name)'; fetch the object here by its ID", objectIDs: [foreign.objectID])
  }

  /// Whether the caller may use the context, for what cannot throw; if not, the use was reported.
  func isOwned(_ action: @autoclosure () -> String) -> Bool { token.check(action(), "the context") }
}

// MARK: - Errors that wait for a call that throws

extension ManagedObjectContext {
  /// Keeps an error that a getter or setter cannot throw, for the next call that can.
  func record(_ error: PersistenceError) {
    if pendingFault == nil { pendingFault = error }
  }

  /// Keeps the error of a read that gave a stand-in, or of a change that was not made.
  func recordStandIn(_ error: PersistenceError, for object: ManagedObject) {
    record(error)
    if standIns[object.reference] == nil { standIns[object.reference] = error }
  }

  /// Throws the error that was kept, once.
  func throwPendingFault() throws(PersistenceError) {
    guard let error = pendingFault else { return }
    pendingFault = nil
    throw error
  }

  /// Runs accesses whose error is thrown at once, so that no stand-in remains of them.
  func throwing<R>(_ access: () -> R) throws(PersistenceError) -> R {
    let known = standIns
    let result = access()
    if pendingFault != nil { standIns = known }
    try throwPendingFault()
    return result
  }

  /// Throws because a stand-in may have become the value of something else.
  func refuseStandIns() throws(PersistenceError) {
    guard let (reference, error) = standIns.min(by: { $0.key.precedes($1.key) }) else { return }
    let id = coordinator.id(of: reference)
    throw error.adding(
      "nothing was saved",
      "an earlier access to '\(id)' gave a stand-in instead of what could not be read, and the "
        + "stand-in may be among the changes; refresh that object, or roll back")
  }

  /// Keeps the error of an object that cannot be read, for when somebody tries to.
  func keepError(_ error: PersistenceError, of object: ManagedObject) {
    faultErrors[object.reference] = error
    object._state.insert(.inaccessible)
  }

  /// Forgets the error of an object, so that the next read tries again.
  func forgetError(of object: ManagedObject) {
    faultErrors[object.reference] = nil
    object._state.remove(.inaccessible)
  }
}
