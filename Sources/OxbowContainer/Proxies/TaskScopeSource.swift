/// The source of a proxy whose target is the container's object for the calling task's scope.
///
/// ``TaskLocalSource`` is for values that the program binds itself.
struct TaskScopeSource<Target>: ProxySource {
  private let tasks: TaskStore
  private let make: @Sendable () throws -> Target

  init(_ tasks: TaskStore, _ make: @escaping @Sendable () throws -> Target) {
    self.tasks = tasks
    self.make = make
  }

  /// Whether the task has a scope, where the target would be found or built.
  var isMaterialized: Bool { tasks.isOpen }

  func target() throws -> Target { try make() }
}
