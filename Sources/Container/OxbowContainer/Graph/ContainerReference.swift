internal import OxbowPlatform
internal import Synchronization

/// The way from a container's providers back to the container.
///
/// Weak, because the container holds its providers.
package final class WeakContainerReference: Sendable {
  private struct State {
    weak var life: (any AnyObject & Sendable)?
    /// Whether the container keeps an object that all share.
    var keeps: (@Sendable (AnyObject) -> Bool)?
    /// One for all that leaves the container, for as long as somebody has it.
    weak var strong: ContainerReference?
    var isClosed = false
  }

  private let state = Lock(State())

  /// Sets what keeps the container's objects, and tells whether it keeps one.
  func set(_ life: any AnyObject & Sendable, keeps: @escaping @Sendable (AnyObject) -> Bool) {
    state.withLock {
      $0.life = life
      $0.keeps = keeps
    }
  }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// A reference that keeps the container, for something that leaves it and asks for objects later.
  ///
  /// - Throws: `containerReleased` when the container is closed or has ended.
  package func strong(for name: String) throws -> ContainerReference {
    let strong = state.withLock { state -> ContainerReference? in
      if let strong = state.strong { return strong }
      guard !state.isClosed, let life = state.life else { return nil }
      let strong = ContainerReference(life)
      state.strong = strong
      return strong
    }
    if let strong { return strong }
    throw ContainerReference.released(name)
  }

  /// Delivers something that asks the container for objects later, made anew for each injection.
  func deferred<T>(
    _ name: String, _ deliver: @escaping @Sendable (ContainerReference) -> T
  ) -> ObjectProvider<T> {
    ComputedProvider { [self] _ in deliver(try strong(for: name)) }
  }

  /// What ends an object of a thread or task, then what belongs to it, the newest first.
  ///
  /// Nil where there is nothing to end; what all share is not ended, nor what ends already with
  /// another object of the thread or task.
  func disposal<T>(
    of object: T, and belongings: [Belongings.Item] = [], named name: String,
    in others: LocalObjects?
  ) -> (@Sendable (T) -> Void)? {
    let ends = ends(object, in: others)
    // The box of the thread or task runs this, on the thread or task that has the objects.
    nonisolated(unsafe) let items = belongings.filter {
      $0.target != nil || self.ends($0.object, in: others)
    }
    guard ends || !items.isEmpty else { return nil }
    return { object in
      if ends { Disposals.end(object, named: name) }
      for item in items.endings { Disposals.end(item.object, named: item.name) }
    }
  }

  private func ends(_ object: Any, in others: LocalObjects?) -> Bool {
    object is any ConfinedDisposable && !isShared(object) && others?.disposes(of: object) != true
  }

  private func isShared(_ object: Any) -> Bool {
    // What is shared is Sendable, so most objects of threads need no look.
    guard let object = object as? any Disposable, type(of: object) is AnyClass else { return false }
    return state.withLock { $0.keeps }?(object as AnyObject) ?? false
  }

  /// Ends what keeps the container, but for calls that have begun.
  func close() {
    let strong = state.withLock { state in
      state.isClosed = true
      return state.strong
    }
    strong?.close()
  }
}

