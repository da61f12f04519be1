import Foundation
import Hummingbird
import HummingbirdTesting
import Logging
import Oxbow
import OxbowTesting
import Testing

@testable import desk

/// The server without a network, on the store that the trait `.objectContext` has prepared.
struct DeskClient {
  let client: any TestClientProtocol

  /// Runs `body` with the routes of a container, or with a server that really listens.
  static func with<R: Sendable>(
    _ setup: TestingSetup = .router, _ body: @Sendable (DeskClient, Container) async throws -> R
  ) async throws -> R {
    let container = try builder(Settings(store: .file(try ObjectContextTrait.path))).build()
    defer { container.close() }
    let routes: Routes = try container.object("routes")
    return try await Application(router: routes.router(), logger: silent).test(setup) { client in
      try await body(DeskClient(client: client), container)
    }
  }

  static func builder(_ settings: Settings) -> ContainerBuilder {
    var settings = settings
    settings.migrations = StoreMigrations(.never)
    let builder = ContainerBuilder()
    builder.defineDesk(settings, metrics: MetricsPage(), logger: silent)
    return builder
  }

  private static let silent = Logger(label: "desk") { _ in SwiftLogNoOpLogHandler() }

  /// The answer to a request, which must have a status.
  func send<T: Decodable>(
    _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
    status: HTTPResponse.Status = .ok, as type: T.Type = T.self,
    at location: Testing.SourceLocation = #_sourceLocation
  ) async throws -> T {
    let response = try await client.executeRequest(
      uri: uri, method: method, headers: [:], body: body.map(ByteBuffer.init(string:)))
    #expect(response.status == status, "\(String(buffer: response.body))", sourceLocation: location)
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(T.self, from: Data(buffer: response.body))
  }

  /// The text of an answer that refuses a request.
  func refusal(
    _ method: HTTPRequest.Method, _ uri: String, _ body: String? = nil,
    status: HTTPResponse.Status, at location: Testing.SourceLocation = #_sourceLocation
  ) async throws -> String {
    try await send(method, uri, body, status: status, as: Refusal.self, at: location).error.message
  }

  private struct Refusal: Decodable {
    struct Text: Decodable { let message: String }
    let error: Text
  }
}
