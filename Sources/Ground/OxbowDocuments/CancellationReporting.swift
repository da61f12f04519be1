/// An error of several meanings, one of which is that of a `CancellationError`: the task was
/// cancelled.
package protocol CancellationReporting: Error {
  /// Whether it says so.
  var isCancellation: Bool { get }
}