/// What providers, factories and proxies hold of the container that made them: all of it.
///
/// So a container lives as long as something that can still ask for objects. A singleton that holds
/// a provider holds its container, and the container holds the singleton: `close()` ends that.
/// Calls through the reference are counted, and the last one through a closed reference releases
/// the life.
package final class ContainerReference: Sendable {
  /// Twice the number of calls that run, and one when the reference is closed.
  private let calls = Atomic<Int>(0)
  /// What keeps the container's objects, retained.
  ///
  /// Sendable by argument: made of a `Sendable` object.
  private nonisolated(unsafe) let life: Atomic<Unmanaged<AnyObject>?>

  fileprivate init(_ life: any AnyObject & Sendable) {
    self.life = Atomic(Unmanaged.passRetained(life))
  }

  deinit { releaseLife() }

  /// Runs `body` while the container keeps its objects.
  ///
  /// - Throws: `containerReleased` when the container was closed.
  func inside<R>(for name: String, _ body: () throws -> R) throws -> R {
    let before = calls.add(2, ordering: .acquiring).oldValue
    defer { leave() }
    guard before & 1 == 0 else { throw Self.released(name) }
    return try body()
  }

  /// What keeps the container's objects, inside a call.
  var keeper: AnyObject? { life.load(ordering: .acquiring)?.takeUnretainedValue() }

  /// Runs `body`, which builds an object that no dependency declares.
  ///
  /// - Throws: `constructionDeadlock` when calls of this kind are nested so deep that they cannot
  ///   end; `containerReleased` when the container was closed.
  func call<R>(for name: String, _ body: () throws -> R) throws -> R {
    try inside(for: name) { try CallDepth.nested(for: name, body) }
  }

  /// The object of a provider, by the rules of its scope.
  func object<T>(of provider: ObjectProvider<T>, named name: String) throws -> T {
    try inside(for: name) {
      provider.isBuilt
        ? try provider.make(nil) : try CallDepth.nested(for: name) { try provider.make(nil) }
    }
  }

  fileprivate func close() {
    if calls.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue == 0 { releaseLife() }
  }

  private func leave() {
    if calls.subtract(2, ordering: .acquiringAndReleasing).oldValue == 3 { releaseLife() }
  }

  private func releaseLife() { life.exchange(nil, ordering: .acquiringAndReleasing)?.release() }

  fileprivate static func released(_ name: String) -> ContainerError {
    ContainerError(.containerReleased(name), getting: name)
  }

  /// How deep calls inside constructors are nested on a thread.
  private final class CallDepth {
    private var value = 0

    /// Some hundred frames of construction each; a thread's stack holds far more than this many.
    private static let limit = 100
    private static let ofThread = try? ThreadLocal<CallDepth>()

    static func nested<R>(for name: String, _ body: () throws -> R) throws -> R {
      guard let ofThread else { return try body() }
      let depth = ofThread.value ?? CallDepth()
      if depth.value == 0 { ofThread.value = depth }
      guard depth.value < limit else {
        throw ContainerError(.endlessConstruction(name, limit: limit), getting: name)
      }
      depth.value += 1
      defer { depth.value -= 1 }
      return try body()
    }
  }
}

/// What a container has for its providers and proxies: where objects of threads and tasks are kept,
/// what disposes of objects, and the way back to the container.
final class ContainerServices: Sendable {
  private struct SlotKey: Hashable, Sendable {
    let name: String
    let type: ObjectIdentifier
  }

  private let madeThreads = Lock<ThreadStorage?>(nil)
  let tasks = TaskStorage()
  let tenants = TenantStorage()
  let disposals = Disposals()
  /// The way to the container; nil for services of no container.
  let container: WeakContainerReference?
  private let slots = Lock<[SlotKey: Int]>([:])

  init(container: WeakContainerReference? = nil) { self.container = container }

  /// Where the objects of threads are kept, if a definition or proxy has needed that.
  var existingThreads: ThreadStorage? { madeThreads.withLock { $0 } }

  /// Where the objects of threads are kept.
  ///
  /// - Throws: `threadKeysExhausted`.
  func threads() throws -> ThreadStorage {
    try madeThreads.withLock { made in
      if let made { return made }
      let storage = try ThreadStorage()
      made = storage
      return storage
    }
  }

  /// Ends the objects of this thread; those of others, and of tasks, can be asked for no more.
  ///
  /// Those of tenants end.
  func close() {
    existingThreads?.close()
    tasks.close()
    tenants.close()
  }

  /// Lets go of what a container needs as long as somebody asks.
  ///
  /// Objects of other threads stay: a proxy may be looking at one. They end with their thread, or
  /// with the storage, when no proxy has it any more.
  func end() {
    close()
    disposals.forget()
  }

  /// The slot of a name; proxies of one name and type share their objects.
  func slot<Target>(named name: String?, of type: Target.Type, in threads: ThreadStorage) -> Int {
    guard let name else { return threads.reserveSlot() }
    let key = SlotKey(name: name, type: ObjectIdentifier(type))
    return slots.withLock { slots in
      if let slot = slots[key] { return slot }
      let slot = threads.reserveSlot()
      slots[key] = slot
      return slot
    }
  }
}

/// A factory that wants the container's services.
protocol ContainerServiceUser: AnyObject {
  var services: ContainerServices? { get set }
}
