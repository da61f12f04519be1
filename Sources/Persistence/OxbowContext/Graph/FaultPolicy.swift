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
