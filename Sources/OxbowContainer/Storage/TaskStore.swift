internal import Synchronization

/// The objects that tasks have for themselves: one frame for each `withTaskScope` body.
package final class TaskStore: ConfinedPlace {
  /// A frame and the task that it belongs to.
  ///
  /// Sendable by argument: child tasks inherit the reference, and `frame` is handed out to the owning
  /// task alone, while its body runs.
  private final class TaskBinding: @unchecked Sendable {
    let store: ObjectIdentifier
    let owner: Int
    let outer: TaskBinding?
    let frame = ThreadFrame()
    let isOver = Atomic<Bool>(false)

    init(store: TaskStore, owner: Int, outer: TaskBinding?) {
      self.store = ObjectIdentifier(store)
      self.owner = owner
      self.outer = outer
    }
  }

  @TaskLocal private static var current: TaskBinding?
  private let slots = Atomic<Int>(0)
  private let isClosed = Atomic<Bool>(false)

  package init() {}

  package func reserveSlot() -> Int { slots.add(1, ordering: .relaxed).oldValue }

  /// Answers no more requests; each task drops its objects at the end of its scope.
  package func close() { isClosed.store(true, ordering: .releasing) }

  package func frame(for name: String) throws -> ThreadFrame {
    guard !isClosed.load(ordering: .acquiring) else {
      throw ContainerError(.containerReleased(name), task: "get object \"\(name)\"")
    }
    guard let bound = bound() else {
      throw ContainerError(.noTaskScope(name), task: "get object \"\(name)\"")
    }
    guard bound.owner == Self.task(), !bound.isOver.load(ordering: .relaxed) else {
      throw ContainerError(.foreignTask(name), task: "get object \"\(name)\"")
    }
    return bound.frame
  }

  /// Whether the calling task has a scope of its own.
  package var isOpen: Bool {
    guard !isClosed.load(ordering: .acquiring), let bound = bound() else { return false }
    return bound.owner == Self.task() && !bound.isOver.load(ordering: .relaxed)
  }

  /// Runs `body` with an empty frame for the calling task, and drops what it leaves there.
  package func scope<R>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
  ) async rethrows -> R {
    let bound = TaskBinding(store: self, owner: Self.task(), outer: Self.current)
    defer {
      bound.frame.dropAll()
      bound.isOver.store(true, ordering: .relaxed)
    }
    return try await Self.$current.withValue(bound, operation: body, isolation: isolation)
  }

  private func bound() -> TaskBinding? {
    var step = Self.current
    while let bound = step {
      if bound.store == ObjectIdentifier(self) { return bound }
      step = bound.outer
    }
    return nil
  }

  /// What tells the current task from others that live; 0 outside of tasks.
  private static func task() -> Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }
}
