/// What a context does when a getter has to read the store.
public enum FaultPolicy: Sendable, Hashable {
  /// It reads, for all objects of the same fetch at once.
  case allow

  /// It reads, and reports the object and the property (`sendReports(to:)`).
  case log

  /// It does not read: the getter returns a stand-in, and the next throwing call throws
  /// `faultRefused`. Use ``ManagedObjectContext/load(_:)`` to read on purpose.
  case refuse
}
