internal import OxbowPlatform

/// An object of a thread or task that has something to end before it is released.
///
/// It is disposed of at the end of its thread, of the `withThreadScope` or `withTaskScope` body in
/// which it was made, or of its container, the newest first. An object that the container shares as
/// well is not: it is ``Disposable`` for everybody. Older objects of the thread or task can be used
/// while it is disposed of.
public protocol ConfinedDisposable {
  /// Ends the object. Called once; an error is written to standard error, where no caller can catch
  /// it.
  func dispose() throws
}

/// A shared object that has something to end before the container releases it: a connection, a
/// file.
///
/// An object whose properties, callbacks or post-processors fail, or those of another one in its
/// circle, is disposed of at once: no caller gets it.
public protocol Disposable: ConfinedDisposable, Sendable {
  /// Ends the object. Called once, by ``Container/shutDown()``, even if the object has several
  /// names.
  func dispose() throws
}

/// Disposes of a container's objects, of each one once.
final class Disposals: Sendable {
  /// The objects that were disposed of, held so that none of another one's identity is taken for
  /// it.
  private let done = Lock<[ObjectIdentifier: any Disposable]>([:])

  /// Disposes of a shared object, unless that was done or it has nothing to end.
  ///
  /// - Throws: What the object throws.
  func dispose(_ object: Any) throws {
    guard let object = object as? any Disposable, isFirst(object) else { return }
    try object.dispose()
  }

  /// Disposes of a shared object where no caller can catch an error.
  func abandon(_ object: Any, named name: String) {
    do { try dispose(object) } catch { Self.report(error, name) }
  }

  /// Disposes of an object of a thread or task.
  static func end(_ object: Any, named name: String) {
    do {
      try (object as? any ConfinedDisposable)?.dispose()
    } catch {
      report(error, name)
    }
  }

  /// Forgets what was disposed of, when no caller can ask any more.
  func forget() {
    let objects = done.withLock { done in
      let objects = done
      done = [:]
      return objects
    }
    withExtendedLifetime(objects) {}  // Ends outside the lock: it may come back.
  }

  private static func report(_ error: any Error, _ name: String) {
    writeToStandardError("object \"\(name)\" could not be disposed of: \(error)")
  }

  /// Values have no identity, and no second name either.
  private func isFirst(_ object: any Disposable) -> Bool {
    guard type(of: object) is AnyClass else { return true }
    let id = ObjectIdentifier(object as AnyObject)
    return done.withLock { $0.updateValue(object, forKey: id) == nil }
  }
}
