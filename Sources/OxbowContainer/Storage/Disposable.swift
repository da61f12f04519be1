/// An object of a thread or task that has something to end before the container lets go of it.
///
/// It is disposed of at the end of its thread, of the `withThreadScope` or `withTaskScope` body in which
/// it was made, or of its container, the newest first. An object that the container shares, too, is not:
/// it is ``Disposable`` for everybody.
public protocol ConfinedDisposable {
  /// Ends the object. Called once; an error is written to standard error, for nobody is left to catch it.
  func dispose() throws
}

/// A shared object that has something to end before the container lets go of it: a connection, a file.
public protocol Disposable: ConfinedDisposable, Sendable {
  /// Ends the object. Called once, by ``Container/shutDown()``, even if the object has several names.
  func dispose() throws
}
