internal import OxbowModel
internal import OxbowStore

/// What could not be read, and what an unplanned read does.
struct Faults {
  var policy = FaultPolicy.allow
  var namesCallSites = false

  /// Whether a fetch asks objects in memory: what they have to read for it is not an unplanned
  /// fault.
  var isAnsweringFetch = false

  /// Why objects could not be read, and the first such error that no call has thrown yet.
  var errors: [ObjectReference: PersistenceError] = [:]
  var pending: PersistenceError?

  /// Why getters returned stand-ins, by the object that was asked: saves are refused until each of
  /// these objects is refreshed, or all is rolled back.
  var standIns: [ObjectReference: PersistenceError] = [:]

  /// Keeps an error that a getter or setter cannot throw, for the next call that can.
  mutating func record(_ error: PersistenceError) {
    if pending == nil { pending = error }
  }

  /// Keeps the error of a read that gave a stand-in, or of a change that was not made.
  mutating func recordStandIn(_ error: PersistenceError, for object: ManagedObject) {
    record(error)
    if standIns[object.reference] == nil { standIns[object.reference] = error }
  }

  /// Forgets what failed with an object that is read anew.
  mutating func forget(_ object: ManagedObject) {
    errors[object.reference] = nil
    standIns[object.reference] = nil
  }

  /// After a save or a rollback: the next save is not refused.
  mutating func forget() { standIns = [:] }

  /// All objects are forgotten.
  mutating func reset() {
    forget()
    errors = [:]
    pending = nil
  }

  /// Goes back to an earlier moment; what could not be read is still known.
  mutating func restore(_ earlier: Faults) { standIns = earlier.standIns }
}

// MARK: - Errors that wait for a call that throws

extension ManagedObjectContext {
  /// Throws the error that was kept, once.
  func throwPendingFault() throws(PersistenceError) {
    guard let error = faults.pending else { return }
    faults.pending = nil
    throw error
  }

  /// Runs accesses whose error is thrown at once, so that no stand-in remains of them.
  func throwing<R>(_ access: () -> R) throws(PersistenceError) -> R {
    let known = faults.standIns
    let result = access()
    if faults.pending != nil { faults.standIns = known }
    try throwPendingFault()
    return result
  }

  /// Throws because a stand-in may have become the value of something else.
  func refuseStandIns() throws(PersistenceError) {
    guard let (reference, error) = faults.standIns.min(by: { $0.key.precedes($1.key) }) else {
      return
    }
    let id = coordinator.id(of: reference)
    throw error.adding(
      "nothing was saved",
      "an earlier access to '\(id)' gave a stand-in instead of what could not be read, and the "
        + "stand-in may be among the changes; refresh that object, or roll back")
  }

  /// Keeps the error of an object that cannot be read, for when somebody tries to.
  func keepError(_ error: PersistenceError, of object: ManagedObject) {
    faults.errors[object.reference] = error
    object._state.insert(.inaccessible)
  }

  /// Forgets the error of an object, so that the next read tries again.
  func forgetError(of object: ManagedObject) {
    faults.errors[object.reference] = nil
    object._state.remove(.inaccessible)
  }
}
