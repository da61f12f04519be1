internal import OxbowPlatform
internal import Synchronization

/// The way from a container's providers back to the container.
///
/// Weak, because the container holds its providers.
package final class WeakContainerReference: Sendable {
  private struct State {
    weak var life: (any AnyObject & Sendable)?
    /// One for all that is handed out, for as long as somebody has it.
    weak var hold: ContainerReference?
    var isClosed = false
  }

  private let state = Lock(State())

  package init() {}

  /// Says what keeps the container's objects.
  package func set(_ life: any AnyObject & Sendable) { state.withLock { $0.life = life } }

  /// A hold on the container, for something that is handed out and comes back for objects later.
  ///
  /// - Throws: `containerReleased` when the container is closed or gone.
  package func hold(for name: String) throws -> ContainerReference {
    let hold = state.withLock { state -> ContainerReference? in
      if let hold = state.hold { return hold }
      guard !state.isClosed, let life = state.life else { return nil }
      let hold = ContainerReference(life)
      state.hold = hold
      return hold
    }
    if let hold { return hold }
    throw ContainerReference.released(name)
  }

  /// What ends an object of a thread or task; nil for one that has nothing to end, or is everybody's, too.
  package func lastWords<T>(
    for object: T, named name: String
  ) -> (@Sendable (T) -> Void)? {
    guard object is any ConfinedDisposable, !isShared(object) else { return nil }
    return { Disposals.end($0, named: name) }
  }

  private func isShared(_ object: Any) -> Bool {
    // What is shared is Sendable, so most objects of threads need no look.
    guard let object = object as? any Disposable, type(of: object) is AnyClass else { return false }
    let life = state.withLock { $0.life }
    return (life as? any ObjectKeeper)?.keeps(object as AnyObject) ?? false
  }

  /// Ends all holds: what was handed out keeps the container no longer.
  package func close() {
    let hold = state.withLock { state in
      state.isClosed = true
      return state.hold
    }
    hold?.close()
  }
}

/// Something that knows the objects that all share.
package protocol ObjectKeeper {
  func keeps(_ object: AnyObject) -> Bool
}

/// What providers, factories and proxies hold of the container that made them: all of it.
///
/// So a container lives as long as something that was handed out can still ask for objects. A singleton
/// that holds a provider holds its container, and the container holds the singleton: `close()` ends that.
/// Whoever asks through a hold is inside meanwhile, and the last one out of a closed hold lets go.
package final class ContainerReference: Sendable {
  /// Twice the number of those inside, and one when the hold is closed.
  private let visitors = Atomic<Int>(0)
  /// What keeps the container's objects, retained.
  ///
  /// Sendable by argument: made of a `Sendable` object.
  private nonisolated(unsafe) let life: Atomic<Unmanaged<AnyObject>?>

  fileprivate init(_ life: any AnyObject & Sendable) {
    self.life = Atomic(Unmanaged.passRetained(life))
  }

  deinit { letGo() }

  /// Runs `body` while the container keeps its objects.
  ///
  /// - Throws: `containerReleased` when the container was closed.
  package func inside<R>(for name: String, _ body: () throws -> R) throws -> R {
    let before = visitors.add(2, ordering: .acquiring).oldValue
    defer { leave() }
    guard before & 1 == 0 else { throw Self.released(name) }
    return try body()
  }

  /// What keeps the container's objects, for somebody inside.
  package var keeper: AnyObject? { life.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Runs `body`, which builds an object that no dependency declares.
  ///
  /// - Throws: `constructionDeadlock` when calls of this kind are nested so deep that they cannot end;
  ///   `containerReleased` when the container was closed.
  package func call<R>(for name: String, _ body: () throws -> R) throws -> R {
    try inside(for: name) { try DeferredCalls.nested(for: name, body) }
  }

  /// The object of a provider, by the rules of its scope.
  package func object<T>(of provider: ObjectProvider<T>, named name: String) throws -> T {
    try inside(for: name) {
      provider.isBuilt
        ? try provider.make(nil) : try DeferredCalls.nested(for: name) { try provider.make(nil) }
    }
  }

  fileprivate func close() {
    if visitors.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue == 0 { letGo() }
  }

  private func leave() {
    if visitors.subtract(2, ordering: .acquiringAndReleasing).oldValue == 3 { letGo() }
  }

  private func letGo() { life.exchange(nil, ordering: .acquiringAndReleasing)?.release() }

  fileprivate static func released(_ name: String) -> ContainerError {
    ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
  }
}

/// Delivers something that holds the container, made anew for each place.
///
/// Sendable by argument: nothing in it changes once it was made.
package final class DeferredProvider<T>: ObjectProvider<T>, @unchecked Sendable {
  private let name: String
  private let link: WeakContainerReference
  private let deliver: @Sendable (ContainerReference) -> T

  package init(
    _ name: String, _ link: WeakContainerReference,
    deliver: @escaping @Sendable (ContainerReference) -> T
  ) {
    self.name = name
    self.link = link
    self.deliver = deliver
  }

  package override func make(_ session: Session?) throws -> T { try fresh() }
  package override func fresh() throws -> T { deliver(try link.hold(for: name)) }
}

/// Counts how deep calls of providers inside constructors are nested on a thread.
private enum DeferredCalls {
  private final class Depth { var value = 0 }

  /// Some hundred frames of construction each; a thread's stack holds far more than this many.
  private static let limit = 100
  private static let depth = try? ThreadLocal<Depth>()

  static func nested<R>(for name: String, _ body: () throws -> R) throws -> R {
    guard let depth else { return try body() }
    let current = depth.value ?? Depth()
    if current.value == 0 { depth.value = current }
    guard current.value < limit else {
      throw ContainerError(
        .endlessConstruction(name, limit: limit), task: "get object \"\(name)\"")
    }
    current.value += 1
    defer { current.value -= 1 }
    return try body()
  }
}
