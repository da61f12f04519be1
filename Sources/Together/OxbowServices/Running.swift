public import OxbowContainer

#if Services
  public import Logging
  public import ServiceLifecycle

  /// A service of others, such as a web server, as an object that a container runs.
  ///
  /// ```swift
  /// builder.service("http", { Application(router: $0) }, router)
  /// ```
  ///
  /// The container cancels the task of ``run()``. Then the service is asked to shut down
  /// gracefully, so that it can end what it has begun, and is cancelled when it takes too long. A
  /// graceful shutdown of the group that the container is in does not reach it: the container stops
  /// it when it is its turn.
  public struct Running<S: Service>: RunningObject {
    /// The service.
    public let service: S
    private let limit: Duration
    private let logger: Logger

    /// Creates an object of a service.
    ///
    /// - Parameters:
    ///   - service: The service.
    ///   - limit: How long it may take to shut down gracefully before its task is cancelled; less
    ///     than the container gives it (``RunOptions/stopWithin``).
    ///   - logger: Where it is logged what becomes of it; nil for nowhere.
    public init(
      _ service: S, gracefulWithin limit: Duration = .seconds(20), logger: Logger? = nil
    ) {
      self.service = service
      self.limit = limit
      self.logger =
        logger ?? Logger(label: "oxbow.services", factory: { _ in SwiftLogNoOpLogHandler() })
    }

    /// Runs the service until the task is cancelled.
    public func run() async throws {
      let group = ServiceGroup(configuration: configuration)
      // Detached: a graceful shutdown outside would otherwise reach the service too early.
      let run = Task.detached(priority: Task.currentPriority) { try await group.run() }
      try await withTaskCancellationHandler {
        try await run.value
      } onCancel: {
        Task.detached { await group.triggerGracefulShutdown() }
      }
    }

    private var configuration: ServiceGroupConfiguration {
      var configuration = ServiceGroupConfiguration(
        services: [
          .init(
            service: service, successTerminationBehavior: .gracefullyShutdownGroup,
            failureTerminationBehavior: .cancelGroup)
        ], logger: logger)
      configuration.maximumGracefulShutdownDuration = limit
      return configuration
    }
  }

  extension Running: Readiness where S: Readiness {
    /// Returns when the service is ready.
    public func ready() async throws { try await service.ready() }
  }

  extension Running: HealthReporting where S: HealthReporting {
    /// How the service is.
    public func health() async -> Health { await service.health() }
  }

  extension ContainerBuilder {
    /// Defines a service of others, which the container runs; see ``Running``.
    ///
    /// - Parameters:
    ///   - name: The name of the object, unique in its container.
    ///   - make: Constructs the service.
    ///   - dependencies: What the constructor needs, in order.
    ///   - limit: How long it may take to shut down gracefully before its task is cancelled.
    ///   - logger: Where it is logged what becomes of it; nil for nowhere.
    ///   - file: The source file that defines it, for messages.
    ///   - line: The line in that file.
    /// - Returns: A reference to the object.
    @discardableResult
    public func service<S: Service, each D>(
      _ name: String, _ make: @escaping @Sendable (repeat each D) throws -> S,
      _ dependencies: repeat Ref<each D>, gracefulWithin limit: Duration = .seconds(20),
      logger: Logger? = nil, file: String = #fileID, line: Int = #line
    ) -> Ref<Running<S>> {
      singleton(
        named: name,
        { (values: repeat each D) in
          Running(try make(repeat each values), gracefulWithin: limit, logger: logger)
        }, repeat each dependencies, file: file, line: line)
    }
  }
#else
  extension ContainerBuilder {
    /// Nothing without the trait.
    @available(
      *, unavailable,
      message:
        "write traits: [.defaults, \"Services\"] where your package depends on oxbow: it brings swift-service-lifecycle"
    )
    public func service(_ name: String) {}
  }
#endif
