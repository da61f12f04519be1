#if Services
  import Logging
  import Oxbow
  import OxbowServices
  import OxbowTestSupport
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import Synchronization
  import Testing

  /// A container in a group of services, and services of others in a container.
  @Suite(.timeLimit(.minutes(30))) struct ContainerServiceTests {
    private let journal = Journal()
    private let builder = ContainerBuilder()

    /// `web`, a service of others, needs `pool`, an object that runs.
    private func container(failing: Bool = false) throws -> Container {
      let journal = journal
      let pool = builder.singleton(named: "pool") { Pool(journal: journal) }
      builder.service("web", { (_: Pool) in Web(journal: journal, fails: failing) }, pool)
      return try builder.build()
    }

    private var logger: Logger {
      Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    }

    @Test func `a graceful shutdown stops the services in order, each gracefully`()
      async throws
    {
      let container = try container()
      let group = ServiceGroup(services: [container], logger: logger)
      let run = Task { try await group.run() }
      await journal.wait(for: "web")
      await group.triggerGracefulShutdown()
      try await run.value
      #expect(
        journal.all == ["pool", "web", "web asked to end", "web ended", "pool ended", "disposed"])
    }

    @Test func `a container in a group may run with options`() async throws {
      var options = RunOptions()
      options.only = ["pool"]
      let group = ServiceGroup(services: [try container().service(options)], logger: logger)
      let run = Task { try await group.run() }
      await journal.wait(for: "pool")
      await group.triggerGracefulShutdown()
      try await run.value
      #expect(journal.all == ["pool", "pool ended", "disposed"])
    }

    @Test func `a shutdown before the run is not lost`() async throws {
      let container = try container()
      try await testGracefulShutdown { trigger in
        trigger.triggerGracefulShutdown()
        try await container.run()
      }
      #expect(journal.all == [])
    }

    @Test func `a shutdown of a group before its run is not lost`() async throws {
      let group = ServiceGroup(services: [try container()], logger: logger)
      await group.triggerGracefulShutdown()
      try await group.run()
      #expect(journal.all.isEmpty || journal.all.last == "disposed")
    }

    @Test func `a service that fails stops the container, and the group`() async throws {
      let group = ServiceGroup(services: [try container(failing: true)], logger: logger)
      let error = await #expect(throws: ContainerError.self) { try await group.run() }
      #expect(error?.code == .serviceEnded)
      #expect(error?.message == "service \"web\" has failed")
      #expect(error?.underlying is Failure)
      #expect(journal.all.suffix(2) == ["pool ended", "disposed"])
    }

    @Test func `a service of others may be ready, and report its health`() async throws {
      let journal = journal
      builder.service("shop", { Shop(journal: journal) })
      let container = try builder.build()
      let run = Task { try await container.run() }
      await journal.wait(for: "ready")
      try await wait { await container.health().health.status != .down }
      #expect(await container.health().children.map(\.health) == [.degraded("little stock")])
      run.cancel()
      try await run.value
    }
  }

  private struct Failure: Error {}

  /// What has been done, in order; a test can wait for a line.
  private final class Journal: Sendable {
    private let lines = Mutex<[String]>([])
    private let news: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation

    init() { (news, tell) = AsyncStream.makeStream() }

    var all: [String] { lines.withLock { $0 } }

    func note(_ line: String) {
      lines.withLock { $0.append(line) }
      tell.yield(line)
    }

    func wait(for line: String) async {
      for await new in news where new == line { return }
    }
  }

  /// Returns when the task is cancelled.
  private func cancellation() async {
    let (never, _) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
  }

  private struct Pool: RunningObject, Readiness, Disposable {
    let journal: Journal

    func ready() async throws { journal.note("pool") }
    func run() async throws {
      await cancellation()
      journal.note("pool ended")
    }
    func dispose() { journal.note("disposed") }
  }

  private struct Web: Service {
    let journal: Journal
    let fails: Bool

    func run() async throws {
      journal.note("web")
      if fails { throw Failure() }
      try? await gracefulShutdown()
      journal.note(Task.isCancelled ? "web cancelled" : "web asked to end")
      journal.note("web ended")
    }
  }

  private struct Shop: Service, Readiness, HealthReporting {
    let journal: Journal

    func run() async throws { try? await gracefulShutdown() }
    func ready() async throws { journal.note("ready") }
    func health() async -> Health { .degraded("little stock") }
  }
#endif
