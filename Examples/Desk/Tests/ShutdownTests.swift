import AsyncHTTPClient
import Foundation
import NIOCore
import Oxbow
import Testing

@testable import desk

/// The program in a process of its own.
@Suite(.timeLimit(.minutes(30))) struct ShutdownTests {
  @Test func `a server that is ended under load answers what it has accepted, and loses nothing`()
    async throws
  {
    let path = NSTemporaryDirectory() + "desk-\(UUID()).sqlite"
    let server = try ServerProcess(store: path)
    let port = try #require(try server.port())
    let acknowledged = try await Clients(count: 16, url: "http://127.0.0.1:\(port)/tickets").run {
      if $0 == 200 { server.process.terminate() }
    }
    server.process.waitUntilExit()
    #expect(server.process.terminationReason == .exit)
    #expect(server.process.terminationStatus == 0)
    #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "the store was not closed")
    let store = try PersistentContainer(.file(path), types: DeskModel.types)
    let kept = try await store.perform { try $0.fetch(Ticket.self).map(\.title) }
    #expect(acknowledged.count >= 200)
    #expect(Set(kept) == Set(acknowledged))
    #expect(kept.count == acknowledged.count)
  }
}

/// The program beside that of the tests, on a free port.
private struct ServerProcess {
  let process = Process()
  private let log = Pipe()

  init(store: String) throws {
    let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let migrations = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Migrations")
    process.executableURL = folder.appendingPathComponent("desk")
    process.environment = [
      "DESK_STORE": store, "DESK_PORT": "0", "DESK_MIGRATIONS": migrations.path,
    ]
    process.standardError = log
    try process.run()
  }

  /// The port that the log names, or nil when the server has ended.
  func port() throws -> Int? {
    var text = ""
    while case let data = log.fileHandleForReading.availableData, !data.isEmpty {
      text += String(decoding: data, as: UTF8.self)
      if let match = text.firstMatch(of: /listening on 127\.0\.0\.1:(\d+)\s/) {
        return Int(match.output.1)
      }
    }
    Issue.record("the server has not started: \(text)")
    return nil
  }
}

/// Clients that open tickets, each its own one after the other, until the server is gone.
private struct Clients {
  let count: Int
  let url: String

  /// Returns the titles of the tickets that the server has acknowledged.
  func run(_ heard: @escaping @Sendable (_ count: Int) -> Void) async throws -> [String] {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = count
    configuration.connectionPool.retryConnectionEstablishment = false
    let http = HTTPClient(configuration: configuration)
    let (titles, tell) = AsyncStream.makeStream(of: String.self)
    async let heardOf = titles.reduce(into: [String]()) {
      $0.append($1)
      heard($0.count)
    }
    await withTaskGroup(of: Void.self) { group in
      for client in 0..<count {
        group.addTask {
          var number = 0
          while await open("\(client)/\(number)", http) {
            tell.yield("\(client)/\(number)")
            number += 1
          }
        }
      }
    }
    tell.finish()
    try await http.shutdown()
    return await heardOf
  }

  private func open(_ title: String, _ http: HTTPClient) async -> Bool {
    var request = HTTPClientRequest(url: url)
    request.method = .POST
    request.body = .bytes(ByteBuffer(string: #"{"title": "\#(title)"}"#))
    guard let answer = try? await http.execute(request, timeout: .minutes(30)) else { return false }
    _ = try? await answer.body.collect(upTo: 1 << 20)
    return answer.status == .created
  }
}
