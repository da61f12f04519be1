/// What an aspect may do around a call, one step at a time; each step does nothing by default.
///
/// Adopt ``Aspect`` for methods that are not async, ``AsyncAspect`` for those that are, or both.
public protocol Advice: Sendable {
  /// Called before the target; an error keeps the target from being called.
  func before(_ call: Invocation) throws

  /// Called when the target has returned.
  func afterReturning(_ call: Invocation) throws

  /// Called when the target, or an aspect inside of this one, has thrown; an error takes the place
  /// of that one.
  func afterThrowing(_ error: any Error, _ call: Invocation) throws

  /// Called last, whether the target has returned or thrown.
  func after(_ call: Invocation)
}

extension Advice {
  /// Nothing.
  public func before(_ call: Invocation) {}

  /// Nothing.
  public func afterReturning(_ call: Invocation) {}

  /// Nothing.
  public func afterThrowing(_ error: any Error, _ call: Invocation) {}

  /// Nothing.
  public func after(_ call: Invocation) {}
}

/// What runs around the calls of methods, as a pointcut selects them.
///
/// ```swift
/// final class Audit: Aspect {
///   let log: AuditLog
///   init(log: AuditLog) { self.log = log }
///   func afterReturning(_ call: Invocation) { log.note("\(call)") }
/// }
///
/// let log = builder.singleton(named: "auditLog", AuditLog.init)
/// builder.aspect(named: "audit", on: .objects("books").methods("delete"), Audit.init(log:), log)
/// ```
///
/// An aspect is an object of the container and is injected as any other. Several aspects of one
/// method are nested in the order of their definitions: what the first does before the call comes
/// first, and what it does after the call last.
///
/// Calls are seen where they go through a proxy. What an object calls on itself is not.
public protocol Aspect: Advice {
  /// Runs around a call.
  ///
  /// By default it runs the steps of ``Advice`` around `proceed`.
  ///
  /// - Parameters:
  ///   - call: The call; arguments that are changed before `proceed` are what the target gets.
  ///   - proceed: Calls the next aspect, and in the end the target. It may be called again, or not
  ///     at all.
  /// - Throws: What the caller gets in place of a result.
  func around(_ call: Invocation, proceed: () throws -> Void) throws
}

extension Aspect {
  /// Runs the steps of ``Advice`` around the call.
  public func around(_ call: Invocation, proceed: () throws -> Void) throws {
    defer { after(call) }
    do {
      try before(call)
      try proceed()
    } catch {
      try afterThrowing(error, call)
      throw error
    }
    try afterReturning(call)
  }
}

/// An aspect that adds no errors of its own, so that it may run around methods that do not throw.
public protocol NonThrowingAspect: Aspect {
  /// Called before the target.
  func before(_ call: Invocation)

  /// Called when the target has returned.
  func afterReturning(_ call: Invocation)

  /// Runs around a call; see ``Aspect/around(_:proceed:)``.
  func around(_ call: Invocation, proceed: () throws -> Void) rethrows
}

extension NonThrowingAspect {
  /// Runs the steps around the call, all but ``Advice/afterThrowing(_:_:)``.
  public func around(_ call: Invocation, proceed: () throws -> Void) rethrows {
    defer { after(call) }
    before(call)
    try proceed()
    afterReturning(call)
  }
}

/// What runs around the calls of async methods.
public protocol AsyncAspect: Advice {
  /// Runs around a call, on the caller's actor; see ``Aspect/around(_:proceed:)``.
  nonisolated(nonsending) func around(
    _ call: Invocation, proceed: nonisolated(nonsending) () async throws -> Void
  ) async throws
}

extension AsyncAspect {
  /// Runs the steps of ``Advice`` around the call.
  nonisolated(nonsending) public func around(
    _ call: Invocation, proceed: nonisolated(nonsending) () async throws -> Void
  ) async throws {
    defer { after(call) }
    do {
      try before(call)
      try await proceed()
    } catch {
      try afterThrowing(error, call)
      throw error
    }
    try afterReturning(call)
  }
}

/// An aspect without which a method does not do what it promises: where a pointcut means a method
/// that it cannot run around, that is an error, not a note.
package protocol EssentialAdvice: Advice {}
