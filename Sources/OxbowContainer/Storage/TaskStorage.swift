internal import Synchronization

/// The objects that tasks have for themselves: those of one `withTaskScope` body each.
package final class TaskStorage: ConfinedStorage {
  /// The objects of a scope, and the task that they belong to.
  ///
  /// Child tasks inherit the reference; `objects` is for the owning task alone, while its body
  /// runs.
  private final class OpenScope: Sendable {
    let storage: ObjectIdentifier
    let owner: Int
    let outer: OpenScope?
    let objects = LocalObjects()
    let isOver = Atomic<Bool>(false)

    init(of storage: TaskStorage, owner: Int, outer: OpenScope?) {
      self.storage = ObjectIdentifier(storage)
      self.owner = owner
      self.outer = outer
    }
  }

  @TaskLocal private static var current: OpenScope?
  private let slots = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)

  package init() {}

  package func reserveSlot() -> Int { slots.add(1, ordering: .relaxed).oldValue }

  /// Answers no more requests; each task drops its objects at the end of its scope.
  package func close() { isClosed.store(true, ordering: .releasing) }

  package func objects(for name: String) throws -> LocalObjects {
    guard !isClosed.load(ordering: .acquiring) else {
      throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
    }
    guard let scope = innermost() else {
      throw ContainerError(.noTaskScope(name), task: "get object \"\(name)\"")
    }
    guard Self.isOwn(scope) else {
      throw ContainerError(.foreignTask(name), task: "get object \"\(name)\"")
    }
    return scope.objects
  }

  /// Whether the calling task has a scope of its own.
  package var isOpen: Bool {
    guard !isClosed.load(ordering: .acquiring), let scope = innermost() else { return false }
    return Self.isOwn(scope)
  }

  /// Runs `body` with no objects for the calling task, and drops those that it leaves.
  package func scope<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async rethrows -> R {
    let scope = OpenScope(of: self, owner: Self.task(), outer: Self.current)
    defer {
      scope.objects.dropAll()
      scope.isOver.store(true, ordering: .relaxed)
    }
    return try await Self.$current.withValue(scope, operation: body, isolation: isolation)
  }

  /// The innermost scope of this storage that the task has opened or inherited.
  private func innermost() -> OpenScope? {
    var step = Self.current
    while let scope = step {
      if scope.storage == ObjectIdentifier(self) { return scope }
      step = scope.outer
    }
    return nil
  }

  private static func isOwn(_ scope: OpenScope) -> Bool {
    scope.owner == task() && !scope.isOver.load(ordering: .relaxed)
  }

  /// What tells the current task from others that live; 0 outside of tasks.
  private static func task() -> Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }
}
