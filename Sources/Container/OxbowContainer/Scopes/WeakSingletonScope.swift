internal import OxbowPlatform

/// One object for the whole container for as long as somebody holds it; then the next request
/// builds another one.
struct WeakSingletonScope: Scope {
  let name = "weakSingleton"
  let sharing = Sharing.shared
  let needsClass = true
  let meaning = "one object for the whole container while somebody holds it"

  func makeProvider<T>(of type: T.Type, _ setup: ProviderSetup) throws -> ScopedProvider<T> {
    let provider = WeakSingletonProvider<T>(setup)
    setup.group.weak.append(provider)
    return provider
  }
}

/// Keeps a weak reference to the object.
///
/// The reference is guarded by a lock of its own, on each hit: a weak reference that is read while
/// another one replaces it is a race (`docs/decisions/0140`). Builds run under the group's gate,
/// one at a time, and publish all weak members that they made together.
private final class WeakSingletonProvider<T>: ScopedProvider<T>, CycleMember, @unchecked Sendable {
  private struct State {
    weak var object: AnyObject?
    var belongings: [Belonging] = []
    var isClosed = false
  }
  /// What ends with the object at the end of the container, if somebody has both.
  private struct Belonging {
    let name: String
    weak var object: AnyObject?
    let target: Belongings.TargetSearch?

    init(_ item: Belongings.Item) {
      name = item.name
      object = item.object as AnyObject
      target = item.target
    }

    var item: Belongings.Item? {
      object.map { Belongings.Item(name: name, object: $0, target: target) }
    }
  }
  private let state = Lock(State())

  override var existing: Any? { living() }
  override var belongings: [Belongings.Item] {
    state.withLock { state in
      // The objects end with one that is Sendable by validation, and nothing else reaches them.
      nonisolated(unsafe) let items = state.belongings.compactMap(\.item)
      return items
    }
  }
  override var isBuilt: Bool { living() != nil }

  override func make(_ context: BuildContext?) throws -> T {
    if let object = living() { return object }
    if let context, context.group === group { return try early(in: context) }
    try group.buildShared(for: name)
    var made: T?
    try group.gate.run(
      for: name,
      unless: {
        made = living(); return made != nil
      }
    ) {
      made = try build()
    }
    if let made { return made }
    // The thread that built did so between this one's look and its wait; the object may have ended.
    return try make(context)
  }

  func publish(_ context: BuildContext, in objects: LocalObjects?) {
    guard let object = context.object(of: self) else { return }
    nonisolated(unsafe) let shared = object as AnyObject  // Sendable by validation
    // Made for that object alone; from here on `state` guards them.
    nonisolated(unsafe) let belongings = context.belongings?.items ?? []
    state.withLock {
      $0.object = shared
      $0.belongings = belongings.map { Belonging($0) }
    }
  }

  func abandon() {
    let object: AnyObject? = state.withLock { state in
      // Sendable by validation; `state` guards the reference.
      nonisolated(unsafe) let object = state.object
      state.object = nil
      return object
    }
    if let object { disposals.abandon(object, named: name) }
  }

  func kept() throws -> AnyObject? { try make(nil) as AnyObject }

  private func build() throws -> T {
    let context = BuildContext(group: group, belongings: Belongings())
    do {
      _ = try early(in: context)
      try context.finish()
    } catch {
      group.discard(group.weak, of: context)
      throw error
    }
    for member in group.weak { member.publish(context, in: nil) }
    let object = try early(in: context)
    // A shutdown that sealed the gate later finds the object where it is published now.
    guard group.gate.isSealed else { return object }
    for member in group.weak.reversed() { member.abandon() }
    abandon(context.belongings?.items ?? [])
    throw ContainerError(.containerReleased(name), getting: name)
  }

  override func close() {
    super.close()
    state.withLock { $0.isClosed = true }
  }

  override func check(_ object: T) throws {
    guard type(of: object as Any) is AnyClass else {
      throw ContainerError(.weakValue(name, typeName: "\(type(of: object))"), getting: name)
    }
  }

  private func living() -> T? {
    let object: AnyObject? = state.withLock { state in
      // Sendable by validation.
      nonisolated(unsafe) let object = state.isClosed ? nil : state.object
      return object
    }
    // `object as? T` would also succeed for nil where `T` is `Any`.
    return object.flatMap { $0 as? T }
  }
}
