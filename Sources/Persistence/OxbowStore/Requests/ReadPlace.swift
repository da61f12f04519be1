/// Where a context reads a store on a server that has replicas.
///
/// A replica has what the primary server has committed, some milliseconds later. A store without
/// one, such as one in a file, is always read where it is written.
public enum ReadPlace: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// The server that saves go to.
  case primary

  /// A replica, as far as it is: what the program has just saved may not be there yet.
  case replica

  /// A replica that has all that this program has saved, through whatever context. A read waits
  /// for it for a moment, and is one of the primary server after that.
  case replicaAfterOwnSaves

  /// The name of the case.
  public var description: String { rawValue }
}
