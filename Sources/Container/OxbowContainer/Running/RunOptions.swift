/// How a container runs its services.
public struct RunOptions: Sendable {
  /// How long each service may take until it is ready.
  ///
  /// A store that has much to migrate needs more.
  public var readyWithin: Duration = .seconds(30)

  /// How long each service may take until it has ended, from the moment when its task is cancelled.
  public var stopWithin: Duration = .seconds(30)

  /// The names of the objects that run, together with all that they need; nil for all objects.
  public var only: Set<String>?

  /// Waits until a service is late, unless its task is cancelled before.
  package var wait: @Sendable (_ service: String, _ limit: Duration) async -> Void = { _, limit in
    try? await Task.sleep(for: limit)
  }

  /// Creates options for all services, with limits of 30 seconds.
  public init() {}
}
