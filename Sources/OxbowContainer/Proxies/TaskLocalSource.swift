/// The source of a proxy whose target is bound to the current task.
///
/// ```swift
/// enum Current { @TaskLocal static var session: (any Session & Sendable)? }
/// let session = SessionProxy(source: TaskLocalSource("session") { Current.session })
/// ```
public struct TaskLocalSource<Target>: ProxySource {
  private let name: String
  private let bound: @Sendable () -> Target?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - name: What is bound, for messages.
  ///   - bound: Reads the task-local value.
  public init(_ name: String, bound: @escaping @Sendable () -> Target?) {
    self.name = name
    self.bound = bound
  }

  /// Whether a target is bound.
  public var isMaterialized: Bool { bound() != nil }

  /// The target that is bound to the current task.
  ///
  /// - Throws: `unboundTask` when none is.
  public func target() throws -> Target {
    if let target = bound() { return target }
    throw ContainerError(.unboundTask(name), task: "call \"\(name)\"")
  }
}
