/// The source of a proxy whose target is the container's object for the calling task's scope.
///
/// ``TaskLocalSource`` is for values that the program binds itself.
struct TaskScopeSource<Target>: ProxySource {
  private let tasks: TaskStore
  private let provider: AnyObjectProvider
  private let make: @Sendable () throws -> Target

  init(
    _ tasks: TaskStore, _ provider: AnyObjectProvider,
    _ make: @escaping @Sendable () throws -> Target
  ) {
    self.tasks = tasks
    self.provider = provider
    self.make = make
  }

  /// Whether the task has a scope, and its target is built there.
  var isMaterialized: Bool { tasks.isOpen && provider.isBuilt }

  func target() throws -> Target { try make() }
}
