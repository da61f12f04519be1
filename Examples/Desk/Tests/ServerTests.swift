import AsyncHTTPClient
import Foundation
import HummingbirdTesting
import Oxbow
import OxbowTesting
import Testing

@testable import desk

@Suite(
  .objectContext {
    try PersistentContainer(.temporary, types: DeskModel.types)
  } prepared: { _ in
  }, .timeLimit(.minutes(30)))
struct ServerTests {
  @Test func `the wiring is sound`() {
    #expect(DeskClient.builder(Settings()).check().problems.map(\.description) == [])
  }

  @Test func `the migrations lead to the model of the classes`() throws {
    let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    let store = try PersistentContainer(
      .file(NSTemporaryDirectory() + "desk-\(UUID()).sqlite"), types: DeskModel.types,
      migrations: StoreMigrations(.automatic, folder: "/\(folder)/Migrations"))
    store.close()
  }

  @Test func `settings come from the environment`() throws {
    let settings = try Settings(environment: ["DESK_PORT": "90", "DESK_HOST": "0.0.0.0"])
    #expect((settings.port, settings.host) == (90, "0.0.0.0"))
    let error = #expect(throws: SettingsError.self) {
      try Settings(environment: ["DESK_PORT": "many"])
    }
    #expect(error?.description == "DESK_PORT is 'many', and a port is a number from 0 to 65535")
  }

  @Test func `health and metrics are pages`() async throws {
    try await DeskClient.with { desk, _ in
      _ = try await desk.send(.get, "/agents", as: [AgentValue].self)
      // Nothing runs in this test, so the service of HTTP is down.
      let tree: HealthTree = try await desk.send(.get, "/health", status: .serviceUnavailable)
      #expect(tree.name == "container")
      let page = try await desk.client.execute(uri: "/metrics", method: .get) {
        String(buffer: $0.body)
      }
      let labels = #"{object="desk",method="team()",result="returned"}"#
      #expect(page.contains("desk_calls_seconds_count\(labels) 1.0\n"))
    }
  }

  @Test func `the live list follows saves`() async throws {
    try await DeskClient.with(.ahc()) { desk, container in
      var options = RunOptions()
      options.only = ["board"]
      let board = Task { [options] in try await container.run(options) }
      let port = try #require(desk.client.port)
      let response = try await HTTPClient.shared.execute(
        HTTPClientRequest(url: "http://localhost:\(port)/live"), timeout: .minutes(30))
      #expect(response.headers.first(name: "content-type") == "text/event-stream")
      var text = ""
      for try await part in response.body {
        let isFirst = text.isEmpty
        text += String(buffer: part)
        if isFirst {
          _ = try await desk.send(
            .post, "/tickets", #"{"title": "No paper"}"#, status: .created, as: TicketDetails.self)
        }
        if text.contains("No paper") { break }
      }
      #expect(text.hasPrefix("event: tickets\ndata: []\n\n"))
      board.cancel()
      try await board.value
    }
  }
}
