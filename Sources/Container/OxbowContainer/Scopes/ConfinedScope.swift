/// One object for each thread or task, which never leaves it.
///
/// An object of a thread is released when the thread or a `withThreadScope` body ends, one of a
/// task when the `withTaskScope` body ends in which it was made. It is reached in `withObject`
/// bodies and through thread-local and task-local proxies, and only other objects of the thread or
/// task may refer to it.
///
/// Tasks wander between threads, so what belongs to one must not be found by another: a task that
/// was started inside the body, even one that inherits its task-local values, has to open a scope
/// of its own.
enum ConfinedScope: String, Scope {
  case thread, task

  var name: String { rawValue }
  var sharing: Sharing { .confined }

  func makeProvider<T>(of type: T.Type, _ setup: ProviderSetup) throws -> ScopedProvider<T> {
    let storage: any ConfinedStorage =
      switch self {
      case .thread: try setup.services.threads()
      case .task: setup.services.tasks
      }
    let provider = ConfinedProvider<T>(setup, storage)
    setup.group.confined.append(provider)
    return provider
  }
}

/// Keeps one object for each thread or task, in its slot.
///
/// The objects of a group are published together, when all are complete, so that a provider that is
/// called in a constructor never sees a half-injected one.
private final class ConfinedProvider<T>: ScopedProvider<T>, CycleMember, @unchecked Sendable {
  // Sendable by argument: nothing changes here; the objects are in the storage of their threads or
  // tasks.

  private let storage: any ConfinedStorage
  private let slot: Int

  init(_ setup: ProviderSetup, _ storage: any ConfinedStorage) {
    self.storage = storage
    slot = storage.reserveSlot()
    super.init(setup)
  }

  /// Whether the thread or task that asks has its object.
  override var isBuilt: Bool { (try? storage.objects(for: name)[slot]) != nil }

  override func make(_ context: BuildContext?) throws -> T {
    let objects = try storage.objects(for: name)
    if let object = object(in: objects) { return object }
    if let context, context.group === group { return try early(in: context) }
    try objects.building(slot, name) { try group.build(group.confined, in: objects) }
    return try object(in: objects) ?? fresh(in: context)
  }

  private func object(in objects: LocalObjects) -> T? {
    objects[slot].map { unsafeDowncast($0, to: ObjectBox<T>.self).value }
  }

  func publish(_ context: BuildContext, in objects: LocalObjects?) {
    guard let objects, let object = context.object(of: self) else { return }
    // The first is dropped last.
    let belongings = group.confined.first === self ? context.belongings?.items ?? [] : []
    objects[slot] = ObjectBox(object, disposal: disposal(of: object, and: belongings, in: objects))
  }
}
