import Foundation
import Oxbow

/// One message and one exit code for whatever went wrong.
///
/// The codes are those of `oxbowctl`: 1 failed, 73 refused, 75 the store is locked and trying again
/// is safe.
struct Failure {
  let message: String
  let exitCode: Int32

  init(_ error: any Error, store: String) {
    guard let cause = Self.cause(of: error) else {
      message = "\(error)"
      exitCode = 1
      return
    }
    switch cause.code {
    case .modelMismatch:
      message =
        ServerStore.isMeant(by: store) ? "\(cause)" : "\(cause)\n" + Self.migrationAdvice(store)
      exitCode = 73
    case .storeWasMigrated, .migrationRefused:
      message = "\(cause)"
      exitCode = 73
    case .storeLocked:
      message = "\(cause)"
      exitCode = 75
    default:
      message = "\(cause)"
      exitCode = 1
    }
  }

  /// What went wrong in the persistence half, also when the container was building objects then.
  private static func cause(of error: any Error) -> PersistenceError? {
    if let error = error as? PersistenceError { return error }
    guard let error = error as? ContainerError else { return nil }
    return error.underlying.flatMap(cause)
  }

  private static func migrationAdvice(_ store: String) -> String {
    """
    If an earlier version of the catalog made it, this brings it to the version of this program:
      \(Migrating.command(store: store))
    """
  }
}
