/// One build on one thread: what is constructed already, and what waits for injection.
///
/// Inside a group, objects are handed to each other constructed but not yet injected (the early
/// reference of other containers); nobody outside sees any of them before all are complete. Confined
/// to the thread that builds.
package final class Session {
  /// The group whose members are built; nil for a session that only shares the objects of a request.
  package let group: CycleGroup?
  /// Objects of this build by provider, for scopes that do not keep them in the provider.
  package var early: [ObjectIdentifier: AnyObject] = [:]
  /// The objects of the request that this build is a part of.
  package private(set) var request: Request
  private var frame: Frame?
  private var pending: [Step] = []
  private var completions: [Step] = []

  /// Something that is put off, with the request and the stack that it belongs to.
  private struct Step {
    let request: Request
    let frame: Frame?
    let run: () throws -> Void
  }

  package init(group: CycleGroup?, request: Request = Request()) {
    self.group = group
    self.request = request
  }

  // MARK: - Injection

  /// Puts off the injection of an object until every member is constructed, and what follows injection
  /// until every member is injected.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - construction: How it is injected.
  ///   - store: Keeps what has become of it, if that is another object.
  package func inject<T>(
    _ object: T, by construction: Construction<T>, store: @escaping (T) throws -> Void = { _ in }
  ) {
    pending.append(step { [self] in try construction.inject(object, self) })
    let inCircle = group?.isCyclic ?? false
    completions.append(step { try store(construction.complete(object, inCircle: inCircle)) })
  }

  /// Injects everything that waits, and what is constructed meanwhile; then completes it, what was
  /// constructed last first.
  package func finish() throws {
    var next = 0
    while next < pending.count {
      try run(pending[next])
      next += 1
    }
    pending = []
    while let last = completions.popLast() { try run(last) }
  }

  private func step(_ run: @escaping () throws -> Void) -> Step {
    Step(request: request, frame: frame, run: run)
  }

  private func run(_ step: Step) throws {
    request = step.request
    frame = step.frame
    try step.run()
  }

  // MARK: - The stack

  /// One object that is being made, and the one on whose behalf.
  private final class Frame {
    let provider: ObjectIdentifier
    let outer: Frame?
    var object: Any?

    init(_ provider: ObjectIdentifier, outer: Frame?) {
      self.provider = provider
      self.outer = outer
    }
  }

  /// The object of a provider on whose behalf something is made now.
  package func objectOnStack(of provider: ObjectIdentifier) -> Any? {
    var current = frame
    while let step = current {
      if step.provider == provider { return step.object }
      current = step.outer
    }
    return nil
  }

  /// Runs `make`, on whose behalf everything is made that its result needs.
  package func onStack<T>(_ provider: ObjectIdentifier, _ make: () throws -> T) throws -> T {
    let inner = Frame(provider, outer: frame)
    let outer = frame
    frame = inner
    defer { frame = outer }
    let object = try make()
    inner.object = object
    return object
  }

  /// Runs `make`, whose object is somebody else's too, so that nothing of the present request becomes
  /// a part of it.
  package func apart<T>(_ make: () throws -> T) rethrows -> T {
    let outer = (request, frame)
    request = Request()
    frame = nil
    defer { (request, frame) = outer }
    return try make()
  }
}

/// The objects that everything made for one request shares: those of object-graph scope.
///
/// Confined to the thread that makes them.
package final class Request {
  /// Objects in boxes, by provider.
  package var objects: [ObjectIdentifier: AnyObject] = [:]

  package init() {}
}
