#if Services
  import Foundation
  import Logging
  import Oxbow
  import OxbowServices
  import OxbowTestSupport
  import ServiceLifecycle
  import Testing
  import UnixSignals

  /// A server in a process of its own: this program again, with the path of its store.
  @Suite(.timeLimit(.minutes(30))) struct ServerProcessTests {
    private static let variable = "OXBOW_SERVER_STORE"
    private static let path = ProcessInfo.processInfo.environment[variable]

    @Test(.enabled(if: path == nil))
    func `a server that is ended under load has saved all that it acknowledged`() throws {
      let folder = try TemporaryFolder()
      let path = folder.file("orders.sqlite")
      let (server, output) = try start(path)
      var acknowledged: [Int] = []
      var text = ""
      while case let data = output.availableData, !data.isEmpty {
        text += String(decoding: data, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let numbers = lines.dropLast().compactMap { $0.wholeMatch(of: /saved (\d+)/)?.output.1 }
        text = String(lines.last ?? "")
        let before = acknowledged.count
        acknowledged += numbers.compactMap { Int($0) }
        if before < 200, acknowledged.count >= 200 { server.terminate() }
      }
      server.waitUntilExit()
      #expect(server.terminationStatus == 0)
      #expect(server.terminationReason == .exit)
      #expect(acknowledged.count >= 200)
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "the store was not closed")
      let store = try PersistentContainer(.file(path), types: [ServedOrder.self])
      let kept = Set(try store.perform { try $0.fetch(ServedOrder.self).map(\.number) })
      #expect(Set(acknowledged).subtracting(kept).isEmpty)
      #expect(Set(acknowledged).count == acknowledged.count)
    }

    private func start(_ path: String) throws -> (Process, FileHandle) {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["--testing-library", "swift-testing", "--filter", "ServerProcessTests"]
      process.environment = ProcessInfo.processInfo.environment.merging([Self.variable: path]) {
        $1
      }
      process.standardOutput = pipe
      try process.run()
      return (process, pipe.fileHandleForReading)
    }

    /// The other process.
    @Test(.enabled(if: path != nil)) func `a server runs until it is ended`() async throws {
      let builder = ContainerBuilder()
      let context = builder.persistentStore(
        at: .file(try #require(Self.path)), types: [ServedOrder.self],
        migrations: StoreMigrations(.automatic))
      builder.singleton(named: "clients", { Clients(context: $0) }, context)
      let group = ServiceGroup(
        services: [try builder.build()], gracefulShutdownSignals: [.sigterm],
        logger: Logger(label: "server", factory: { _ in SwiftLogNoOpLogHandler() }))
      try await group.run()
    }
  }

  @Entity final class ServedOrder: ManagedObject {
    var number: Int
  }

  /// Sixteen clients, each of which hears of an order only when it is saved.
  private struct Clients: RunningObject {
    let context: any ObjectContext & Sendable

    func run() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 0..<16 { group.addTask { try await place(startingAt: client) } }
        try await group.waitForAll()
      }
    }

    private func place(startingAt first: Int) async throws {
      var number = first
      while !Task.isCancelled {
        try await context.withTaskContext { try save(number) }
        FileHandle.standardOutput.write(Data("saved \(number)\n".utf8))
        number += 16
      }
    }

    private func save(_ number: Int) throws {
      try context.insert(ServedOrder.self) { $0.number = number }
      try context.save()
    }
  }
#endif
