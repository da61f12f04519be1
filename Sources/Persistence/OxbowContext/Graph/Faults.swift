internal import OxbowModel
internal import OxbowStore

/// What a context does when a getter has to read the store.
public enum FaultPolicy: Sendable, Hashable {
  /// Read, for all objects of the same fetch at once.
  case allow

  /// Read, and report the object and the property (`sendReports(to:)`).
  case log

  /// Do not read: the getter returns a stand-in, and the next throwing call throws `faultRefused`.
  /// Use ``ManagedObjectContext/load(_:)`` to read on purpose.
  case refuse
}

/// Failed reads, and what unplanned reads do.
struct Faults {
  var policy = FaultPolicy.allow
  var namesCallSites = false

  /// Whether a fetch asks objects in memory: their reads for it are not unplanned.
  var isAnsweringFetch = false

  /// Why objects could not be read, and the first such error that has not been thrown.
  var errors: [ObjectReference: PersistenceError] = [:]
  var pending: PersistenceError?

  /// Why getters returned stand-ins, by object: saves are refused until each of these objects is
  /// refreshed, or everything is rolled back.
  var standIns: [ObjectReference: PersistenceError] = [:]

  /// Keeps the first error of a getter or setter for the next throwing call.
  mutating func record(_ error: PersistenceError) {
    if pending == nil { pending = error }
  }

  /// Keeps the error of a read that returned a stand-in, or of a change that was not made.
  mutating func recordStandIn(_ error: PersistenceError, for object: ManagedObject) {
    record(error)
    if standIns[object.reference] == nil { standIns[object.reference] = error }
  }

  /// Forgets what failed with an object that is read again.
  mutating func forget(_ object: ManagedObject) {
    errors[object.reference] = nil
    standIns[object.reference] = nil
  }

  /// After a save or a rollback, the next save is not refused.
  mutating func forget() { standIns = [:] }

  mutating func reset() {
    forget()
    errors = [:]
    pending = nil
  }

  /// Goes back to an earlier moment; failed reads are still known.
  mutating func restore(_ earlier: Faults) { standIns = earlier.standIns }
}

// MARK: - Errors that wait for a call that throws

extension ManagedObjectContext {
  func throwPendingFault() throws(PersistenceError) {
    guard let error = faults.pending else { return }
    faults.pending = nil
    throw error
  }

  /// Runs accesses and throws their error at once, so that no stand-in remains.
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

  /// Keeps the error of an object that cannot be read, for the next read.
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
