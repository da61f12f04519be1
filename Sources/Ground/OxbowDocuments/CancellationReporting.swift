/// An error of several meanings, one of which is that the task was cancelled, as `CancellationError`
/// says.
package protocol CancellationReporting: Error {
  /// Whether it says so.
  var isCancellation: Bool { get }
}
