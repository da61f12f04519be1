/// A singleton that works for as long as its container runs: a server, a queue's consumer, a timer.
///
/// ``Container/run(_:)`` starts it when everything that it needs is ready, and stops it before
/// anything that it needs. Without ``Readiness`` it is ready as soon as it was started.
///
/// ```swift
/// final class Poller: RunningObject {
///   let mailbox: Mailbox
///   init(mailbox: Mailbox) { self.mailbox = mailbox }
///   func run() async throws {
///     while !Task.isCancelled { try await mailbox.poll() }
///   }
/// }
/// ```
public protocol RunningObject: Sendable {
  /// Works until its task is cancelled.
  ///
  /// An end before that, with or without an error, stops the whole container. After it, a
  /// `CancellationError` is a good end; any other error is reported.
  func run() async throws
}

/// A singleton that others must wait for when their container is run: a store that has to be
/// migrated, a server that has to listen.
///
/// A ``RunningObject`` that has this, too, runs meanwhile.
public protocol Readiness: Sendable {
  /// Returns when those who need the object may start; its task is cancelled when the container
  /// stops before that.
  ///
  /// - Throws: What keeps the object from being ready: then the container stops.
  func ready() async throws
}

/// A singleton whose construction is its readiness, because it takes long.
///
/// `run()` builds it when it is its turn, unless a constructor has needed it before.
package protocol BuiltInTurn: Sendable {}

extension AnyBinding {
  /// Whether the objects are surely ones that run.
  var isRunning: Bool { has((any RunningObject).self) { $0 is any RunningObject.Type } }

  /// Whether a container that runs surely waits for the objects.
  var isAwaited: Bool {
    has((any Readiness).self) { $0 is any Readiness.Type } || isBuiltInTurn
  }

  var isBuiltInTurn: Bool { type is any BuiltInTurn.Type }

  private func has(_ wanted: any Any.Type, _ test: (any Any.Type) -> Bool) -> Bool {
    if test(type) || type == wanted { return true }
    return TypeFit.isOpen(type) && TypeFit.refines(type, wanted)
  }
}
