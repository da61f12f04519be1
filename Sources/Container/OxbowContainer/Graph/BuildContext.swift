/// One request to the container, on one thread, and what is built for it: what is constructed
/// already, and what waits for injection.
///
/// Inside a group, objects are handed to each other constructed but not yet injected (the early
/// reference of other containers); no one outside sees any of them before all are complete.
/// Confined to the thread that builds.
final class BuildContext {
  /// The objects that everything made for one request shares: those of object-graph scope.
  final class Request {
    fileprivate var objects: [ObjectIdentifier: AnyObjectBox] = [:]
  }

  /// The group whose members are built; nil where only the objects of the request are shared.
  let group: CycleGroup?
  /// The request that this build is a part of.
  private(set) var request: Request
  /// What belongs to the object for which all is made; nil where that is its asker's.
  let belongings: Belongings?
  /// Objects of this build by provider, for scopes that do not keep them in the provider.
  private var early: [ObjectIdentifier: AnyObjectBox] = [:]
  private var frame: Frame?
  private var pending: [Step] = []
  private var completions: [Step] = []

  /// Something that is put off, with the request and the stack that it belongs to.
  private struct Step {
    let request: Request
    let frame: Frame?
    /// Receives the context, and does not keep it: a build that fails leaves nothing in a circle.
    let run: (BuildContext) throws -> Void
  }

  init(
    group: CycleGroup? = nil, request: Request = Request(), belongings: Belongings? = nil
  ) {
    self.group = group
    self.request = request
    self.belongings = belongings
  }

  // MARK: - Objects

  /// The object that a provider has constructed in this build; it may not be complete.
  func object<T>(of provider: ObjectProvider<T>) -> T? {
    Self.object(in: early[ObjectIdentifier(provider)])
  }

  func keep<T>(_ object: T, of provider: ObjectProvider<T>) {
    early[ObjectIdentifier(provider)] = ObjectBox(object)
  }

  /// The object that a provider has made for this request.
  func sharedObject<T>(of provider: ObjectProvider<T>) -> T? {
    Self.object(in: request.objects[ObjectIdentifier(provider)])
  }

  /// Shares an object with everything that is made for a request.
  func share<T>(_ object: T, of provider: ObjectProvider<T>, in request: Request) {
    request.objects[ObjectIdentifier(provider)] = ObjectBox(object)
  }

  /// The boxes of a provider hold objects of its type.
  private static func object<T>(in box: AnyObjectBox?) -> T? {
    box.map { unsafeDowncast($0, to: ObjectBox<T>.self).value }
  }

  // MARK: - Injection

  /// Puts off two steps: one until every member is constructed, one until every member is injected.
  func putOff(
    injection: @escaping (BuildContext) throws -> Void,
    completion: @escaping (BuildContext) throws -> Void
  ) {
    pending.append(Step(request: request, frame: frame, run: injection))
    completions.append(Step(request: request, frame: frame, run: completion))
  }

  /// Injects everything that waits, and what is constructed meanwhile; then completes it, what was
  /// constructed last first.
  func finish() throws {
    var next = 0
    while next < pending.count {
      try run(pending[next])
      next += 1
    }
    pending = []
    while let last = completions.popLast() { try run(last) }
  }

  private func run(_ step: Step) throws {
    request = step.request
    frame = step.frame
    try step.run(self)
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
  func objectOnStack(of provider: ObjectIdentifier) -> Any? {
    var current = frame
    while let step = current {
      if step.provider == provider { return step.object }
      current = step.outer
    }
    return nil
  }

  /// Runs `make`, on whose behalf everything is made that its result needs.
  func onStack<T>(_ provider: ObjectIdentifier, _ make: () throws -> T) throws -> T {
    let inner = Frame(provider, outer: frame)
    let outer = frame
    frame = inner
    defer { frame = outer }
    let object = try make()
    inner.object = object
    return object
  }

  /// Runs `make`, whose object is somebody else's too, as a request of its own: nothing of the
  /// present request becomes a part of it.
  func apart<T>(_ make: () throws -> T) rethrows -> T {
    let outer = (request, frame)
    request = Request()
    frame = nil
    defer { (request, frame) = outer }
    return try make()
  }
}
