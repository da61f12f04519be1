#if Services
  public import OxbowContainer
  public import ServiceLifecycle

  extension Container: Service, _StoppedFromOutside {
    /// Runs `body` in a task that is cancelled by a graceful shutdown of the service group.
    ///
    /// One that came before is not lost: the task is cancelled from the beginning.
    public func _untilStopped(
      _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
      guard Task.isShuttingDownGracefully else { return try await cancelWhenGracefulShutdown(body) }
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.cancelAll()
        group.addTask { try await body() }
        try await group.waitForAll()
      }
    }
  }

  extension Container {
    /// The container as a service that runs with options, such as time for a long migration.
    ///
    /// ```swift
    /// var options = RunOptions()
    /// options.readyWithin = .seconds(600)
    /// let group = ServiceGroup(services: [container.service(options)], logger: logger)
    /// ```
    public func service(_ options: RunOptions) -> some Service {
      ContainerService(container: self, options: options)
    }
  }

  private struct ContainerService: Service {
    let container: Container
    let options: RunOptions

    func run() async throws { try await container.run(options) }
  }
#endif
